// The tokens of a reader's own file, which are only strings: their text, their places in it, and which of them are special.

/** @typedef {import("../types.d.ts").Token} Token */

const SPECIAL = /^(<[^<>\s]+>|\[[A-Z]{2,}\d*\])$/; // "</s>", "<|endoftext|>", "[CLS]"
const PADDING = /pad/i;
const SPACES = /^[Ġ▁ ]/; // how byte-level and SentencePiece tokens begin that follow a space
const LONE = /\p{Surrogate}/gu; // half of a character, which is no text
const CONTINUES = "##"; // how WordPiece tokens begin that do not

/** @param {string} token */
export const isPadding = (token) => SPECIAL.test(token) && PADDING.test(token);

/** @param {string} token */
export const isSeparator = (token) => /^(\[SEP\]|<\/s>)$/.test(token);

/**
 * @param {string[][]} rows the tokens of each text, equally many
 * @param {number | null} second where the second sequence begins; null: there is one
 * @returns {{tokens: Token[][], texts: string[], pairs: string[] | null}}
 */
export function tokensOf(rows, second) {
  /** @type {Map<string, number>} */
  const ids = new Map();
  const spaced = rows.flat().some((token) => SPACES.test(token) && !SPECIAL.test(token));
  /** @type {string[][]} */
  const texts = [[], []];
  const tokens = rows.map((row) => {
    const written = ["", ""];
    const found = row.map((token, place) => {
      const segment = second !== null && place >= second ? 1 : 0;
      const special = SPECIAL.test(token);
      const text = special
        ? token
        : pieceOf(token.replace(LONE, "�"), spaced, written[segment] === "");
      const id = ids.get(token) ?? ids.size;
      ids.set(token, id);
      const start = lengthOf(written[segment]);
      if (!special) written[segment] += text;
      const end = lengthOf(written[segment]);
      return {
        ...{ id, text, start, end, special, padding: isPadding(token), segment },
        ...{ generated: false, piece: token === text ? null : token },
      };
    });
    for (const [segment, text] of written.entries()) texts[segment].push(text);
    return found;
  });
  return { tokens, texts: texts[0], pairs: second === null ? null : texts[1] };
}

/** In Unicode code points, as tokens count. @param {string} text */
const lengthOf = (text) => [...text].length;

/**
 * What a token is in the text.
 * @param {string} token
 * @param {boolean} spaced whether tokens say themselves where a space is
 * @param {boolean} first whether the text begins with it
 */
function pieceOf(token, spaced, first) {
  if (spaced) {
    const piece = token.replaceAll("Ġ", " ").replaceAll("▁", " ").replaceAll("Ċ", "\n");
    return first && piece.length > 1 ? piece.replace(/^ /, "") : piece;
  }
  if (token.startsWith(CONTINUES) && token.length > CONTINUES.length)
    return token.slice(CONTINUES.length);
  return first ? token : ` ${token}`;
}

/**
 * Tokens as a reader types or pastes them: a JSON list, one a line, or separated by spaces.
 * @param {string} typed
 * @returns {string[]}
 */
export function typedTokens(typed) {
  const text = typed.trim();
  if (text.startsWith("[")) {
    try {
      const list = JSON.parse(text);
      if (Array.isArray(list)) return list.flat().map(String);
    } catch {
      // "[CLS] the cat" is no JSON
    }
  }
  if (text === "") return [];
  return text.includes("\n") ? text.split("\n") : text.split(/\s+/);
}

/** Tokens as a reader can edit them. @param {string[]} tokens */
export const typeable = (tokens) =>
  tokens.some((token) => token === "" || /\s/.test(token))
    ? JSON.stringify(tokens)
    : tokens.join(" ");

/** Names for tokens that nobody knows: their places. @param {number} n */
export const numbered = (n) => Array.from({ length: n }, (_, place) => String(place));
