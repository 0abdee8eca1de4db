// Words that the model does not have: those that it splits into letters or bytes, or reads as its token for unknown words. Pure.

import { isSpaceless } from "../../engine/subwords/spaceless.js";

/** @import { Token } from "../../types.d.ts" */
/** A word of the text, and its tokens. `unknown`: one of them is the token for unknown words. @typedef {{word: string, places: number[], unknown: boolean}} Spelled */

const WORD = /[\p{L}\p{M}]+/gu;
const MIN_PIECES = 3; // two pieces are often a stem and its ending
const MAX_LETTERS = 2; // in a piece, on average

/**
 * @param {string} text
 * @param {Token[]} tokens of this text, in its order; `start` and `end` count code points
 * @param {{unknownId?: number | null, segment?: number}} [which] the token for unknown words; the segment of the text
 * @returns {Spelled[]} in the order of the text
 */
export function spelledIn(text, tokens, { unknownId = null, segment = 0 } = {}) {
  const own = tokens.flatMap((token, index) =>
    token.segment === segment && !token.padding && !token.generated
      ? [{ token, place: index }]
      : [],
  );
  let [units, points, first] = [0, 0, 0]; // of the text read so far, in UTF-16 and in code points; of its tokens
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const start = points + [...text.slice(units, index)].length;
    const letters = [...word].length;
    const end = start + letters;
    [units, points] = [index + word.length, end];
    while (first < own.length && own[first].token.end <= start) first += 1;
    const places = [];
    for (let at = first; at < own.length && own[at].token.start <= end; at += 1) {
      if (isIn(own[at].token, start, end)) places.push(own[at].place);
    }
    const unknown = unknownId !== null && places.some((place) => tokens[place].id === unknownId);
    const isRun = [...word].some(isSpaceless); // of words without blanks: only bytes are pieces
    const few = isRun ? letters < places.length : letters <= MAX_LETTERS * places.length;
    const spelled = places.length >= MIN_PIECES && few;
    return unknown || spelled ? [{ word, places, unknown }] : [];
  });
}

/**
 * Whether a token is part of a word. One without characters completes the bytes of the character before it.
 * @param {Token} token
 * @param {number} start
 * @param {number} end
 */
function isIn({ special, start: from, end: to }, start, end) {
  if (from === to) return !special && from > start && from <= end;
  return from < end && to > start;
}
