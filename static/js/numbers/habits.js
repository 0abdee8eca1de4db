// Whether a head does in the sentence on the page what it does by habit: its scores on this sentence, by the engine's rules. Pure.

import { METRICS, rowOf } from "../engine/analysis/metrics.js";
import { counted, wordsOf } from "../engine/analysis/words.js";
import { keeps, STRONG } from "../state/finds.js";
import { matrixOf } from "./matrix.js";

/** @typedef {Pick<NonNullable<ReturnType<typeof import("./detail.js").detailOf>>, "site" | "queries" | "keys" | "pattern" | "blocked" | "exact" | "pooled">} Head */
/** @typedef {{value: number | null, over: number}} Measured a mean over some queries; null over none */

/**
 * A score of the selected head on this sentence.
 * @param {Head} head
 * @param {import("../state/finds.js").MetricFind} metric one that labels heads
 * @returns {Measured | null} null if the page does not have the numbers
 */
export function measured({ site, queries, keys, pattern, blocked, exact, pooled }, metric) {
  const rule = METRICS.find(({ name }) => name === metric);
  if (exact !== "all" || pooled !== null || !rule) return null;
  const n = keys.length;
  const one_text = site.query_tokens === site.key_tokens;
  if (rule.one_text && !one_text) return { value: null, over: 0 };
  const [from, to] = [wordsOf(queries), wordsOf(keys)];
  const at = { queries: from, keys: to, counted: counted(to, false), one_text };
  const asks = counted(from, false);
  let [sum, over] = [0, 0];
  queries.forEach((_, i) => {
    if (!asks[i]) return;
    const row = pattern.data.subarray(i * n, (i + 1) * n);
    const allowed = (/** @type {number} */ j) => blocked.data[i * n + j] === 0;
    if (rule.cells) {
      const read = keys.flatMap((_, j) => (rule.cells?.(at, i, j) ? [j] : []));
      if (!read.some(allowed)) return;
      sum += read.reduce((total, j) => total + row[j], 0);
    } else {
      const found = rowOf(
        i,
        row,
        keys.map((_, j) => Number(allowed(j))),
      );
      if (found.n_allowed < (rule.min_keys ?? 1)) return;
      sum += rule.value?.(found) ?? 0;
    }
    over += 1;
  });
  return { value: over > 0 ? sum / over : null, over };
}

/**
 * Whether the head may draw a relation between two words here: nobody says which words are related, but without a strong weight
 * from one word to another it draws none. True if the page cannot tell.
 * @param {Head} head
 */
export function mayRelate({ site, queries, keys, pattern, exact, pooled }) {
  if (exact !== "all" || pooled !== null || site.query_tokens !== site.key_tokens) return true;
  const [ask, answer] = [queries, keys].map((tokens) => counted(wordsOf(tokens), false));
  return queries.some(
    (_, i) =>
      ask[i] &&
      keys.some((_, j) => i !== j && answer[j] && pattern.data[i * keys.length + j] >= STRONG),
  );
}

/**
 * What every head of a grid does on the text, from its small picture. The cells that are blocked are those of the head on show: the grid does not say.
 * @param {import("../types.d.ts").Answer} grid
 * @param {number} text
 * @param {Head["blocked"] | undefined} blocked
 * @returns {(place: {layer: number, head: number}) => Head | null} null: tokens are pooled there, or it has other tokens
 */
export const headsIn =
  ({ trace, tensors }, text, blocked) =>
  ({ layer, head }) => {
    const site = trace.sites.find((one) => one.layer === layer);
    const tensor = tensors.get(`${site?.name}.pattern`);
    if (!site || !tensor || !blocked) return null;
    const [queries, keys] = [site.query_tokens, site.key_tokens].map(
      (axis) => (trace[axis] ?? trace.tokens)[text],
    );
    const { rows, cols, data } = matrixOf(tensor, text, site.heads.indexOf(head));
    const fits = [queries.length, blocked.rows].every((n) => n === rows);
    if (!fits || ![keys.length, blocked.cols].every((n) => n === cols)) return null;
    const pattern = { rows, cols, data: Float32Array.from(data, (byte) => byte / 255) };
    return { site, queries, keys, pattern, blocked, exact: "all", pooled: null };
  };

/**
 * Whether a label that comes from other texts describes what the head does here.
 * @param {{metric: import("../state/finds.js").MetricFind | "relation" | null, value: number | null}} label
 * @param {Head | null} head
 */
export function holdsHere({ metric, value }, head) {
  if (!head || metric === null || value === null) return true;
  if (metric === "relation") return mayRelate(head);
  const here = measured(head, metric);
  return here === null || keeps(here, value);
}
