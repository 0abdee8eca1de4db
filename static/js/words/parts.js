// Sentences with places in bold, as lists of parts that dom.js turns into elements.

import { translated, translatedPlural, written } from "../language/gettext.js";

/** @typedef {string | {bold: string, verbatim?: boolean}} Part `verbatim`: a reader or a model wrote it */
/** @typedef {Record<string, Part | Part[] | number>} Values */

/** A place in bold. @param {string} text @returns {Part} */
export const bold = (text) => ({ bold: text });

/** A token in bold. @param {string} text @returns {Part} */
export const boldToken = (text) => ({ bold: text, verbatim: true });

/**
 * A message as parts: `parts("weight {share}", { share: bold("0.12") })`. A value may also be a list of parts.
 * @param {string} english
 * @param {Values} [values]
 */
export const parts = (english, values = {}) => split(translated(english), values);

/**
 * The same about a number of things, which is its value `n`.
 * @param {string} one in English, and the key
 * @param {string} many
 * @param {number} n
 * @param {Values} [values]
 */
export const nparts = (one, many, n, values = {}) =>
  split(translatedPlural(one, many, n), { n, ...values });

/** @param {string} template @param {Values} values @returns {Part[]} */
const split = (template, values) =>
  template.split(/\{(\w+)\}/).flatMap((text, i) => {
    if (i % 2 === 0) return [text];
    const value = values[text];
    return typeof value === "object" ? value : [written(value)];
  });

/** Several parts with commas between them. @param {Part[][]} items @returns {Part[]} */
export const listed = (items) => items.flatMap((item, i) => (i > 0 ? [", ", ...item] : item));
