// The numbers of the visible cells. Pure.

import { exactRow } from "../../../numbers/detail.js";

/** @typedef {{matrix: {rows: number, cols: number, data: Float32Array}, blocked: {data: Uint8Array}}} Numbers */

/**
 * A picture of a long text is made of bytes, which are not good for two decimals: a row whose exact numbers have not arrived yet
 * has none.
 * @param {import("../picture.js").Detail} detail
 * @param {import("../../../types.d.ts").Matrix} name
 * @param {import("../../../draw/viewport.js").Part} part
 * @returns {Numbers} NaN where there is no number yet
 */
export function numbersIn(detail, name, [top, bottom, left, right]) {
  const [rows, cols] = [bottom - top, right - left];
  const matrix = { rows, cols, data: new Float32Array(rows * cols).fill(Number.NaN) };
  const blocked = { data: new Uint8Array(rows * cols) };
  for (let row = 0; row < rows; row += 1) {
    const exact = exactRow(detail, name, top + row);
    if (!exact) continue;
    matrix.data.set(exact.values.subarray(left, right), row * cols);
    blocked.data.set(exact.blocked.subarray(left, right), row * cols);
  }
  return { matrix, blocked };
}
