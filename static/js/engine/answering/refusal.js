// The one error for an invalid request, made from its first problem. Mirrors `_validation_error` in server/errors.py.

import { InputError } from "../errors.js";

/** Types of problems that programs may want to handle, with their codes. @type {Record<string, string>} */
const CODES = {
  missing: "missing_field",
  extra_forbidden: "unknown_field",
  lone_surrogate: "lone_surrogate",
  string_unicode: "lone_surrogate", // in a field name
};

/** @param {import("./fields.js").Problem[]} problems at least one */
export function refusal(problems) {
  const [{ type, at, message, limit = null }] = problems;
  const field = fieldOf(at);
  const more = problems.length - 1;
  return new InputError(
    `${field ?? "The body"}: ${lowerFirst(message)}.${more ? ` There are ${more} more problems.` : ""}`,
    { code: CODES[type] ?? "invalid_value", field, limit },
  );
}

/**
 * `texts.0` for ["texts", 0]. An unknown name is shown only if it is a plain word.
 * @param {import("./fields.js").Path} at
 */
function fieldOf(at) {
  const parts = at.map(String);
  if (parts.length > 0 && !/^\w{1,64}$/.test(parts[parts.length - 1]))
    parts[parts.length - 1] = "?";
  return parts.join(".") || null;
}

/** @param {string} message */
function lowerFirst(message) {
  const bare = message.replace(/\.+$/, "");
  return bare.slice(0, 1).toLowerCase() + bare.slice(1);
}
