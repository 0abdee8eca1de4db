// What measures are computed from: the matrices of each head, without copying, and their real rows and columns; and how numbers
// are written in a sentence. Pure.

import { matrixOf } from "./matrix.js";

/** @typedef {import("../types.d.ts").Answer} Answer */
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
    return tokens.flatMap(({ padding }, place) => (padding ? [] : [place]));
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

/** Three significant digits; a tiny number never reads as 0. @param {number} value */
export function say(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 0.0005 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

/** "least to most" of some numbers, or one number if they are equal. @param {number[]} numbers */
export function spread(numbers) {
  if (numbers.length === 0) return "none";
  const least = say(numbers.reduce((a, b) => Math.min(a, b)));
  const most = say(numbers.reduce((a, b) => Math.max(a, b)));
  return least === most ? least : `${least} to ${most}`;
}

/** "before → now", or just "now" if nothing changed. @param {string | null | undefined} before @param {string} now */
export const changeInWords = (before, now) =>
  before && before !== now ? `${before} → ${now}` : now;
