// The range of a matrix's scale, and the cells where there is nothing to draw. Pure.

import { MATRICES } from "../state/matrices.js";
import { reach } from "./matrix.js";

/** @import { Matrix } from "../types.d.ts" */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Numbers */

/**
 * The two ends of the scale. A signed scale is symmetric about zero and linear.
 * @param {Matrix} name
 * @param {Numbers} matrix
 * @param {import("../draw/color.js").Steps} [steps] as the reader wants them
 * @returns {import("../draw/raster.js").Range}
 */
export function rangeOf(name, { data }, steps = "linear") {
  const { scale } = MATRICES[name];
  if (scale === "share") return { low: 0, high: 1, steps };
  const most = reach(data);
  return scale === "size"
    ? { low: 0, high: most, steps }
    : { low: -most, high: most, steps: "linear" };
}

/**
 * The cells that no path reaches: blocked in each layer, and still 0 in an analysis of all layers.
 * @param {{rows: number, cols: number, data: Uint8Array}} blocked
 * @param {Numbers} reached
 */
export const unreached = (blocked, reached) => ({
  ...blocked,
  data: blocked.data.map((bits, at) => (reached.data[at] === 0 ? bits : 0)),
});
