// A text cut into words or characters, for mechanisms without a vocabulary (model/scratch/words.py).

import { graphemes, SINCE_15 } from "../subwords/unicode.js";

// The classes of characters that Python has for text: \w and \s
const IN_WORD = /^[\p{L}\p{N}_]/u;
const NEW = new RegExp(`^[${SINCE_15}]`, "u"); // not yet a letter on the server
export const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const SPACES = new RegExp(`^${SPACE}+$`, "u");
// Scripts that put no space between words
const UNSPACED =
  /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
// Over the kinds of characters, of which `kind` tells the letters: a word, including inner apostrophes and hyphens (don't,
// well-known), or one other mark. The caller adds the space before it.
const WORD = /w+(?:jw+)*|[^s]/g;
const TYPED_SPACE = /us+u/;

/**
 * The tokens of a text, with the space before each. In scripts that put no space between words, each character is a token, unless
 * the text has spaces there.
 * @param {string} text
 * @param {"words" | "characters"} unit
 */
export function pieces(text, unit) {
  const found = [...graphemes(text)];
  if (unit === "characters") return found;
  let kinds = found.map(kind).join("");
  if (TYPED_SPACE.test(kinds)) kinds = kinds.replaceAll("u", "w");
  const ends = [...kinds.matchAll(WORD)].map(({ index, 0: word }) => index + word.length);
  if (ends.length) ends[ends.length - 1] = found.length; // trailing space belongs to the last token
  return ends.map((end, i) => found.slice(i ? ends[i - 1] : 0, end).join(""));
}

/** `s`pace, `u`nspaced letter, other letter or digit of a `w`ord, `j`oiner of words, `m`ark. @param {string} character */
function kind(character) {
  if (SPACES.test(character)) return "s";
  if (IN_WORD.test(character) && !NEW.test(character)) return UNSPACED.test(character) ? "u" : "w";
  return ["'", "’", "-"].includes(character) ? "j" : "m";
}
