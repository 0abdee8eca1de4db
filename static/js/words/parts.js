// Sentences with places in bold, as lists of parts that dom.js turns into elements.

import { translated, translatedPlural, written } from "../language/gettext.js";

/** @typedef {string | {bold: string, verbatim?: boolean}} Part `verbatim`: a reader or a model wrote it */

/** A place in bold. @param {string} text @returns {Part} */
export const bold = (text) => ({ bold: text });

/** A token in bold. @param {string} text @returns {Part} */
export const boldToken = (text) => ({ bold: text, verbatim: true });

/**
 * A message as parts: `parts("weight {share}", { share: bold("0.12") })`. A value may also be a list of parts, or an element.
 * @template [Value=Part]
 * @param {string} english
 * @param {Record<string, Value | Value[] | string | number>} [values]
 */
export const parts = (english, values = {}) => split(translated(english), values);

/**
 * The same about a number of things, which is its value `n`.
 * @template [Value=Part]
 * @param {string} one in English, and the key
 * @param {string} many
 * @param {number} n
 * @param {Record<string, Value | Value[] | string | number>} [values]
 */
export const nparts = (one, many, n, values = {}) =>
  split(translatedPlural(one, many, n), { n, ...values });

/**
 * @template Value
 * @param {string} template
 * @param {Record<string, Value | Value[] | string | number>} values
 */
function split(template, values) {
  /** @type {(Value | string)[]} */
  const found = [];
  template.split(/\{(\w+)\}/).forEach((text, i) => {
    const value = values[text];
    if (i % 2 === 0) found.push(text);
    else if (typeof value === "string" || typeof value === "number") found.push(written(value));
    else if (Array.isArray(value)) found.push(...value);
    else found.push(value);
  });
  return found;
}

/** Several parts with commas between them. @param {Part[][]} items @returns {Part[]} */
export const listed = (items) => items.flatMap((item, i) => (i > 0 ? [", ", ...item] : item));
