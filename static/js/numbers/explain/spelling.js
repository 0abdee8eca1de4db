// Words that the model does not have: those that it splits into letters or bytes, or replaces by its token for unknown words. Pure.

/** @typedef {import("../../types.d.ts").Token} Token */
/** A word of the text, and the number of its tokens; or the token that stands in its place. @typedef {{word: string, pieces: number, unknown: string | null, places: number[]}} Spelled */

const WORD = /[\p{L}\p{M}]+/gu;
const MIN_PIECES = 3; // two pieces are often a stem and its ending
const MAX_LETTERS = 2; // in a piece, on average

/**
 * @param {string} text
 * @param {Token[]} tokens of this text; `start` and `end` count code points
 * @param {number} [segment] of the tokens
 * @returns {Spelled[]} in the order of the text
 */
export function spelledIn(text, tokens, segment = 0) {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const start = [...text.slice(0, index)].length;
    const letters = [...word].length;
    const places = tokens.flatMap((token, place) =>
      token.segment === segment && isIn(token, start, start + letters) ? [place] : [],
    );
    const whole = places.length === 1 ? tokens[places[0]] : null;
    const unknown = whole?.special && !whole.text.includes(word) ? whole.text : null;
    const pieces = places.length;
    const spelled = pieces >= MIN_PIECES && letters <= MAX_LETTERS * pieces;
    return unknown || spelled ? [{ word, pieces, unknown, places }] : [];
  });
}

/**
 * Whether a token is part of a word. One without characters completes the bytes of the character before it.
 * @param {Token} token
 * @param {number} start
 * @param {number} end
 */
function isIn({ padding, special, generated, start: from, end: to }, start, end) {
  if (padding || generated) return false;
  if (from === to) return !special && from > start && from <= end;
  return from < end && to > start;
}
