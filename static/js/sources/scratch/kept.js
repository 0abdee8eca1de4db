// The size of a mechanism: its parameters, and what it keeps of each token while a text is written, in numbers. Pure.

import LIMITS from "../../facts/limits.json" with { type: "json" };
import FACTS from "../../facts/mechanisms.json" with { type: "json" };

/** @import { Mechanism, Settings } from "../../types.d.ts" */
/** @typedef {Omit<Settings, "d_head"> & {d_head: number}} Ran the settings as they run */

const [, MOST] = FACTS.settings.d_head.limits;
export const BYTES = 2; // of a number in float16, as caches are usually kept

/**
 * @param {Pick<Ran, "n_heads" | "d_head" | "n_kv_heads" | "d_latent" | "kernel" | "selective" | "minus">} ran
 * @returns {{each: number, all: number, sums: number | null}} `each`: of a token, for those after it; `all`: if every head kept a key and a value;
 *   `sums`: what stands in for all of them, where one matrix does
 */
export function keptBy({ n_heads, d_head, n_kv_heads, d_latent, kernel, selective, minus }) {
  const keys = n_kv_heads ?? n_heads;
  const values = typeof minus === "number" ? keys / 2 : keys;
  // linear attention also keeps the sum of the keys, to divide by
  const width = { exp: undefined, linear: d_head + 1, product: d_head }[kernel];
  return {
    // with how much it erased of what each head kept before it
    each: (d_latent ?? (keys + values) * d_head) + (selective ? n_heads : 0),
    all: 2 * n_heads * d_head,
    sums: width === undefined ? null : keys * d_head * width,
  };
}

/**
 * How many parameters all layers have.
 * @param {Ran} ran
 * @param {Pick<Mechanism, "projections" | "output">} mechanism
 */
export function parametersOf(ran, { projections, output }) {
  const { d_model, n_heads, d_head, d_latent, d_ff, norm, n_layers } = ran;
  const isPaired = typeof ran.minus === "number";
  const channels = n_heads * d_head;
  const keys = (ran.n_kv_heads ?? n_heads) * d_head;
  const values = isPaired ? channels / 2 : keys;
  const read = d_latent ?? d_model;
  const written = isPaired ? channels / 2 : channels; // what W_O reads
  const d_out = output === "none" ? written : d_model;
  const each =
    (projections === "none" ? 0 : d_model * channels + read * (keys + values)) +
    (d_latent === null ? 0 : d_model * d_latent) +
    (output === "none" ? 0 : written * d_model) +
    (output === "linear with bias" ? d_model : 0) +
    (ran.gate ? d_model * n_heads : 0) +
    (ran.selective ? (d_model + 2) * n_heads : 0) +
    (typeof ran.sink === "number" ? n_heads : 0) +
    (d_ff > 0 ? 2 * d_out * d_ff + d_ff + d_out : 0) +
    (norm === "none" ? 0 : 2 * (norm === "pre" ? d_model : d_out) + (d_ff > 0 ? 2 * d_out : 0));
  return n_layers * each;
}

/** @typedef {"parameters" | "cache"} Measure */

/**
 * @param {Ran} ran
 * @param {Pick<Mechanism, "projections" | "output">} mechanism
 * @returns {Record<Measure, number | null>} `cache`: the numbers that all layers keep of a token; null: they keep sums
 */
export function sizesOf(ran, mechanism) {
  const { each, sums } = keptBy(ran);
  const cache = sums === null ? ran.n_layers * each : null;
  return { parameters: parametersOf(ran, mechanism), cache };
}

/**
 * The width with which a mechanism comes nearest to a size: that of its latent, if it is its cache that counts, or else of its heads.
 * @param {Ran} ran
 * @param {Pick<Mechanism, "projections" | "output">} mechanism
 * @param {Measure} measure
 * @param {number} size
 * @returns {{d_latent: number} | {d_head: number} | null} null: no width of it changes this size alone
 */
export function fitted(ran, mechanism, measure, size) {
  const name = measure === "cache" && ran.d_latent !== null ? "d_latent" : "d_head";
  if (mechanism.output === "none" || sizesOf(ran, mechanism)[measure] === null) return null;
  const most =
    name === "d_latent" ? MOST : Math.min(MOST, Math.floor(LIMITS.scratch_channels / ran.n_heads));
  const step = name === "d_head" && ran.positions === "rotary" ? 2 : 1; // which turns channels in pairs
  const off = (/** @type {number} */ width) =>
    Math.abs((sizesOf({ ...ran, [name]: width }, mechanism)[measure] ?? 0) - size);
  let best = step;
  for (let width = step; width <= most; width += step) if (off(width) < off(best)) best = width;
  return /** @type {{d_head: number}} */ ({ [name]: best });
}
