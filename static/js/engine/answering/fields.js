// The fields of requests, validated as strictly as on the server: "1" is not a number, and true is not 1.
// A field reads a value and collects every problem that it finds, in the order in which pydantic does.

import KINDS from "../../facts/kinds.json" with { type: "json" };
import LIMITS from "../../facts/limits.json" with { type: "json" };

/** @typedef {(string | number)[]} Path */
/** @typedef {{type: string, at: Path, message: string, limit?: number}} Problem */
/** @typedef {(value: any, at: Path, problems: Problem[]) => any} Field its result means nothing after a problem */

const LONGEST_INTEGER = 1e21; // JSON.stringify writes larger numbers with an exponent, which is not an integer
export const LONE_SURROGATE = /\p{Surrogate}/u;
export const NOT_UNICODE =
  "Input should be a valid string, unable to parse raw data as a unicode string";

/** @type {Field} */
export const boolean = (value, at, problems) => {
  if (typeof value === "boolean") return value;
  problems.push({ type: "bool_type", at, message: "Input should be a valid boolean" });
};

/** @type {Field} */
export const text = (value, at, problems) => {
  if (typeof value === "string") return value;
  problems.push({ type: "string_type", at, message: "Input should be a valid string" });
};

/**
 * A text without lone surrogates.
 * @param {{longest?: number}} [limits] in characters (code points)
 * @returns {Field}
 */
export const unicode =
  ({ longest } = {}) =>
  (value, at, problems) => {
    const lone = typeof value === "string" ? loneSurrogate(value) : null;
    if (lone) {
      problems.push({ type: "lone_surrogate", at, message: lone });
      return;
    }
    text(value, at, problems);
    if (longest === undefined || typeof value !== "string" || value.length <= longest) return value;
    const length = [...value].length;
    if (length > longest) {
      problems.push(tooLong("Value", at, longest, length));
    }
    return value;
  };

/** @param {string} value @returns {string | null} what is wrong with it */
function loneSurrogate(value) {
  const at = value.search(LONE_SURROGATE);
  if (at < 0) return null;
  const before = [...value.slice(0, at)].length;
  const code = value.charCodeAt(at).toString(16).toUpperCase();
  return (
    `Expected Unicode text; character ${before} is U+${code}, half of a surrogate pair, ` +
    "which is not a character. Remove it, or send both halves"
  );
}

/** @param {{ge?: number, le?: number | bigint}} limits @returns {Field} */
export const integer = (limits) => (value, at, problems) => {
  if (Number.isInteger(value) && Math.abs(value) < LONGEST_INTEGER) {
    return within(limits, value, at, problems);
  }
  problems.push({ type: "int_type", at, message: "Input should be a valid integer" });
};

/** @param {{ge?: number, le?: number}} limits @returns {Field} */
export const number = (limits) => (value, at, problems) => {
  if (typeof value === "number") return within(limits, value, at, problems);
  problems.push({ type: "float_type", at, message: "Input should be a valid number" });
};

/** @param {{ge?: number, le?: number | bigint}} limits @param {number} value @param {Path} at @param {Problem[]} problems */
function within({ ge, le }, value, at, problems) {
  if (le !== undefined && value > le) {
    const message = `Input should be less than or equal to ${le}`;
    problems.push({ type: "less_than_equal", at, message, limit: Number(le) });
  } else if (ge !== undefined && value < ge) {
    const message = `Input should be greater than or equal to ${ge}`;
    problems.push({ type: "greater_than_equal", at, message, limit: ge });
  }
  return value;
}

export const index = integer({ ge: 0, le: LIMITS.index });

/** One of these names. @param {readonly string[]} names @returns {Field} */
export const choice = (names) => {
  const quoted = names.map((name) => `'${name}'`);
  const listed = [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter(Boolean).join(" or ");
  return (value, at, problems) => {
    if (names.includes(value)) return value;
    problems.push(
      typeof value === "string" && LONE_SURROGATE.test(value)
        ? { type: "string_unicode", at, message: NOT_UNICODE }
        : { type: "literal_error", at, message: `Input should be ${listed}` },
    );
  };
};

/** The kind of a site. */
export const kind = choice(KINDS);

/** @param {unknown} value */
export const isKind = (value) => KINDS.some((each) => each === value);

/** @param {unknown} value */
export const isIndex = (value) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LIMITS.index;

/** The field, or null. @param {Field} field @returns {Field} */
export const optional = (field) => (value, at, problems) =>
  value === null ? null : field(value, at, problems);

/**
 * The field, then a check of what it read.
 * @param {Field} field
 * @param {(value: any) => string | null} check what is wrong with it, or null
 * @returns {Field}
 */
export const checked = (field, check) => (value, at, problems) => {
  const before = problems.length;
  const found = field(value, at, problems);
  const wrong = problems.length === before ? check(found) : null;
  if (wrong !== null) problems.push({ type: "value_error", at, message: wrong });
  return found;
};

/** A list with every entry only once. @param {Field} field of a list @returns {Field} */
export const unique = (field) =>
  checked(field, (items) =>
    new Set(items).size < items.length ? "expected each entry only once; one is repeated" : null,
  );

/** @param {string} what @param {Path} at @param {number} limit @param {number | null} length null: not counted @returns {Problem} */
export function tooLong(what, at, limit, length) {
  const got = length === null ? "more" : length;
  const message = `${what} should have at most ${items(limit)} after validation, not ${got}`;
  return { type: "too_long", at, message, limit };
}

/** @param {string} what @param {Path} at @param {number} limit @param {number} length @returns {Problem} */
export const tooShort = (what, at, limit, length) => ({
  type: "too_short",
  at,
  message: `${what} should have at least ${items(limit)} after validation, not ${length}`,
  limit,
});

/** @param {number} n */
const items = (n) => `${n} ${n === 1 ? "item" : "items"}`;
