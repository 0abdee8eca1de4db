// What measures are computed from: the matrices of each head, without copying, and their real rows and columns. Pure.

import { matrixOf } from "./matrix.js";

/** @import { Answer } from "../types.d.ts" */
/**
 * One head of the layer.
 * @typedef {object} Site
 * @property {number} head
 * @property {number} n_queries
 * @property {number} n_keys
 * @property {number[]} rows queries that are not padding
 * @property {number[]} cols keys that are not padding
 * @property {ArrayLike<number>} pattern
 * @property {ArrayLike<number>} blocked
 * @property {ArrayLike<number> | null} scores
 * @property {ArrayLike<number> | null} norms
 * @property {ArrayLike<number> | null} z one row per query
 * @property {number} d_head
 */

/**
 * The positions of the real tokens of a text.
 * @param {Answer} answer
 * @param {number} text
 */
export function real(answer, text) {
  const { trace } = answer;
  const { query_tokens, key_tokens } = trace.sites[0];
  const [queries, keys] = [query_tokens, key_tokens].map((axis) => {
    const tokens = (trace[axis] ?? trace.tokens)[text] ?? [];
    return tokens.flatMap(({ padding }, index) => (padding ? [] : [index]));
  });
  return { queries, keys };
}

/**
 * The heads of the layer, for one text.
 * @param {Answer} answer
 * @param {number} text
 * @returns {Site[]}
 */
export function sites(answer, text) {
  const site = answer.trace.sites[0];
  const { queries, keys } = real(answer, text);
  return site.heads.map((head, index) => {
    /** @param {string} name */
    const of = (name) => {
      const tensor = answer.tensors.get(`${site.name}.${name}`);
      return tensor ? matrixOf(tensor, text, tensor.shape[1] === 1 ? 0 : index) : null;
    };
    const pattern = of("pattern");
    if (!pattern) throw new Error(`The answer lacks ${site.name}.pattern.`);
    const z = of("z");
    return {
      head,
      n_queries: pattern.rows,
      n_keys: pattern.cols,
      rows: queries,
      cols: keys,
      pattern: pattern.data,
      blocked: of("blocked_by")?.data ?? new Uint8Array(pattern.data.length),
      scores: of("scores")?.data ?? null,
      norms: of("norms")?.data ?? null,
      z: z?.data ?? null,
      d_head: z?.cols ?? 0,
    };
  });
}
