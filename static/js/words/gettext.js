// What the page says, in the reader's language. English stands where it is used, and is the key of the translations that the page carries
// (server/languages). `{name}` in it stands for a value.

import { grouped, isolated } from "./format.js";
import { LANGUAGE } from "./language.js";

/** @typedef {string | number} Value */

const element = globalThis.document?.querySelector("#translations");
/** Words, or words by plural category. @type {Record<string, string | Record<string, string>>} */
const TRANSLATIONS = element?.textContent ? JSON.parse(element.textContent) : {};
const PLURALS = new Intl.PluralRules(LANGUAGE);

/**
 * A sentence with its values.
 * @param {string} english
 * @param {Record<string, Value>} [values]
 */
export function gettext(english, values = {}) {
  const said = TRANSLATIONS[english];
  return filled(typeof said === "string" ? said : english, values);
}

/**
 * A sentence about a number of things, which is its value `n`.
 * @param {string} one in English, and the key
 * @param {string} many
 * @param {number} n
 * @param {Record<string, Value>} [values]
 */
export function ngettext(one, many, n, values = {}) {
  const said = TRANSLATIONS[one];
  const form = typeof said === "object" ? (said[PLURALS.select(n)] ?? said.other) : null;
  return filled(form ?? (n === 1 ? one : many), { n, ...values });
}

/** @param {string} template @param {Record<string, Value>} values */
const filled = (template, values) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? grouped(value) : isolated(value);
  });
