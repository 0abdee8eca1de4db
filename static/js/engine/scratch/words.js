// Tokens for mechanisms without a vocabulary: words or characters, numbered as they appear (model/scratch/words.py), and their
// vectors (model/scratch/network.py).

import { checkSurrogates, token } from "../core/tokenizer.js";
import { SINCE_15 } from "../subwords/unicode.js";
import { Generator } from "../tensor/random.js";
import { pieces, SPACE } from "./pieces.js";
import { sha256 } from "./sha256.js";

/** @import { Token } from "../types.d.ts" */

export const PAD_ID = 0;

const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, "gv");
const NEW = new RegExp(`[${SINCE_15}]`, "v");
const CHEROKEE = /[\u13a0-\u13fd\uab70-\uabbf]/;

/**
 * The tokens of each text, and the word for each id: `words[id]`, starting with padding. Ids are assigned in order of first
 * appearance, ignoring case. The texts of the tokens, joined, give the typed text.
 * @param {readonly string[]} texts
 * @param {"words" | "characters"} unit
 * @returns {{rows: Token[][], words: string[]}}
 * @throws {TextError} a text holds half of a surrogate pair, which is not a character
 */
export function tokenize(texts, unit) {
  const ids = new Map([["", PAD_ID]]);
  const rows = texts.map((text) => {
    checkSurrogates(text);
    let start = 0;
    return pieces(text, unit).map((piece) => {
      const word = folded(unit === "characters" ? piece : piece.replace(OUTER_SPACE, ""));
      const id = ids.get(word) ?? ids.size;
      ids.set(word, id);
      const from = start;
      start += [...piece].length;
      return token(id, piece, from, start, false);
    });
  });
  return { rows, words: [...ids.keys()] };
}

/**
 * N(0, 1), from a seed made from the word, so that other words do not change it.
 * @param {string} word
 * @param {number} seed
 * @param {number} d_model
 * @returns {Float32Array}
 */
export function wordVector(word, seed, d_model) {
  const digest = sha256(new TextEncoder().encode(`${seed} ${word}`));
  return new Generator(BigInt.asUintN(63, new DataView(digest.buffer).getBigUint64(0))).randn(
    d_model,
  );
}

/**
 * Python's `casefold`: Unicode's full case folding, which is lower case but for a few letters, such as ß → ss. Going through
 * upper case finds these; the dotless ı folds to itself, and Cherokee folds to its capitals.
 * @param {string} word
 */
function folded(word) {
  return Array.from(word, (letter) => {
    if (letter === "ı" || NEW.test(letter)) return letter;
    if (CHEROKEE.test(letter)) return letter.toUpperCase();
    return letter.toLowerCase().toUpperCase().toLowerCase();
  }).join("");
}
