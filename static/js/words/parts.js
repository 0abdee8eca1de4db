// Sentences with places in bold, as lists of parts that dom.js turns into elements.

/** @typedef {string | {bold: string, verbatim?: boolean}} Part `verbatim`: a reader or a model wrote it */

/** A place in bold. @param {string} text @returns {Part} */
export const bold = (text) => ({ bold: text });

/** A token in bold. @param {string} text @returns {Part} */
export const boldToken = (text) => ({ bold: text, verbatim: true });

/**
 * A template as parts: parts`weight ${bold("0.12")}`. A place may also be a list of parts.
 * @param {TemplateStringsArray} texts
 * @param {(Part | Part[] | number)[]} places
 * @returns {Part[]}
 */
export const parts = (texts, ...places) =>
  texts.flatMap((text, i) => {
    const place = places[i] ?? [];
    return [text, ...(typeof place === "number" ? [String(place)] : [place].flat())];
  });

/** Several parts with commas between them. @param {Part[][]} items @returns {Part[]} */
export const listed = (items) => items.flatMap((item, i) => (i > 0 ? [", ", ...item] : item));
