// A sentence of an explanation. Pure.

/** `more`: it can be left out where there is little room. @typedef {{text: string, more: boolean}} Sentence */

/** @param {string} text @returns {Sentence} */
export const lead = (text) => ({ text, more: false });

/** @param {string} text @returns {Sentence} */
export const more = (text) => ({ text, more: true });
