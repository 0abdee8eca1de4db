// Oniguruma's regular expressions, as tokenizer.json writes them, in JavaScript. Only what is known to mean the same in both
// is translated; anything else is refused, because a pattern that is slightly wrong gives wrong tokens without a word.

import { CheckpointError } from "../errors.js";
import { SINCE_17 } from "./unicode.js";

/** What stands for a set of characters, inside brackets and outside. @type {Record<string, string>} */
const SETS = {
  "\\p{L}": `[\\p{L}--[${SINCE_17}]]`,
  "\\p{M}": `[\\p{M}--[${SINCE_17}]]`,
  "\\s": "\\p{White_Space}", // Unicode's white space, which is not JavaScript's
};
/** What stands for a position or a set outside brackets alone. @type {Record<string, string>} */
const OUTSIDE = {
  "\\A": "^",
  "\\z": "$", // without the flag `m`, the end of the text alone
  ".": "[^\\n]", // JavaScript's own also leaves out three other ends of lines
};
const SYNTAX = new Set(["?", "*", "+", "(", ")", "|", "(?:", "(?=", "(?!", "(?<=", "(?<!"]);
// One piece of a pattern: a class, an escape, the start of a group, a quantifier, or one character.
const PIECES = /\\[pP]\{\w+\}|\\.|\(\?<?.|[?*+]{1,2}|./gsu;
const PLAIN = /^[^\\()[\]{}?*+^$|]$/u;
const ESCAPED = /^\\[^A-Za-z0-9]$/u;

/**
 * @param {string} pattern as Oniguruma reads it
 * @returns {RegExp} with the flags g and v
 * @throws {CheckpointError} a part of the pattern is not one of those above
 */
export function translated(pattern) {
  let found = "";
  let bracket = ""; // what of a set in brackets has been read
  for (const [piece] of pattern.matchAll(PIECES)) {
    const part = bracket ? inBrackets(piece, bracket) : outside(piece);
    if (part === null) {
      throw new CheckpointError(
        `The tokenizer has the pattern ${pattern}; its part ${piece} cannot be read in the page. Trace on the server.`,
      );
    }
    found += part;
    if (bracket || piece === "[") bracket = piece === "]" ? "" : bracket + piece;
  }
  return new RegExp(found, "gv");
}

/** @param {string} piece @returns {string | null} */
function outside(piece) {
  if (SYNTAX.has(piece) || piece === "[") return piece;
  return SETS[piece] ?? OUTSIDE[piece] ?? character(piece);
}

/** Characters, ranges and sets; no sets of sets. @param {string} piece @param {string} before @returns {string | null} */
function inBrackets(piece, before) {
  const isFirst = before === "[" || before === "[^";
  if (piece === "]") return isFirst ? null : piece;
  if (piece === "^") return before === "[" ? piece : null;
  if (piece === "-") return isFirst ? null : piece;
  if (piece === "&") return null;
  return SETS[piece] ?? (/^[?*+()|{}$]$/.test(piece) ? literal(piece) : character(piece));
}

/** A character that stands for itself, escaped or not. @param {string} piece */
function character(piece) {
  if (PLAIN.test(piece)) return literal(piece);
  return ESCAPED.test(piece) ? literal(piece.slice(1)) : null;
}

/** @param {string} character */
function literal(character) {
  return `\\u{${/** @type {number} */ (character.codePointAt(0)).toString(16)}}`;
}
