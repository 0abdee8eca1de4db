// What measures are made of: each head's matrices without copying, which of their rows and columns are real, and numbers as
// a sentence says them. Pure.

import { matrixOf } from "./matrix.js";

/** @typedef {import("../types.d.ts").Answer} Answer */
/**
 * One head of the layer.
 * @typedef {object} Site
 * @property {number} head
 * @property {number} n_queries
 * @property {number} n_keys
 * @property {number[]} rows queries that are no padding
 * @property {number[]} cols keys that are none
 * @property {ArrayLike<number>} pattern
 * @property {ArrayLike<number>} blocked
 * @property {ArrayLike<number> | null} scores
 * @property {ArrayLike<number> | null} norms
 * @property {ArrayLike<number> | null} z query by query
 * @property {number} d_head
 */

/**
 * The places of real tokens of a text.
 * @param {Answer} answer
 * @param {number} text
 */
export function real(answer, text) {
  const { trace } = answer;
  const { query_tokens, key_tokens } = trace.sites[0];
  const [queries, keys] = [query_tokens, key_tokens].map((axis) => {
    const tokens = (trace[axis] ?? trace.tokens)[text] ?? [];
    return tokens.flatMap(({ padding }, place) => (padding ? [] : [place]));
  });
  return { queries, keys };
}

/**
 * The heads of the layer, as they look at one text.
 * @param {Answer} answer
 * @param {number} text
 * @returns {Site[]}
 */
export function sites(answer, text) {
  const site = answer.trace.sites[0];
  const { queries, keys } = real(answer, text);
  return site.heads.map((head, place) => {
    /** @param {string} name */
    const of = (name) => {
      const tensor = answer.tensors.get(`${site.name}.${name}`);
      return tensor ? matrixOf(tensor, text, tensor.shape[1] === 1 ? 0 : place) : null;
    };
    const pattern = of("pattern");
    if (!pattern) throw new Error(`The answer lacks ${site.name}.pattern.`);
    const z = of("z");
    return {
      ...{ head, n_queries: pattern.rows, n_keys: pattern.cols, rows: queries, cols: keys },
      pattern: pattern.data,
      blocked: of("blocked_by")?.data ?? new Uint8Array(pattern.data.length),
      ...{ scores: of("scores")?.data ?? null, norms: of("norms")?.data ?? null },
      ...{ z: z?.data ?? null, d_head: z?.cols ?? 0 },
    };
  });
}

/** A number with three digits, and honest near zero. @param {number} value */
export function say(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 0.0005 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

/** The least and the most of some numbers: one number where they are equal. @param {number[]} numbers */
export function spread(numbers) {
  if (numbers.length === 0) return "none";
  const least = say(numbers.reduce((a, b) => Math.min(a, b)));
  const most = say(numbers.reduce((a, b) => Math.max(a, b)));
  return least === most ? least : `${least} to ${most}`;
}

/** Before → now, or what did not change. @param {string | null | undefined} before @param {string} now */
export const told = (before, now) => (before && before !== now ? `${before} → ${now}` : now);
