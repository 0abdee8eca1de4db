// A bias that depends on key − query alone, as T5's, is recorded as its diagonals (server/pages/export/recorded.py); here it is made whole.

/** @import { Tensor as AnyTensor, TraceJson } from "../../types.d.ts" */
/** @import { Tensor } from "../types.d.ts" */

/**
 * The tensors of a recording with `bias` in place of `bias_diagonals`.
 * @param {TraceJson} trace
 * @param {ReadonlyMap<string, AnyTensor>} tensors by name: "layers.2.bias_diagonals"
 */
export function withWholeBiases(trace, tensors) {
  const whole = new Map(tensors);
  for (const { name, query_tokens } of trace.sites) {
    const diagonals = tensors.get(`${name}.bias_diagonals`);
    const n_query = trace[query_tokens]?.[0]?.length ?? 0;
    if (diagonals) whole.set(`${name}.bias`, fromDiagonals(diagonals, n_query));
    whole.delete(`${name}.bias_diagonals`);
  }
  return whole;
}

/**
 * A bias that depends on key − query alone, made whole.
 * @param {AnyTensor} diagonals (batch, head, diagonal), from that of the last query and the first key
 * @param {number} n_query
 * @returns {Tensor} (batch, head, query, key)
 */
function fromDiagonals({ shape: [batch, n_heads, n_diagonals], data }, n_query) {
  const n_key = n_diagonals - n_query + 1;
  const whole = new Float32Array(batch * n_heads * n_query * n_key);
  for (let matrix = 0, to = 0; matrix < batch * n_heads; matrix++) {
    for (let query = 0; query < n_query; query++, to += n_key) {
      const from = matrix * n_diagonals + n_query - 1 - query;
      whole.set(data.subarray(from, from + n_key), to);
    }
  }
  return { shape: [batch, n_heads, n_query, n_key], data: whole };
}
