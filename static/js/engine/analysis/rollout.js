// Attention rollout: how much each input token contributes to each token of a layer. As model/analysis/rollout.py.

import { UnavailableError } from "../errors.js";
import { stripesOf } from "../masks/mask.js";
import { endSlice } from "../slices.js";
import { dots } from "../tensor/products.js";
import { derive } from "../trace/site.js";

/** @import { Site, Tensor, Trace } from "../types.d.ts" */

/**
 * The share of each input token in each output token, by attention and residual stream alone.
 *
 * Â = ½ mean_h A + ½ I in each layer, and Â_L · … · Â_2 · Â_1 over the layers (Abnar & Zuidema 2020, Quantifying Attention Flow in
 * Transformers). A muted head counts as 0. If a row of the mean sums to less than 1 (blocked rows, muted heads, sinks), mean_h A + I
 * is divided by its sum, as in the authors' code. So every row of every Â, and of the result, sums to 1. Padding rows are computed
 * like any other.
 * @param {Trace} trace
 * @returns {Tensor} (batch, query, key)
 * @throws {UnavailableError} the trace has no single stack of self-attention, or encoder
 */
export function rollout(trace) {
  const sites = singleStack(trace, "analyse.rollout");
  const [batch, n] = [trace.tokens.length, sites[0].mask.n_query];
  let mixed = new Float32Array(batch * n * n);
  for (let at = 0; at < batch * n; at++) mixed[at * n + (at % n)] = 1;
  for (const site of sites) mixed = mix(site, mixed, batch, n);
  return { shape: [batch, n, n], data: mixed };
}

/**
 * Â · before, where `before` is the product of the layers below.
 * @param {Site} site @param {Float32Array} before (batch, key, first) @param {number} batch @param {number} n
 */
function mix(site, before, batch, n) {
  const after = new Float32Array(before.length);
  const texts = Array.from({ length: batch }, (_, text) =>
    before.subarray(text * n * n, (text + 1) * n * n),
  );
  const columns = texts.map((below) => transposed(below, n));
  for (const [start, stop] of stripesOf(n)) {
    endSlice();
    const size = (stop - start) * n;
    const mean = meanPattern(site, [start, stop]);
    texts.forEach((below, text) => {
      const weights = mean.subarray(text * size, (text + 1) * size);
      const found = after.subarray(text * n * n + start * n, text * n * n + stop * n);
      dots(weights, columns[text], found, stop - start, n, n);
      for (let row = 0; row < size; row += n) {
        const sum = 1 + weights.subarray(row, row + n).reduce((all, weight) => all + weight, 0);
        for (let first = row; first < row + n; first++) {
          found[first] = (found[first] + below[start * n + first]) / sum;
        }
      }
    });
  }
  return after;
}

/** @param {Float32Array} matrix @param {number} n its rows and columns */
const transposed = (matrix, n) => matrix.map((_, at) => matrix[(at % n) * n + Math.floor(at / n)]);

/**
 * The mean over the heads; a muted head moves nothing and counts as 0.
 * @param {Site} site
 * @param {[number, number] | null} [rows] null means all
 * @returns {Float32Array} (batch, row, key)
 */
export function meanPattern(site, rows = null) {
  const { shape, data } = /** @type {Tensor} */ (
    derive(site, ["pattern"], { heads: null, rows, text: null }).get("pattern")
  );
  const [batch, n_heads, n_rows, n_key] = shape;
  const cells = n_rows * n_key;
  const mean = new Float32Array(batch * cells);
  const heads = [...Array(n_heads).keys()].filter((head) => !site.muted.includes(head));
  for (let text = 0; text < batch; text++) {
    for (let cell = 0; cell < cells; cell++) {
      let sum = 0;
      for (const head of heads) sum += data[(text * n_heads + head) * cells + cell];
      mean[text * cells + cell] = sum / n_heads;
    }
  }
  return mean;
}

/**
 * The sites of the only stack of self-attention, or of the encoder, by layer.
 * @param {Trace} trace
 * @param {string} field
 * @throws {UnavailableError} there is no such stack
 */
export function singleStack(trace, field) {
  const encoder = trace.sites.filter((site) => site.kind === "encoder");
  const sites = encoder.length ? encoder : trace.sites.filter((site) => site.kind === "self");
  if (!sites.length || (!encoder.length && sites.length < trace.sites.length)) {
    const names = trace.sites.map((site) => site.name).join(", ") || "no sites";
    throw new UnavailableError(
      `${trace.model} has no single stack of self-attention to roll out; it has ${names}.`,
      { field },
    );
  }
  return sites.toSorted((a, b) => a.layer - b.layer);
}
