// Whether a head does in the sentence on the page what it does by habit: its scores on this sentence, by the engine's rules. Pure.

import { METRICS, rowOf } from "../engine/analysis/metrics.js";
import { counted, wordsOf } from "../engine/analysis/words.js";
import { STRONG } from "../state/finds.js";

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
