// What the page says, in the reader's language. English stands where it is used, and its hash is the key of the translations that a script
// of the page has put here before (server/pages/assets/translated.py). `{name}` in it stands for a value.

import { grouped, isolated, LANGUAGE } from "./language.js";

/** @typedef {string | number} Value */

/** By key: words, or words by plural category. @type {Record<string, string | Record<string, string>>} */
const TRANSLATIONS = /** @type {any} */ (globalThis).headlightTranslations ?? {};
const PLURALS = new Intl.PluralRules(LANGUAGE);

/**
 * A sentence with its values.
 * @param {string} english
 * @param {Record<string, Value>} [values]
 */
export const gettext = (english, values = {}) => filled(translated(english), values);

/**
 * A sentence about a number of things, which is its value `n`.
 * @param {string} one in English, and the key
 * @param {string} many
 * @param {number} n
 * @param {Record<string, Value>} [values]
 */
export const ngettext = (one, many, n, values = {}) =>
  filled(translatedPlural(one, many, n), { n, ...values });

/**
 * The key of a message, so that its English is not sent twice: FNV-1a of its UTF-16 code units, 32 bits, in hexadecimal (Fowler, Noll and Vo).
 * @param {string} english
 */
export function keyOf(english) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < english.length; at += 1)
    hash = Math.imul(hash ^ english.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** A template of the catalogue. @param {string} english */
export function translated(english) {
  const said = TRANSLATIONS[keyOf(english)];
  return typeof said === "string" ? said : english;
}

/** The one for a number of things. @param {string} one @param {string} many @param {number} n */
export function translatedPlural(one, many, n) {
  const said = TRANSLATIONS[keyOf(one)];
  const form = typeof said === "object" ? (said[PLURALS.select(n)] ?? said.other) : null;
  return form ?? (n === 1 ? one : many);
}

/** A value within a sentence. @param {Value} value */
export function written(value) {
  if (typeof value === "number") return grouped(value);
  return value.includes("\u2068") ? value : isolated(value); // a sentence that has a token, which is isolated
}

/** @param {string} template @param {Record<string, Value>} values */
const filled = (template, values) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : written(value);
  });

/** What stands between two parts. @param {string} english with both */
const between = (english) => translated(english).split(/\{\w+\}/)[1];
/** Between two sentences: a space, where the language has one. */
export const AFTER = between("{first} {next}");
const BESIDE = between("{first}, {next}");

/** Sentences, one after the other; nothing is left out. @param {unknown[]} list */
export const sentences = (list) => list.filter(Boolean).join(AFTER);

/** A list without an “and”. @param {unknown[]} items */
export const commas = (items) => items.filter((item) => item !== false && item !== "").join(BESIDE);
