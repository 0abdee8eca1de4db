// Lists and objects of fields (fields.js), validated in the order in which pydantic does.

import { LONE_SURROGATE, NOT_UNICODE, tooLong, tooShort } from "./fields.js";

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Path} Path */
/** @typedef {import("./fields.js").Problem} Problem */
/** @typedef {[field: Field] | [field: Field, fallback: unknown]} Row without a fallback, the field is required */

/**
 * @param {Field} item
 * @param {{min?: number, max?: number}} [limits]
 * @returns {Field}
 */
export const list =
  (item, { min = 0, max = Number.POSITIVE_INFINITY } = {}) =>
  (value, at, problems) => {
    if (!Array.isArray(value)) {
      problems.push({ type: "list_type", at, message: "Input should be a valid list" });
      return;
    }
    if (value.length > max) {
      problems.push(tooLong("List", at, max, value.length));
      return;
    }
    const before = problems.length;
    const found = value.map((each, number) => item(each, [...at, number], problems));
    if (problems.length === before && found.length < min) {
      problems.push(tooShort("List", at, min, found.length));
    }
    return found;
  };

/**
 * An object with names of the client's choosing.
 * @param {RegExp} pattern of the names
 * @param {Field} item
 * @param {{min: number, max: number}} limits
 * @returns {Field} reads it as a Map
 */
export const named =
  (pattern, item, { min, max }) =>
  (value, at, problems) => {
    if (!isObject(value)) {
      problems.push({ type: "dict_type", at, message: "Input should be a valid dictionary" });
      return;
    }
    /** @type {Problem[]} */
    const own = [];
    const found = new Map();
    for (const [name, each] of Object.entries(value)) {
      const before = own.length;
      nameProblem(pattern, name, at, own);
      const read = item(each, [...at, name], own);
      if (own.length === before) found.set(name, read);
      if (found.size > max) {
        problems.push(tooLong("Dictionary", at, max, null));
        return;
      }
    }
    problems.push(...own);
    if (own.length === 0 && found.size < min) {
      problems.push(tooShort("Dictionary", at, min, found.size));
    }
    return found;
  };

/** @param {RegExp} pattern @param {string} name @param {Path} at @param {Problem[]} problems */
function nameProblem(pattern, name, at, problems) {
  if (LONE_SURROGATE.test(name)) {
    // pydantic shows each byte of a lone surrogate as one replacement character
    const shown = name.replace(/\p{Surrogate}/gu, "\ufffd\ufffd\ufffd");
    problems.push({
      type: "string_unicode",
      at: [...at, shown, "[key]"],
      message: NOT_UNICODE,
    });
  } else if (!pattern.test(name)) {
    problems.push({
      type: "string_pattern_mismatch",
      at: [...at, name, "[key]"],
      message: `String should match pattern '${pattern.source}'`,
    });
  }
}

/**
 * An object with these fields and no others.
 * @param {string} name of the schema on the server, for the message
 * @param {Record<string, Row>} rows in the order in which they are checked
 * @param {(found: any, given: object) => string | null} [check] of the whole: what is wrong with it, or null
 * @returns {Field}
 */
export const record =
  (name, rows, check = () => null) =>
  (value, at, problems) => {
    if (!isObject(value)) {
      const message = `Input should be a valid dictionary or instance of ${name}`;
      problems.push({ type: "model_type", at, message });
      return;
    }
    const strange = Object.keys(value).filter((key) => !Object.hasOwn(rows, key));
    if (strange.some((key) => LONE_SURROGATE.test(key))) {
      problems.push({ type: "string_unicode", at, message: NOT_UNICODE });
      return;
    }
    const before = problems.length;
    /** @type {Record<string, unknown>} */
    const found = {};
    for (const [key, [field, ...fallback]] of Object.entries(rows)) {
      if (Object.hasOwn(value, key)) found[key] = field(value[key], [...at, key], problems);
      else if (fallback.length > 0) found[key] = fallback[0];
      else problems.push({ type: "missing", at: [...at, key], message: "Field required" });
    }
    for (const key of strange) {
      const message = "Extra inputs are not permitted";
      problems.push({ type: "extra_forbidden", at: [...at, key], message });
    }
    const wrong = problems.length === before ? check(found, value) : null;
    if (wrong !== null) problems.push({ type: "value_error", at, message: wrong });
    return found;
  };

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
