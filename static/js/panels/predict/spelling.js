// A predicted token as text: where it goes, how it can be spelled there, and whether it was read as the same token again.

import { NOTHING_TO_REPLACE } from "./words.js";

/** @import { Token, TraceJson } from "../../types.d.ts" */

/**
 * Where a predicted token goes.
 * @typedef {object} Spot
 * @property {"texts" | "targets" | "pairs"} key which text box
 * @property {number} text
 * @property {number | null} start the token replaces the characters [start, end), in code points; null: the end of the text
 * @property {number | null} end null: the end of the text
 * @property {Token[]} row the tokens of that text
 * @property {number} position the position of the prediction
 * @property {boolean} fills
 */

/**
 * A next token goes after its position and replaces the rest of the text; a fill replaces the token at its position.
 * @param {Pick<TraceJson, "tokens" | "target_tokens" | "predicted_at">} trace
 * @param {number} text
 * @param {boolean} fills
 * @returns {Spot | string} a string says why it cannot be inserted
 */
export function spotOf({ tokens, target_tokens, predicted_at }, text, fills) {
  const row = (target_tokens ?? tokens)[text];
  const position = predicted_at?.[text] ?? row.length - 1;
  const token = row[position];
  const key = target_tokens ? "targets" : token.segment === 1 ? "pairs" : "texts";
  const spot = /** @type {const} */ ({ key, text, row, position, fills });
  if (fills) {
    if (token.start === token.end) return NOTHING_TO_REPLACE;
    return { ...spot, start: token.start, end: token.end };
  }
  const after = row.slice(position + 1).filter((one) => one.segment === token.segment);
  const last = token.padding || !after.some(ordinary);
  return { ...spot, start: last ? null : token.end, end: null };
}

/** @param {Token} token */
const ordinary = ({ special, padding }) => !special && !padding;

/**
 * The text before and after the spot.
 * @param {string} typed
 * @param {Pick<Spot, "start" | "end">} spot
 */
export function around(typed, { start, end }) {
  if (start === null) return [typed, ""];
  const points = [...typed]; // JavaScript counts UTF-16 units
  return [points.slice(0, start).join(""), end === null ? "" : points.slice(end).join("")];
}

/**
 * Possible spellings of a token, the most likely first. Vocabularies write the beginning of a word as " cat", "▁cat" or "cat",
 * its continuation as "##s", "…s" or "s", and a beginning that must continue as "un…".
 * @param {string} text the token as written in the predictions
 * @param {string} before the text before it
 * @param {boolean} spaced whether the tokens of this vocabulary include the space before a word
 * @returns {string[]} empty if it cannot be typed
 */
export function spellings(text, before, spaced) {
  if (/^<0x[0-9A-F]{2}>$|\uFFFD/u.test(text)) return []; // a part of a character
  const unmarked = text.replace(/^(##|@@|…)(?=.)/u, "");
  const core = unmarked.replace(/(?<=.)(…|@@)$/u, "").replace(/[▁␣]/gu, " ");
  const apart = core.startsWith(" ") ? core : ` ${core}`;
  const close = core === " " ? core : core.replace(/^ /, "");
  const joined = before === "" || /\s$/u.test(before) || unmarked !== text;
  const plainly = spaced || !/^[\p{L}\p{N}]/u.test(close);
  const first = core.startsWith(" ") && before !== "" ? apart : joined || plainly ? close : apart;
  return [...new Set([first, close, apart, text])].filter((one) => one !== "");
}

/**
 * A text with tokens after it, each in its likeliest spelling; null if one cannot be typed.
 * @param {readonly {text: string}[]} tokens
 * @param {string} before
 * @param {boolean} spaced as for `spellings`
 */
export function spelled(tokens, before, spaced) {
  let text = before;
  for (const token of tokens) {
    const [first] = spellings(token.text, text, spaced);
    if (first === undefined) return null;
    text += first;
  }
  return text;
}

/**
 * Whether the tokens of the new text are the old ones plus the new one at the right position, and nothing else.
 * @param {Spot} spot
 * @param {number} id
 * @param {Token[]} read the tokens of the new text
 */
export function exact({ row, position, fills, start }, id, read) {
  /** @param {Token[]} tokens @param {(token: Token) => boolean} counts */
  const ids = (tokens, counts) => tokens.filter(counts).map((token) => token.id);
  if (fills) {
    const filled = row.map((token, index) => (index === position ? { ...token, id } : token));
    return same(ids(filled, real), ids(read, real));
  }
  const { segment } = row[position];
  /** @param {Token} token */
  const counts = (token) => ordinary(token) && token.segment === segment;
  const before = start === null ? row : row.slice(0, position + 1);
  return same([...ids(before, counts), id], ids(read, counts));
}

/** @param {Token} token */
const real = ({ padding }) => !padding;

/** @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((id, index) => id === b[index]);
