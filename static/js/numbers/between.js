// The weight that every head gives from one token to another, read off the thumbnails, which have a cell for each token if the
// text is short.

import { POOLED } from "../words/labels.js";
import { matrixOf } from "./matrix.js";

/** @import { Answer, HeadScores } from "../types.d.ts" */

/** A head with its weight, in the form that the ranking takes. @typedef {Pick<HeadScores, "site" | "layer" | "head"> & {scores: {between: import("../types.d.ts").Score}}} Between */

/**
 * @param {Answer} grid
 * @param {number} shown
 * @param {number} query
 * @param {number} key
 * @returns {Between[]} weights to within 1/510, because thumbnails are bytes
 */
export function between(grid, shown, query, key) {
  const { trace, tensors } = grid;
  const text = Math.min(shown, trace.tokens.length - 1);
  return trace.sites.flatMap((site) => {
    const tensor = tensors.get(`${site.name}.pattern`);
    if (!tensor) return [];
    const isExact = hasCellPerToken(grid, site, text);
    return site.heads.map((head, index) => {
      const { cols, data } = matrixOf(tensor, text, index);
      const score = isExact
        ? { value: data[query * cols + key] / 255, over: 1, reason: null }
        : { value: null, over: 0, reason: POOLED };
      return { site: site.name, layer: site.layer, head, scores: { between: score } };
    });
  });
}

/**
 * Where a head looks most from a token.
 * @param {Answer} grid
 * @param {{shown: number, layer: number, head: number}} choice
 * @param {number} query
 * @returns {{key: number, token: import("../types.d.ts").Token, weight: number} | null} null: tokens are pooled in the thumbnails
 */
export function strongestLook({ trace, tensors }, { shown, layer, head }, query) {
  const site = trace.sites.find((one) => one.layer === layer);
  const tensor = site && tensors.get(`${site.name}.pattern`);
  const text = Math.min(shown, trace.tokens.length - 1);
  if (!tensor || !hasCellPerToken({ trace, tensors }, site, text)) return null;
  const { rows, cols, data } = matrixOf(tensor, text, Math.max(0, site.heads.indexOf(head)));
  if (query >= rows) return null;
  const row = [...data.subarray(query * cols, (query + 1) * cols)];
  const key = row.indexOf(Math.max(...row));
  return {
    key,
    token: (trace[site.key_tokens] ?? trace.tokens)[text][key],
    weight: row[key] / 255,
  };
}

/** Whether a thumbnail has a cell for each token. @param {Pick<Answer, "trace" | "tensors">} grid @param {import("../types.d.ts").Site} site @param {number} text */
function hasCellPerToken({ trace, tensors }, site, text) {
  const [, , rows, cols] = tensors.get(`${site.name}.pattern`)?.shape ?? [];
  /** @param {import("../types.d.ts").TokenAxis} axis */
  const n = (axis) => (trace[axis] ?? trace.tokens)[text].length;
  return rows === n(site.query_tokens) && cols === n(site.key_tokens);
}
