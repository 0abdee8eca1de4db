// The four matrices of the head panel: what a number is, and how it is drawn and said.

import { reach } from "./matrix.js";

/** @typedef {import("../types.d.ts").Matrix} Matrix */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Numbers */

/**
 * @typedef {object} Kind
 * @property {string} unit what a number is, on the colour bar and over a column
 * @property {string} row what the row of a token says; follows “token”
 * @property {string} about one sentence; "" where the help says it
 */

/** @type {Record<Matrix, Kind>} */
export const KINDS = {
  pattern: { unit: "weight", row: "looks at", about: "" },
  scores: { unit: "score", row: "looks at", about: "" },
  norms: {
    unit: "norm",
    row: "takes from",
    about:
      "‖weight × v W_O‖: how much the head moves, where the pattern says what share (Kobayashi et al. 2020).",
  },
  rollout: {
    unit: "share",
    row: "is mixed from",
    about:
      "Of which tokens the last layer’s are mixed, by attention and residual stream alone, over all layers and heads (Abnar & Zuidema 2020).",
  },
};

export const MATRICES = /** @type {Matrix[]} */ (Object.keys(KINDS));

/**
 * The two ends of the scale. What is signed has its neutral at zero, and no logarithm.
 * @param {Matrix} name
 * @param {Numbers} matrix
 * @param {boolean} [log] whether the reader wants a logarithmic scale
 * @returns {import("../draw/raster.js").Range}
 */
export function rangeOf(name, { data }, log = false) {
  if (name === "pattern" || name === "rollout") return { low: 0, high: 1, log };
  const most = reach(data);
  return name === "norms" ? { low: 0, high: most, log } : { low: -most, high: most, log: false };
}

/**
 * The matrix after this one, without those that cannot be had.
 * @param {Matrix} name
 * @param {Matrix[]} given what the model has
 * @param {Partial<Record<string, string>>} lacks what was refused nevertheless
 */
export function nextMatrix(name, given, lacks) {
  const known = given.filter((matrix) => !lacks[matrix]);
  return known[(known.indexOf(name) + 1) % known.length];
}

/**
 * Where rollout has no path at all: blocked cells that it does not reach in any number of layers.
 * @param {{rows: number, cols: number, data: Uint8Array}} blocked
 * @param {Numbers} rollout
 */
export const unreached = (blocked, rollout) => ({
  ...blocked,
  data: blocked.data.map((bits, at) => (rollout.data[at] === 0 ? bits : 0)),
});
