// The mask of a recorded site: the reasons themselves, cell by cell, as `blocked_by` gave them.

/** @typedef {import("../types.d.ts").Bits} Bits */
/** @typedef {import("../types.d.ts").BlockedSlice} BlockedSlice */
/** @typedef {import("../types.d.ts").Mask} Mask */
/** @typedef {import("../types.d.ts").MaskSettings} MaskSettings */

/** Nothing set: the reasons say what blocks each cell. @type {MaskSettings} */
export const NO_SETTINGS = {
  ...{ causal: null, padding: true, padding_side: "right" },
  ...{ window: null, prefix: null, sinks: null, blocked: [], allowed: [] },
};

/** @implements {Mask} */
export class RecordedMask {
  settings = NO_SETTINGS;
  diagonal = 0;
  real_keys = null;
  own = null;
  #reasons;
  /** @type {BlockedSlice[] | null} */
  #rows = null;
  /** @type {BlockedSlice[] | null} */
  #columns = null;

  /**
   * @param {Bits | null} reasons (batch, 1 or head, query, key); null: nothing is blocked
   * @param {{batch: number, n_heads: number, n_query: number, n_key: number}} sizes
   */
  constructor(reasons, { batch, n_heads, n_query, n_key }) {
    this.batch = batch;
    this.n_heads = n_heads;
    this.n_query = n_query;
    this.n_key = n_key;
    this.#reasons = reasons;
    this.isOpen = reasons === null || reasons.data.every((bits) => bits === 0);
  }

  /** @param {number} [start] @param {number} [stop] @returns {Bits} */
  blockedBy(start = 0, stop = this.n_query) {
    const { n_query, n_key, batch } = this;
    if (!this.#reasons) {
      const shape = [batch, 1, stop - start, n_key];
      return { shape, data: new Uint8Array(batch * (stop - start) * n_key) };
    }
    const { shape, data } = this.#reasons;
    const [, matrices] = shape;
    if (start === 0 && stop === n_query) return this.#reasons;
    const size = (stop - start) * n_key;
    const found = new Uint8Array(batch * matrices * size);
    for (let matrix = 0; matrix < batch * matrices; matrix++) {
      const at = (matrix * n_query + start) * n_key;
      found.set(data.subarray(at, at + size), matrix * size);
    }
    return { shape: [batch, matrices, stop - start, n_key], data: found };
  }

  /** @param {number} [start] @param {number} [stop] @returns {Bits} */
  allows(start, stop) {
    const { shape, data } = this.blockedBy(start, stop);
    return { shape, data: data.map((bits) => (bits === 0 ? 1 : 0)) };
  }

  get blocked_rows() {
    this.#rows ??= this.#slices(this.n_query, (place) => Math.floor(place / this.n_key));
    return this.#rows;
  }

  get blocked_columns() {
    this.#columns ??= this.#slices(this.n_key, (place) => place % this.n_key);
    return this.#columns;
  }

  /** The rows or columns of which every cell is blocked. @param {number} n @param {(place: number) => number} sliceOf @returns {BlockedSlice[]} */
  #slices(n, sliceOf) {
    if (this.isOpen || !this.#reasons) return [];
    const { shape, data } = this.#reasons;
    const [, matrices] = shape;
    const cells = this.n_query * this.n_key;
    const found = [];
    for (let matrix = 0; matrix < this.batch * matrices; matrix++) {
      const open = new Uint8Array(n);
      for (let place = 0; place < cells; place++)
        if (data[matrix * cells + place] === 0) open[sliceOf(place)] = 1;
      for (let index = 0; index < n; index++) {
        if (open[index]) continue;
        const head = matrices === 1 ? null : matrix % matrices;
        found.push({ text: Math.floor(matrix / matrices), head, index });
      }
    }
    return found;
  }
}
