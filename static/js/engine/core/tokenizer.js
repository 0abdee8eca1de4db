// A sub-word tokenizer with readable tokens (model/core/tokenizer.py): an interpreter of the parts of tokenizer.json that ours uses.

import { CheckpointError, nsentence, TextError } from "../errors.js";
import { BytePairs } from "../subwords/bpe.js";
import { matches, normalizerOf, patternOf, typed } from "../subwords/normalizer.js";

/** @import { Token } from "../types.d.ts" */

export const PAD = "[PAD]";
export const BOS = "[BOS]";

const END = "⁀"; // marks the end of a word that ends in a to z
// The invisible space at the start of a text, and after an opening bracket, an opening quote and a joining hyphen.
const INVISIBLE = /^ |(?:(?<=[([])|(?<=[ ([]["'])|(?<=[a-z0-9]-)) /g;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Converts text to tokens and back, using a tokenizer.json of the `tokenizers` library. */
export class Tokenizer {
  #normalizer;
  /** What splits a text into pieces, each of which is encoded by itself. */
  #pieces;
  #model;
  /** By id. @type {string[]} */
  #entries = [];

  /**
   * @param {any} json a parsed tokenizer.json
   * @throws {CheckpointError} it has a part that the page cannot run, or lacks the special tokens
   */
  constructor(json) {
    this.#normalizer = normalizerOf(json.normalizer);
    this.#pieces = piecesOf(json.pre_tokenizer);
    this.#model = new BytePairs(json.model);
    for (const [entry, id] of this.#model.vocabulary) this.#entries[id] = entry;
    for (const { content, special } of json.added_tokens) {
      if (special && this.#model.vocabulary.has(content)) continue;
      throw new CheckpointError(
        `The tokenizer adds the token ${JSON.stringify(content)}; the page can run special tokens of the vocabulary only.`,
      );
    }
    const [pad_id, bos_id] = [PAD, BOS].map((entry) => this.#model.vocabulary.get(entry));
    if (pad_id === undefined || bos_id === undefined) {
      throw new CheckpointError(
        `Expected a tokenizer.json with the tokens ${PAD} and ${BOS}; one is missing.`,
      );
    }
    this.pad_id = pad_id;
    this.bos_id = bos_id;
    this.vocab_size = this.#model.vocabulary.size;
    const known = json.model.byte_fallback ? [] : [...this.#model.vocabulary.keys()];
    /** The only ones that it knows, where each is a token; none: it reads any text. */
    this.characters = new Set(known.filter((entry) => entry !== PAD && entry !== BOS));
  }

  /**
   * The tokens of a text, [BOS] first.
   * @param {string} text
   * @returns {Token[]}
   * @throws {TextError} the text holds half of a surrogate pair, which is not a character, or characters that the tokenizer
   *   does not know
   */
  encode(text) {
    checkSurrogates(text);
    if (this.characters.size) this.#checkCharacters(text);
    const tokens = [token(this.bos_id, BOS, 0, 0, true)];
    if (!text) return tokens;
    const characters = [...text];
    const { text: normalised, ends } = this.#normalizer(typed(text));
    const found = this.#pieces(normalised).flatMap(([start, end]) =>
      this.#model
        .encode(normalised.slice(start, end))
        .map((subword) => ({ id: subword.id, end: ends[start + subword.end - 1] })),
    );
    found[found.length - 1].end = characters.length;
    let start = 0; // each token starts where the last one ended, so that they cover the whole text
    for (const { id, end } of found) {
      tokens.push(token(id, characters.slice(start, end).join(""), start, end, false));
      start = end;
    }
    return tokens;
  }

  /** @param {string} text */
  #checkCharacters(text) {
    const unknown = [...text].find((one) => !this.characters.has(one));
    if (unknown === undefined) return;
    const known = [...this.characters].sort().join(" ").replace("  ", "␣ ");
    throw new TextError(
      nsentence(
        "This model knows {n} character: {known}. {unknown} is not one of them.",
        "This model knows {n} characters: {known}. {unknown} is not one of them.",
        { n: this.characters.size, known, unknown: `'${unknown}'` },
      ),
    );
  }

  /** The normalised text of ids, without special tokens. Invalid UTF-8 becomes U+FFFD. @param {number[]} ids */
  decode(ids) {
    const bytes = ids
      .filter((id) => id !== this.pad_id && id !== this.bos_id)
      .flatMap((id) => [...bytesOf(this.#entry(id))]);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
    return this.characters.size ? text : asRead(text);
  }

  /** The text as the model sees it, which is also what `decode` returns. @param {string} text */
  normalise(text) {
    checkSurrogates(text);
    if (!text || this.characters.size) return text;
    return asRead(this.#normalizer(typed(text)).text);
  }

  /**
   * A readable form of an entry: "cat"; "…ing" ends a word, "un…" starts one; ␣ a space.
   * @param {number} id
   */
  tokenText(id) {
    const entry = this.#entry(id);
    if (entry === " ") return "␣";
    if (this.characters.size) return entry;
    const letters = entry.slice(
      entry.startsWith(" ") ? 1 : 0,
      entry.endsWith(END) ? -END.length : undefined,
    );
    if (!/^\p{L}+$/u.test(letters)) return letters;
    return `${entry[0] === " " ? "" : "…"}${letters}${entry.endsWith(END) ? "" : "…"}`;
  }

  /** @param {number} id */
  #entry(id) {
    const entry = this.#entries[id];
    if (entry !== undefined) return entry;
    throw new RangeError(`There is no token ${id}: ids run from 0 to ${this.vocab_size - 1}.`);
  }
}

/**
 * Refuse text with half of a surrogate pair, which no tokenizer can read.
 * @param {string} text
 * @throws {TextError} with the code "lone_surrogate"
 */
export function checkSurrogates(text) {
  const found = LONE_SURROGATE.exec(text);
  if (!found) return;
  const at = [...text.slice(0, found.index)].length;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase();
  throw new TextError(
    `Expected Unicode text; character ${at} is U+${code}, half of a surrogate pair, which is not a character. ` +
      "Remove it, or send both halves.",
    { code: "lone_surrogate" },
  );
}

/**
 * One token of a typed text: text is what stands from `start` to `end` in it, in code points, or a special name.
 * @param {number} id
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {boolean} special
 * @param {Partial<Token>} [more]
 * @returns {Token}
 */
export function token(id, text, start, end, special, more = {}) {
  const typed = { padding: false, segment: 0, generated: false, piece: null };
  return { id, text, start, end, special, ...typed, ...more };
}

/**
 * The pre-tokenizer: a text's pieces, as places in UTF-16 units.
 * @param {any} spec
 * @returns {(text: string) => [start: number, end: number][]}
 */
function piecesOf(spec) {
  if (spec?.type !== "Split" || spec.behavior !== "Isolated" || spec.invert) {
    throw new CheckpointError(
      `The tokenizer has a pre-tokenizer of type ${spec?.type}, which the page cannot run. Trace on the server.`,
    );
  }
  const pattern = patternOf(spec.pattern);
  return (text) => {
    /** @type {[number, number][]} */
    const found = [];
    let last = 0;
    for (const [start, end] of matches(text, pattern)) {
      if (start > last) found.push([last, start]); // what the pattern does not match is a piece, too
      if (end > start) found.push([start, end]);
      last = end;
    }
    if (text.length > last) found.push([last, text.length]);
    return found;
  };
}

/** Normalised text without invisible spaces and end marks. @param {string} text */
function asRead(text) {
  return text.replaceAll(END, "").replace(INVISIBLE, "");
}

/** @param {string} entry */
function bytesOf(entry) {
  const byte = /^<0x(..)>/.exec(entry);
  return byte ? [Number.parseInt(byte[1], 16)] : new TextEncoder().encode(entry);
}
