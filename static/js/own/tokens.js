// The tokens of a reader's own file, which are only strings: their text, their places in it, and which of them are special.

/** @import { Token } from "../types.d.ts" */

const SPECIAL = /^(<(?!0x[0-9A-F]{2}>)[^<>\s]+>|\[[A-Z]{2,}\d*\])$/; // "</s>", "<|endoftext|>", "[CLS]"
const BYTE = /^<0x([0-9A-F]{2})>$/; // of SentencePiece
const PADDING = /pad/i;
const SPACES = /^[Ġ▁ ]/; // how byte-level and SentencePiece tokens begin that follow a space
const LONE = /\p{Surrogate}/gu; // half of a character is not text
const CONTINUES = "##"; // how WordPiece tokens begin that do not
const BYTE_LEVEL = /[ĠĊ]/; // a space, a line break
/** The bytes that the characters of byte-level tokens stand for: printable ones for themselves, then the others. */
const BYTES = bytesByCharacter();

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
  const ordinary = rows.flat().filter((token) => !SPECIAL.test(token));
  const byteLevel = ordinary.some((token) => BYTE_LEVEL.test(token));
  const spaced = byteLevel || ordinary.some((token) => SPACES.test(token));
  /** @type {string[][]} */
  const texts = [[], []];
  const tokens = rows.map((row) => {
    const written = ["", ""];
    const decoded = decode(row, byteLevel);
    const found = row.map((token, index) => {
      const segment = second !== null && index >= second ? 1 : 0;
      const special = SPECIAL.test(token);
      const text = special
        ? token
        : pieceOf(decoded[index].replace(LONE, "�"), spaced, written[segment] === "");
      const id = ids.get(token) ?? ids.size;
      ids.set(token, id);
      const start = lengthOf(written[segment]);
      if (!special) written[segment] += text;
      const end = lengthOf(written[segment]);
      return {
        id,
        text,
        start,
        end,
        special,
        padding: isPadding(token),
        segment,
        generated: false,
        piece: token === text ? null : token,
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
 * The tokens, with characters for bytes. One that ends within a character does not have it.
 * @param {string[]} row
 * @param {boolean} byteLevel
 */
function decode(row, byteLevel) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** @type {string[]} */
  const found = [];
  const end = () => {
    if (found.length > 0) found[found.length - 1] += decoder.decode();
  };
  for (const token of row) {
    const bytes = bytesOf(token, byteLevel);
    if (!bytes) end();
    found.push(bytes ? decoder.decode(bytes, { stream: true }) : token);
  }
  end();
  return found;
}

/** What a token stands for; null: for its characters. @param {string} token @param {boolean} byteLevel */
function bytesOf(token, byteLevel) {
  const byte = BYTE.exec(token);
  if (byte) return Uint8Array.of(Number.parseInt(byte[1], 16));
  if (!byteLevel || SPECIAL.test(token)) return null;
  const bytes = [...token].map((character) => BYTES.get(character));
  return bytes.includes(undefined) ? null : Uint8Array.from(/** @type {number[]} */ (bytes));
}

function bytesByCharacter() {
  /** @type {Map<string, number>} */
  const found = new Map();
  let others = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    found.set(String.fromCharCode(isPrintable ? byte : others++), byte);
  }
  return found;
}

/**
 * What a token is in the text.
 * @param {string} token
 * @param {boolean} spaced whether tokens say themselves where a space is
 * @param {boolean} first whether the text begins with it
 */
function pieceOf(token, spaced, first) {
  if (spaced) {
    const piece = token.replaceAll("▁", " ");
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
export const numbered = (n) => Array.from({ length: n }, (_, index) => String(index));
