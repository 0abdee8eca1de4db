// The tokens of one text as metrics see them: which are real, special or punctuation. As model/analysis/words.py.

import { SIGNS_SINCE_15, SINCE_15 } from "../subwords/unicode.js";

/** @import { Token } from "../types.d.ts" */

/**
 * The tokens along one axis of a pattern. Padding is neither special nor punctuation.
 * @typedef {object} Words
 * @property {number[]} ids
 * @property {boolean[]} real
 * @property {boolean[]} special
 * @property {boolean[]} punctuation
 * @property {number} first the first real position, or 0 if there is none
 */

const SPACE = "␣"; // how a vocabulary entry that is one space is written
const UNKNOWN = new RegExp(`[${SINCE_15}${SIGNS_SINCE_15}]`, "gu"); // to the server
const MARK = /[\p{P}\p{S}]/u;
const WORD = /[\p{L}\p{N}]/u;

/** The tokens of one padded row. @param {readonly Token[]} tokens @returns {Words} */
export function wordsOf(tokens) {
  const real = tokens.map((token) => !token.padding);
  return {
    ids: tokens.map((token) => token.id),
    real,
    special: tokens.map((token, index) => real[index] && token.special),
    punctuation: tokens.map(
      (token, index) => real[index] && !token.special && isPunctuation(token.text),
    ),
    first: Math.max(0, real.indexOf(true)),
  };
}

/** The real tokens, with or without the special ones. @param {Words} words @param {boolean} specials */
export const counted = ({ real, special }, specials) =>
  specials ? real : real.map((is, index) => is && !special[index]);

/** Whether a token has a mark or symbol (Unicode P or S), and neither a letter nor a digit. @param {string} text */
export function isPunctuation(text) {
  const typed = text.replaceAll(SPACE, "").replace(UNKNOWN, "");
  return MARK.test(typed) && !WORD.test(typed);
}
