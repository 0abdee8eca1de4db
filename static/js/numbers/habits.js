// Whether a head does in the sentence on the page what it does by habit: its scores on this sentence, by the definitions of the server
// (model/analysis/scores.py). Pure.

import { BY_METRIC, counts, STRONG } from "../state/finds.js";

/** @typedef {Pick<NonNullable<ReturnType<typeof import("./detail.js").detailOf>>, "site" | "queries" | "keys" | "pattern" | "blocked" | "exact" | "pooled">} Head */
/** @typedef {{value: number | null, over: number}} Measured a mean over some queries; null over none */

/**
 * A score of the selected head on this sentence.
 * @param {Head} head
 * @param {import("../state/finds.js").MetricFind} metric one that labels heads
 * @returns {Measured | null} null if the page does not have the numbers
 */
export function measured({ site, queries, keys, pattern, blocked, exact, pooled }, metric) {
  const { cells, oneText: needsOne, unit } = BY_METRIC[metric];
  if (exact !== "all" || pooled !== null || !(cells || unit === "entropy")) return null;
  const oneText = site.query_tokens === site.key_tokens;
  const first = keys.findIndex(({ padding }) => !padding);
  const n = keys.length;
  let [sum, over] = [0, 0];
  queries.forEach((query, i) => {
    if (!counts(query) || (needsOne && !oneText)) return;
    const row = pattern.data.subarray(i * n, (i + 1) * n);
    const allowed = (/** @type {number} */ j) => blocked.data[i * n + j] === 0;
    const open = keys.filter((_, j) => allowed(j)).length;
    if (cells) {
      const selected = keys.flatMap((_, j) =>
        cells({ i, j, queries, keys, first, oneText }) ? [j] : [],
      );
      if (!selected.some(allowed)) return;
      sum += selected.reduce((total, j) => total + row[j], 0);
    } else {
      if (open < 2) return;
      sum +=
        row.reduce((total, p) => (p > 0 ? total - p * Math.log(p) : total), 0) / Math.log(open);
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
  return queries.some(
    (query, i) =>
      counts(query) &&
      keys.some((key, j) => i !== j && counts(key) && pattern.data[i * keys.length + j] >= STRONG),
  );
}
