// What a layer keeps of each token while a text is written, in numbers. Pure.

/** @import { Ran } from "../../types.d.ts" */

export const BYTES = 2; // of a number in float16, as caches are usually kept

/**
 * @param {Pick<Ran, "n_heads" | "d_head" | "n_kv_heads" | "d_latent" | "kernel" | "minus">} ran
 * @returns {{each: number, all: number, sums: number | null}} `each`: of a token, for those after it; `all`: if every head kept a key and a value;
 *   `sums`: what stands in for all of them, in linear attention
 */
export function keptBy({ n_heads, d_head, n_kv_heads, d_latent, kernel, minus }) {
  const keys = n_kv_heads ?? n_heads;
  const values = typeof minus === "number" ? keys / 2 : keys;
  return {
    each: d_latent ?? (keys + values) * d_head,
    all: 2 * n_heads * d_head,
    sums: kernel === "linear" ? keys * (d_head * d_head + d_head) : null,
  };
}
