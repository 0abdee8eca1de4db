// Two rows of tokens aligned on one axis: matching tokens share a position, the others have one to themselves. Pure.

/** @import { Token } from "../../types.d.ts" */
/** @typedef {{a: number | null, b: number | null}} Pair positions of one token in both rows; null: that row does not have it */

export const MAX_TOKENS = 1024; // tokens per row: the alignment table grows with the square

/**
 * Align on the longest common subsequence. Tokens of the same text match if they cover the same characters, however the
 * tokenizers write them; tokens of different texts match if their texts are equal, ignoring case.
 * @param {Token[]} a
 * @param {Token[]} b
 * @param {boolean} sameText
 * @returns {Pair[] | null} null: there are too many tokens to align
 */
export function align(a, b, sameText) {
  if (Math.max(a.length, b.length) > MAX_TOKENS) return null;
  const names = sameText ? spans : words;
  const [left, right] = [a.map(names), b.map(names)];
  let first = 0;
  while (first < left.length && first < right.length && left[first] === right[first]) first += 1;
  let [lastA, lastB] = [left.length, right.length];
  while (lastA > first && lastB > first && left[lastA - 1] === right[lastB - 1]) {
    lastA -= 1;
    lastB -= 1;
  }
  const middle = between(left.slice(first, lastA), right.slice(first, lastB));
  return [
    ...Array.from({ length: first }, (_, index) => ({ a: index, b: index })),
    ...middle.map((pair) => ({ a: moved(pair.a, first), b: moved(pair.b, first) })),
    ...Array.from({ length: left.length - lastA }, (_, i) => ({ a: lastA + i, b: lastB + i })),
  ];
}

/** @param {number | null} place @param {number} by */
const moved = (place, by) => (place === null ? null : place + by);

/** The longest common subsequence; on a tie, tokens of A come first. @param {string[]} a @param {string[]} b */
function between(a, b) {
  const wide = b.length + 1;
  // longest[i, j]: how many tokens match from i and j on
  const longest = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * wide + j] =
        a[i] === b[j]
          ? longest[(i + 1) * wide + j + 1] + 1
          : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
    }
  }
  /** @type {Pair[]} */
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pairs.push({ a: i, b: j });
      [i, j] = [i + 1, j + 1];
    } else if (
      i < a.length &&
      (j === b.length || longest[(i + 1) * wide + j] >= longest[i * wide + j + 1])
    ) {
      pairs.push({ a: i, b: null });
      i += 1;
    } else {
      pairs.push({ a: null, b: j });
      j += 1;
    }
  }
  return pairs;
}

/** The characters that a token covers; one that covers none (special, padding or generated) is matched by its text. @param {Token} token */
function spans(token) {
  if (token.special || token.padding || token.generated || token.end <= token.start)
    return words(token);
  const before = token.text.length - token.text.trimStart().length; // a leading space belongs to the token
  const start = Math.min(token.start + before, token.end - 1);
  return `${token.segment} ${start} ${token.end}`;
}

/** The text of a token, without the marks that tokenizers add. @param {Token} token */
function words(token) {
  const kind = token.padding ? "padding" : token.special ? "special" : "word";
  // "##ing" continues a word, "Ġcat" and "▁cat" begin one; a token that is nothing but such a mark keeps it
  const text = token.text.trim().replace(/^(##|[Ġ▁])(?=.)/u, "");
  return `${kind} ${(text || token.text).toLowerCase()}`;
}
