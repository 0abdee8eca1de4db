// The tables of facts/ with their words in the reader's language. facts/words.json names the keys of the words: `translated` at once, by
// `worded`; `where_used` by whoever shows them.

import KEYS from "../facts/words.json" with { type: "json" };
import { gettext, ngettext, translated } from "./gettext.js";

/**
 * A table in the reader's language. Of a list under `choose`, each entry is a value and its words.
 * @template Table
 * @param {Table} table
 * @param {keyof typeof KEYS.translated} file
 * @returns {Table}
 */
export function worded(table, file) {
  const keys = new Set(/** @type {readonly string[]} */ (KEYS.translated[file]));
  /** @param {unknown} value @param {boolean} isWords @param {string} parent @returns {unknown} */
  const said = (value, isWords, parent) => {
    if (typeof value === "string") return isWords ? translated(value) : value;
    if (Array.isArray(value))
      return value.map((each, i) => said(each, isWords && !(isPair(value) && i === 0), parent));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        said(each, isWords || keys.has(key) || keys.has(`${parent}.${key}`), key),
      ]),
    );
  };
  return /** @type {Table} */ (said(table, false, ""));
}

/** @param {unknown[]} list */
const isPair = (list) => list.length === 2 && list.every((each) => typeof each === "string");

/** @typedef {Readonly<Record<string, string>>} Words by the value as JSON has it, or by the number; `{n}` stands for that number */

/**
 * The words for a value, or for a number of things: "1" and "other" are its plural forms.
 * @param {Words} words
 * @param {unknown} value that of a list is its length
 */
export function saidOf(words, value) {
  const n = Array.isArray(value) ? value.length : value;
  const exact = n === 1 ? undefined : words[String(n)];
  if (exact !== undefined || words.other === undefined) return gettext(exact ?? words[String(n)]);
  if ("1" in words) return ngettext(words["1"], words.other, Number(n));
  return gettext(words.other, { n: Number(n) });
}
