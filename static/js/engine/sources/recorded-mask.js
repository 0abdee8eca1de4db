// The mask of a recorded site: the reasons themselves, cell by cell, as `blocked_by` gave them.

import { Mask } from "../masks/mask.js";
import { narrow } from "../tensor/tensor.js";

/** @import { Bits } from "../types.d.ts" */

export class RecordedMask extends Mask {
  #bits;
  #isOpen;

  /**
   * @param {Bits} bits (batch, 1 or head, query, key): `blocked_by`
   * @param {import("../masks/mask.js").MaskFields} sizes
   */
  constructor(bits, sizes) {
    super(sizes);
    this.#bits = bits;
    this.#isOpen = bits.data.every((reasons) => reasons === 0);
    this.n_matrices = bits.shape[1];
  }

  get isOpen() {
    return this.#isOpen;
  }

  /** @param {number} start @param {number} stop @returns {Bits} */
  reasons(start, stop) {
    return narrow(this.#bits, 2, start, stop);
  }
}
