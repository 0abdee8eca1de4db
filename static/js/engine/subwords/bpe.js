// Byte-pair encoding of one piece of text. Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units".

import { CheckpointError } from "../errors.js";

/** A piece's token: its id, and where it ends in the piece, in UTF-16 units. @typedef {{id: number, end: number}} Subword */

/** What the page can run of the settings of `model` in a tokenizer.json: these values alone. */
const SETTINGS = {
  type: "BPE",
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  ignore_merges: true,
};

const encoder = new TextEncoder();

export class BytePairs {
  /** The id of each entry. @type {Map<string, number>} */
  vocabulary;
  /** By pair (`#pair`): the merge's rank, and the id of what comes out. @type {Map<number, {rank: number, id: number}>} */
  #merges = new Map();
  /** The id that the merge of a rank gives. @type {number[]} */
  #ids = [];
  /** The id of each byte; null: it knows no characters but those of its vocabulary. @type {number[] | null} */
  #bytes = null;

  /**
   * @param {any} model of a tokenizer.json
   * @throws {CheckpointError} a setting that the page cannot run, or a merge of entries that do not exist
   */
  constructor(model) {
    for (const [name, value] of Object.entries(SETTINGS)) {
      if (model[name] === value) continue;
      throw new CheckpointError(
        `The tokenizer's model has ${name} = ${JSON.stringify(model[name])}; the page can run ${JSON.stringify(value)} only. ` +
          "Trace on the server.",
      );
    }
    this.vocabulary = new Map(Object.entries(model.vocab));
    if (model.byte_fallback)
      this.#bytes = Array.from({ length: 256 }, (_, byte) => this.#id(byteEntry(byte)));
    model.merges.forEach(
      (/** @type {[string, string]} */ [left, right], /** @type {number} */ rank) => {
        const id = this.#id(left + right);
        this.#ids[rank] = id;
        this.#merges.set(this.#pair(this.#id(left), this.#id(right)), { rank, id });
      },
    );
  }

  /**
   * The tokens of a piece: one if it is an entry; else its characters, or the bytes of unknown ones, merged in the order of
   * their ranks. The first byte of a character ends where the character ends; the others are empty.
   * @param {string} piece
   * @returns {Subword[]}
   */
  encode(piece) {
    const known = this.vocabulary.get(piece);
    if (known !== undefined) return [{ id: known, end: piece.length }];
    /** @type {Subword[]} */
    const symbols = [];
    let end = 0;
    for (const character of piece) {
      end += character.length;
      for (const id of this.#idsOf(character)) symbols.push({ id, end });
    }
    return this.#merged(symbols);
  }

  /** @param {string} character */
  #idsOf(character) {
    const id = this.vocabulary.get(character);
    if (id !== undefined) return [id];
    if (this.#bytes === null) throw new RangeError(`${character} is not in the vocabulary.`);
    const bytes = this.#bytes;
    return [...encoder.encode(character)].map((byte) => bytes[byte]);
  }

  /**
   * Merge neighbours, the lowest rank first and from the left. Each symbol knows its neighbours, and a heap holds the merges
   * that are possible, so that a long piece takes little more than linear time.
   * @param {Subword[]} symbols
   */
  #merged(symbols) {
    const n = symbols.length;
    const next = Int32Array.from({ length: n }, (_, i) => i + 1);
    const before = Int32Array.from({ length: n }, (_, i) => i - 1);
    const isGone = new Uint8Array(n);
    const heap = new Heap();
    const mergeAt = (/** @type {number} */ i) =>
      i >= 0 && next[i] < n
        ? this.#merges.get(this.#pair(symbols[i].id, symbols[next[i]].id))
        : undefined;
    const offer = (/** @type {number} */ i) => {
      const merge = mergeAt(i);
      if (merge) heap.push(merge.rank * 2 ** 32 + i);
    };
    for (let i = 0; i < n; i++) offer(i);
    for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
      const i = key % 2 ** 32;
      const id = this.#ids[(key - i) / 2 ** 32];
      if (isGone[i] || mergeAt(i)?.id !== id) continue; // a neighbour has changed since
      const right = next[i];
      symbols[i] = { id, end: symbols[right].end };
      isGone[right] = 1;
      next[i] = next[right];
      if (next[i] < n) before[next[i]] = i;
      offer(before[i]);
      offer(i);
    }
    return symbols.filter((_, i) => !isGone[i]);
  }

  /** @param {string} entry */
  #id(entry) {
    const id = this.vocabulary.get(entry);
    if (id === undefined) {
      throw new CheckpointError(`The tokenizer's vocabulary lacks ${JSON.stringify(entry)}.`);
    }
    return id;
  }

  /** One number for a pair of ids. @param {number} left @param {number} right */
  #pair(left, right) {
    return left * 2 ** 24 + right;
  }
}

/** The entry of a byte, as the library writes it: "<0x0A>". @param {number} byte */
function byteEntry(byte) {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;
}

/** A binary heap of numbers, the smallest on top. */
class Heap {
  /** @type {number[]} */
  #keys = [];

  /** @param {number} key */
  push(key) {
    const keys = this.#keys;
    let at = keys.length;
    keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      at = parent;
    }
    keys[at] = key;
  }

  /** @returns {number | undefined} */
  pop() {
    const keys = this.#keys;
    const top = keys[0];
    const last = keys.pop();
    if (last === undefined || !keys.length) return top;
    let at = 0;
    while (true) {
      let child = 2 * at + 1;
      if (child >= keys.length) break;
      if (child + 1 < keys.length && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= last) break;
      keys[at] = keys[child];
      at = child;
    }
    keys[at] = last;
    return top;
  }
}
