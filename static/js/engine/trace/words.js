// Words in place of pieces. As model/trace/words.py, which says what a word is and how weights are merged.

import { isSpaceless } from "../subwords/spaceless.js";
import { MARKS_SINCE_15, SINCE_15 } from "../subwords/unicode.js";

/** @import { Token } from "../types.d.ts" */
/** A word of a text: its tokens [start, stop), and how they read together. @typedef {{text: string, start: number, stop: number}} Word */

const IN_WORD = /^[\p{L}\p{M}\p{N}_]/u;
const COMBINES = /^\p{M}/u;
const SPACE = /^[\p{Z}\p{Cc}]/u;
const UNKNOWN = new RegExp(`^[${SINCE_15}${MARKS_SINCE_15}]`, "u"); // to the server

/** The words of one padded row, in order; together they have every token. @param {readonly Token[]} tokens @returns {Word[]} */
export function wordsOfRow(tokens) {
  /** @type {Word[]} */
  const words = [];
  let last = ""; // the character that a word may go on after
  for (const [index, token] of tokens.entries()) {
    if (token.special || token.padding) {
      words.push({ text: token.text, start: index, stop: index + 1 });
      last = "";
      continue;
    }
    const before = last ? tokens[index - 1] : token;
    const shared = last ? before.end - token.start : 0; // below 0: something stands between them
    const typed = [...token.text].slice(Math.max(0, shared), token.end - token.start);
    const isSame = before.segment === token.segment && before.generated === token.generated;
    if (last && shared >= 0 && isSame && goesOn(last, typed[0])) {
      const word = words[words.length - 1];
      word.text += typed.join("");
      word.stop = index + 1;
    } else {
      words.push({ text: typed.join("") || token.text, start: index, stop: index + 1 });
    }
    last = typed[typed.length - 1] ?? last;
  }
  return words;
}

/** Whether a word goes on with what was typed next; undefined: more of the same character. @param {string} last @param {string} [first] */
function goesOn(last, first) {
  if (first === undefined) return true;
  if (COMBINES.test(first) && !UNKNOWN.test(first)) return !SPACE.test(last);
  return [last, first].every((one) => IN_WORD.test(one) && !UNKNOWN.test(one) && !isSpaceless(one));
}
