// The mask of one attention site: which query may attend to which key, and what blocks the rest, as in model/masks/mask.py.
//
// A mask is kept as rules (mask-rules.js), not as a matrix: `blockedBy` evaluates them for a few query rows at a time, so that
// long texts do not take quadratic memory. In `allows` 1 means *may attend*; `blockedBy` is a bit field of the reasons.

import { InputError } from "../errors.js";
import { narrow, sizeOf } from "../tensor/tensor.js";
import { acrossTexts, BLOCKED_BY, maskSettings, painted, rulesOf } from "./rules.js";

/** @import { Bits, BlockedSlice, Cell, Kind, MaskSettings } from "../types.d.ts" */

export const STRIPE = 256; // query rows at a time, when a whole matrix is read but not kept
const SMALL_CELLS = 16_384; // in all heads and texts; a mask up to this size is kept as a matrix once it is made

/**
 * @typedef {object} MaskFields
 * @property {number} n_query
 * @property {number} n_key
 * @property {MaskSettings} [settings] resolved for this site: nothing is left to the model, and there are only the painted cells
 *     of this site, whose layer and kind are not read again
 * @property {number} [diagonal] how far past itself a query may look under the causal mask; 1 and −1 shift the mask by one
 * @property {Bits | null} [real_keys] (batch, key): 0 on padding; null if there is none
 * @property {Bits | null} [own] (1 or batch, 1 or head, query, key): another mask of the model's own
 * @property {number} [batch]
 * @property {number} [n_heads]
 */

/** The mask of one attention site, as rules. */
export class Mask {
  /** @type {Bits | null} */
  #whole = null;
  /** @type {Bits | null} */
  #allowed = null;
  /** @type {BlockedSlice[] | null} */
  #blockedRows = null;
  /** @type {BlockedSlice[] | null} */
  #blockedColumns = null;

  /** @param {MaskFields} fields */
  constructor({ n_query, n_key, settings, diagonal, real_keys, own, batch, n_heads }) {
    this.n_query = n_query;
    this.n_key = n_key;
    this.settings = settings ?? maskSettings();
    this.diagonal = diagonal ?? 0;
    this.real_keys = real_keys ?? null;
    this.own = own ?? null;
    this.batch = batch ?? 1;
    this.n_heads = n_heads ?? 1;
    const fields = Object.entries(painted(this.settings));
    const sizes = { text: this.batch, head: this.n_heads, query: n_query, key: n_key };
    for (const [field, cells] of fields) for (const cell of cells) check(cell, field, sizes);
    const paintsHeads = fields.some(([, cells]) => cells.some(({ head }) => head !== null));
    /** The size of the head axis: 1 unless some rule differs between heads. */
    this.n_matrices = paintsHeads ? this.n_heads : (this.own?.shape[1] ?? 1);
    this.rules = rulesOf(this.settings).filter(
      ({ rule }) => this.real_keys !== null || !rule.of_padding,
    );
  }

  /** Whether nothing can be blocked, so that attention needs no mask at all. */
  get isOpen() {
    const cellByCell = this.own !== null || this.settings.blocked.length > 0;
    return !cellByCell && this.rules.every(({ rule }) => rule.frees);
  }

  /**
   * The reasons for some query rows, as combined BLOCKED_BY bits; 0 means allowed. The head axis has size 1 unless some rule differs
   * between heads.
   * @returns {Bits} (batch, 1 or head, row, key)
   */
  blockedBy(start = 0, stop = this.n_query) {
    if (this.batch * this.n_matrices * this.n_query * this.n_key > SMALL_CELLS)
      return this.reasons(start, stop);
    this.#whole ??= this.reasons(0, this.n_query);
    return narrow(this.#whole, 2, start, stop);
  }

  /**
   * 1 where a query may attend to a key, for some query rows.
   * @returns {Bits} (batch, 1 or head, row, key)
   */
  allows(start = 0, stop = this.n_query) {
    if (start !== 0 || stop !== this.n_query) return opened(this.blockedBy(start, stop));
    this.#allowed ??= opened(this.blockedBy());
    return this.#allowed;
  }

  /**
   * Evaluate the rules for some query rows. This is the only place that knows them.
   * @param {number} start
   * @param {number} stop
   * @returns {Bits}
   */
  reasons(start, stop) {
    const { batch, n_matrices, n_key, own } = this;
    const shape = [batch, n_matrices, stop - start, n_key];
    const data = new Uint8Array(sizeOf(shape));
    for (let text = 0, to = 0; text < batch; text++) {
      const same = this.#byRules(text, start, stop); // in every head
      for (let head = 0; head < n_matrices; head++, to += same.length) {
        data.set(same, to);
        if (own !== null) addOwn(data.subarray(to, to + same.length), own, text, head, start);
      }
    }
    for (const cell of this.settings.blocked)
      paint(data, shape, start, cell, (bits) => bits | BLOCKED_BY.PAINTED);
    for (const cell of this.settings.allowed) paint(data, shape, start, cell, () => 0);
    return { shape, data };
  }

  /** @param {number} text @param {number} start @param {number} stop */
  #byRules(text, start, stop) {
    const { n_key, diagonal } = this;
    const bits = new Uint8Array((stop - start) * n_key);
    const at = { diagonal, order: this.#orderOf(text) };
    for (const { rule, value } of this.rules) {
      const { affects, frees, reason } = rule;
      for (let query = start, cell = 0; query < stop; query++)
        for (let key = 0; key < n_key; key++, cell++)
          if (affects(value, query, key, at))
            bits[cell] = frees ? bits[cell] & ~reason : bits[cell] | reason;
    }
    return bits;
  }

  /** The number of each key among the text's real tokens, from 0; infinite for padding. @param {number} text */
  #orderOf(text) {
    let next = 0;
    return Array.from({ length: this.n_key }, (_, key) => {
      const isReal = this.real_keys === null || this.real_keys.data[text * this.n_key + key] === 1;
      return isReal ? next++ : Infinity;
    });
  }

  /** Queries that may attend to nothing. @returns {BlockedSlice[]} */
  get blocked_rows() {
    this.#blockedRows ??= this.#closed(this.n_query, (query) => query);
    return this.#blockedRows;
  }

  /** Keys that nothing may attend to. @returns {BlockedSlice[]} */
  get blocked_columns() {
    this.#blockedColumns ??= this.#closed(this.n_key, (_, key) => key);
    return this.#blockedColumns;
  }

  /**
   * The slices without an allowed cell. If the mask is the same in all heads, their `head` is null.
   * @param {number} n
   * @param {(query: number, key: number) => number} sliceOf the slice that a cell is in
   * @returns {BlockedSlice[]}
   */
  #closed(n, sliceOf) {
    if (this.isOpen) return [];
    /** @type {Uint8Array | null} */
    let anyAllowed = null;
    let n_matrices = 1;
    for (const [start, stop] of stripesOf(this.n_query)) {
      const { shape, data } = this.blockedBy(start, stop);
      n_matrices = shape[1];
      anyAllowed ??= new Uint8Array(this.batch * n_matrices * n);
      for (let matrix = 0, cell = 0; matrix < this.batch * n_matrices; matrix++)
        for (let query = start; query < stop; query++)
          for (let key = 0; key < this.n_key; key++, cell++)
            if (data[cell] === 0) anyAllowed[matrix * n + sliceOf(query, key)] = 1;
    }
    return Array.from(anyAllowed ?? []).flatMap((any, each) => {
      const matrix = Math.floor(each / n);
      const head = n_matrices === 1 ? null : matrix % n_matrices;
      return any ? [] : [{ text: Math.floor(matrix / n_matrices), head, index: each % n }];
    });
  }
}

/** The query rows in stripes of `STRIPE`. @param {number} n_query @returns {[start: number, stop: number][]} */
export const stripesOf = (n_query) =>
  Array.from({ length: Math.ceil(n_query / STRIPE) }, (_, stripe) => [
    stripe * STRIPE,
    Math.min((stripe + 1) * STRIPE, n_query),
  ]);

/**
 * Combine the reader's settings with the model's own rules at a site. `causal` and `window` are the model's own and apply if the
 * settings leave them open; a cross-attention site, whose queries and keys come from different texts, has neither.
 * @param {MaskSettings} settings
 * @param {object} site
 * @param {number} site.layer
 * @param {Kind} [site.kind]
 * @param {number} site.n_query
 * @param {number} site.n_key
 * @param {number} site.n_heads
 * @param {Bits} site.real_keys (batch, key): 0 on padding
 * @param {boolean} site.causal
 * @param {number} [site.diagonal]
 * @param {number | null} [site.window]
 * @param {Bits | null} [site.own]
 */
export function siteMask(settings, site) {
  const { layer, kind = "self", n_query, n_key, n_heads, real_keys, diagonal, own } = site;
  const chosen = kind === "cross" ? acrossTexts(settings) : settings;
  /** @param {readonly Cell[]} cells */
  const here = (cells) =>
    cells.filter(
      (cell) => (cell.layer ?? layer) === layer && (cell.kind ?? kind) === kind, // null means all
    );
  return new Mask({
    n_query,
    n_key,
    settings: {
      ...chosen,
      causal: chosen.causal ?? site.causal,
      window: chosen.window ?? site.window ?? null,
      blocked: here(chosen.blocked),
      allowed: here(chosen.allowed),
    },
    diagonal,
    real_keys: real_keys.data.includes(0) ? real_keys : null,
    own,
    batch: real_keys.shape[0],
    n_heads,
  });
}

/** @param {Bits} reasons @returns {Bits} */
const opened = ({ shape, data }) => ({ shape, data: data.map((bits) => Number(bits === 0)) });

/**
 * Add the reason MODEL where the model's own mask blocks, in the rows from `start` of one text and head.
 * @param {Uint8Array} bits
 * @param {Bits} own
 * @param {number} text
 * @param {number} head
 * @param {number} start
 */
function addOwn(bits, own, text, head, start) {
  const [batch, n_heads, n_query, n_key] = own.shape;
  const matrix = (batch === 1 ? 0 : text) * n_heads + (n_heads === 1 ? 0 : head);
  const from = (matrix * n_query + start) * n_key;
  for (let cell = 0; cell < bits.length; cell++)
    if (own.data[from + cell] === 0) bits[cell] |= BLOCKED_BY.MODEL;
}

/**
 * Change the bits of one painted cell, or of all along the axes that it leaves open.
 * @param {Uint8Array} data
 * @param {number[]} shape (batch, head, row, key), of the rows from `start`
 * @param {number} start
 * @param {Cell} cell
 * @param {(bits: number) => number} change
 */
function paint(data, [batch, n_heads, n_rows, n_key], start, cell, change) {
  const [textFrom, textTo] = range(cell.text, batch);
  const [headFrom, headTo] = range(cell.head, n_heads);
  const [rowFrom, rowTo] = range(cell.query === null ? null : cell.query - start, n_rows);
  const [keyFrom, keyTo] = range(cell.key, n_key);
  for (let text = textFrom; text < textTo; text++)
    for (let head = headFrom; head < headTo; head++)
      for (let row = rowFrom; row < rowTo; row++)
        for (let key = keyFrom; key < keyTo; key++) {
          const at = ((text * n_heads + head) * n_rows + row) * n_key + key;
          data[at] = change(data[at]);
        }
}

/** One index, if it lies within the axis, or all of them. @param {number | null} index @param {number} size */
function range(index, size) {
  if (index === null) return [0, size];
  return index < 0 || index >= size ? [0, 0] : [index, index + 1];
}

/** @param {Cell} cell @param {string} field @param {Record<"text" | "head" | "query" | "key", number>} sizes */
function check(cell, field, sizes) {
  for (const [axis, size] of Object.entries(sizes)) {
    const index = cell[/** @type {keyof typeof sizes} */ (axis)];
    if (index !== null && !(index >= 0 && index < size))
      throw new InputError(
        `A painted cell names ${axis} ${index}, but this trace has ${size} (0 to ${size - 1}). ` +
          "Use null for all of them.",
        { field },
      );
  }
}
