// From one token to another: every head's weight, read off the thumbnails, which have a cell for each token of a short text.

import { matrixOf } from "./matrix.js";

/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").HeadScores} HeadScores */

const POOLED = "a text this long is pooled in the small pictures";

/** A head with a weight, as the ranking takes it. @typedef {Pick<HeadScores, "site" | "layer" | "head"> & {scores: {between: import("../types.d.ts").Score}}} Between */

/**
 * @param {Answer} grid
 * @param {number} shown
 * @param {number} query
 * @param {number} key
 * @returns {Between[]} each with its weight, to within 1/510: thumbnails are bytes
 */
export function between(grid, shown, query, key) {
  const { trace, tensors } = grid;
  const text = Math.min(shown, trace.tokens.length - 1);
  return trace.sites.flatMap((site) => {
    const tensor = tensors.get(`${site.name}.pattern`);
    if (!tensor) return [];
    const whole = isWhole(grid, site, text);
    return site.heads.map((head, place) => {
      const { cols, data } = matrixOf(tensor, text, place);
      const score = whole
        ? { value: data[query * cols + key] / 255, over: 1, reason: null }
        : { value: null, over: 0, reason: POOLED };
      return { site: site.name, layer: site.layer, head, scores: { between: score } };
    });
  });
}

/**
 * The key that a head gives most in a row, which stands there until one is chosen.
 * @param {Answer} grid
 * @param {{shown: number, layer: number, head: number}} choice
 * @param {number} query
 */
export function mostIn({ trace, tensors }, { shown, layer, head }, query) {
  const site = trace.sites.find((one) => one.layer === layer);
  const tensor = site && tensors.get(`${site.name}.pattern`);
  if (!site || !tensor) return 0;
  const text = Math.min(shown, trace.tokens.length - 1);
  const { cols, data } = matrixOf(tensor, text, Math.max(0, site.heads.indexOf(head)));
  const row = [...data.subarray(query * cols, (query + 1) * cols)];
  return Math.max(0, row.indexOf(Math.max(...row)));
}

/** Whether a thumbnail has a cell for each token. @param {Answer} grid @param {import("../types.d.ts").Site} site @param {number} text */
function isWhole({ trace, tensors }, site, text) {
  const [, , rows, cols] = tensors.get(`${site.name}.pattern`)?.shape ?? [];
  /** @param {import("../types.d.ts").TokenAxis} axis */
  const n = (axis) => (trace[axis] ?? trace.tokens)[text].length;
  return rows === n(site.query_tokens) && cols === n(site.key_tokens);
}
