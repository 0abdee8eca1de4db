// Attention rollout: how much each input token contributes to each token of a layer. As model/analysis/rollout.py.

import { UnavailableError } from "../errors.js";
import { stripesOf } from "../masks.js";
import { derive } from "../site.js";
import { endSlice } from "../slices.js";

/** @typedef {import("../types.d.ts").Tensor} Tensor */
/** @typedef {import("../types.d.ts").Trace} Trace */
/** @typedef {import("../types.d.ts").Site} Site */

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
  const row = new Float64Array(n);
  for (const [start, stop] of stripesOf(n)) {
    endSlice();
    const mean = meanPattern(site, [start, stop]);
    for (let text = 0; text < batch; text++) {
      for (let i = start; i < stop; i++) {
        const weights = (text * (stop - start) + i - start) * n;
        row.set(before.subarray((text * n + i) * n, (text * n + i + 1) * n));
        let sum = 1;
        for (let j = 0; j < n; j++) {
          const weight = mean[weights + j];
          if (weight === 0) continue;
          sum += weight;
          const below = (text * n + j) * n;
          for (let first = 0; first < n; first++) row[first] += weight * before[below + first];
        }
        for (let first = 0; first < n; first++)
          after[(text * n + i) * n + first] = row[first] / sum;
      }
    }
  }
  return after;
}

/**
 * The mean over the heads; a muted head moves nothing and counts as 0.
 * @param {Site} site
 * @param {[number, number] | null} [rows] null means all
 * @returns {Float64Array} (batch, row, key)
 */
export function meanPattern(site, rows = null) {
  const pattern = /** @type {Tensor} */ (
    derive(site, ["pattern"], { heads: null, rows, text: null }).get("pattern")
  );
  const [batch, n_heads, n_rows, n_key] = pattern.shape;
  const cells = n_rows * n_key;
  const mean = new Float64Array(batch * cells);
  for (let text = 0; text < batch; text++) {
    for (let head = 0; head < n_heads; head++) {
      if (site.muted.includes(head)) continue;
      const start = (text * n_heads + head) * cells;
      for (let cell = 0; cell < cells; cell++) {
        mean[text * cells + cell] += pattern.data[start + cell] / n_heads;
      }
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
