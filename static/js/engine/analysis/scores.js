// Scores of heads: each metric is a mean over the queries for which it has a value. As model/analysis/scores.py.
//
// A metric has a value for a query if the query is real (not padding) and the mask allows it at least one of the cells that the
// metric reads. Other queries are left out, which is not the same as counting them as 0. If no query is left, the score is null,
// with the reason. Patterns are derived in stripes of query rows, so that a long text never takes heads · tokens² numbers of memory.

import { InputError } from "../errors.js";
import { stripesOf } from "../masks/mask.js";
import { endSlice } from "../slices.js";
import { derive } from "../trace/site.js";
import { BLOCKED, METRICS, rowOf, SINK } from "./metrics.js";
import { counted, wordsOf } from "./words.js";

/** @import { Site, Tensor, Trace } from "../types.d.ts" */
/** @import { Cells } from "./metrics.js" */

/** A mean over `over` queries. If there are none, the value is null, with the reason. @typedef {{value: number | null, over: number, reason: string | null}} Score */
/** Every metric of one head. @typedef {{site: string, layer: number, head: number, scores: Record<string, Score>}} HeadScores */

/**
 * The sums and counts of one site over one text; tallies of several texts can be added.
 * @typedef {object} Tally
 * @property {string} site
 * @property {number} layer
 * @property {number} n_heads
 * @property {Float64Array} sums (head, metric)
 * @property {Int32Array} over (head, metric)
 * @property {string[]} reasons for each metric, in case no query has a value
 */

const N = METRICS.length;

/**
 * Every metric of every head on one text of a trace, by site.
 * @param {Trace} trace
 * @param {number} text
 * @param {boolean} [specials] whether special tokens count: as queries, and as the keys of metrics that select keys by position or
 *   token, such as previous_token. The other metrics always read every key.
 * @returns {HeadScores[]}
 * @throws {InputError} there is no such text
 */
export function headScores(trace, text, specials = false) {
  if (!(text in trace.tokens)) {
    throw new InputError(`This trace has texts 0 to ${trace.tokens.length - 1}; got ${text}.`);
  }
  return tallies(trace, text, specials).flatMap(means);
}

/** Of the heads that have a first-token score, the share with a score above 0.3. @param {readonly HeadScores[]} heads */
export function sinkShare(heads) {
  const known = heads
    .map((head) => head.scores.first_token.value)
    .filter((value) => value !== null);
  return known.length ? known.filter((value) => value > SINK).length / known.length : null;
}

/** The sums and counts of each site over the queries of one text. @param {Trace} trace @param {number} text @param {boolean} specials */
export const tallies = (trace, text, specials) =>
  trace.sites.map((site) => readSite(trace, site, text, specials));

/** The sums and counts of a site over the queries of two texts. @param {Tally} a @param {Tally} b @returns {Tally} */
export const added = (a, b) => ({
  ...a,
  sums: a.sums.map((sum, index) => sum + b.sums[index]),
  over: a.over.map((n, index) => n + b.over[index]),
});

/** The means of each head. @param {Tally} tally @returns {HeadScores[]} */
export const means = ({ site, layer, n_heads, sums, over, reasons }) =>
  Array.from({ length: n_heads }, (_, head) => ({
    site,
    layer,
    head,
    scores: Object.fromEntries(
      METRICS.map(({ name }, metric) => {
        const n = over[head * N + metric];
        const value = n ? sums[head * N + metric] / n : null;
        return [name, { value, over: n, reason: n ? null : reasons[metric] }];
      }),
    ),
  }));

/** @param {Trace} trace @param {Site} site @param {number} text @param {boolean} specials @returns {Tally} */
function readSite(trace, site, text, specials) {
  const { n_heads, mask } = site;
  const [queries, keys] = [site.query_tokens, site.key_tokens].map((axis) =>
    wordsOf(/** @type {import("../types.d.ts").Token[][]} */ (trace[axis])[text]),
  );
  /** @type {Cells} */
  const at = {
    queries,
    keys,
    counted: counted(keys, specials),
    one_text: site.query_tokens === site.key_tokens,
  };
  const asked = counted(queries, specials);
  const sums = new Float64Array(n_heads * N);
  const over = new Int32Array(n_heads * N);
  const present = METRICS.map(() => false); // selects any cell, even if blocked
  for (const [start, stop] of stripesOf(mask.n_query)) {
    endSlice();
    const pattern = /** @type {Tensor} */ (
      derive(site, ["pattern"], { heads: null, rows: [start, stop], text }).get("pattern")
    );
    const allowed = mask.allows(start, stop);
    const n_masks = allowed.shape[1]; // 1 if it is the same for all heads
    for (let i = start; i < stop; i++) {
      if (!asked[i]) continue;
      const selected = METRICS.map((metric) => selectedKeys(metric, at, i));
      selected.forEach((chosen, metric) => {
        if (chosen?.length) present[metric] = true;
      });
      for (let head = 0; head < n_heads; head++) {
        const row = cellsOf(pattern, 0, head, i - start);
        const free = cellsOf(allowed, text, n_masks === 1 ? 0 : head, i - start);
        readRow({ i, row, free, selected, one_text: at.one_text }, (metric, value) => {
          sums[head * N + metric] += value;
          over[head * N + metric]++;
        });
      }
    }
  }
  const reasons = reasonsOf(queries, asked, present, at.one_text);
  return { site: site.name, layer: site.layer, n_heads, sums, over, reasons };
}

/**
 * The keys that a metric sums in a row, whether or not they are blocked; null if it reads the whole row.
 * @param {import("./metrics.js").Metric} metric @param {Cells} at @param {number} i
 */
function selectedKeys(metric, at, i) {
  const { cells } = metric;
  if (!cells) return null;
  if (metric.one_text && !at.one_text) return [];
  /** @type {number[]} */
  const found = [];
  for (let j = 0; j < at.keys.ids.length; j++) if (cells(at, i, j)) found.push(j);
  return found;
}

/**
 * Tell the value of each metric that has one in a row of one head.
 * @param {{i: number, row: ArrayLike<number>, free: ArrayLike<number>, selected: (number[] | null)[], one_text: boolean}} read
 * @param {(metric: number, value: number) => void} tell
 */
function readRow({ i, row, free, selected, one_text }, tell) {
  const whole = rowOf(i, row, free);
  METRICS.forEach((metric, index) => {
    const chosen = selected[index];
    if (chosen) {
      if (!chosen.some((j) => free[j])) return;
      let sum = 0;
      for (const j of chosen) sum += row[j];
      tell(index, sum);
    } else if (metric.value && whole.n_allowed >= (metric.min_keys ?? 1)) {
      if (one_text || !metric.one_text) tell(index, metric.value(whole));
    }
  });
}

/** One row of a matrix. @param {import("../types.d.ts").AnyTensor} tensor (batch, head, row, key) @param {number} text @param {number} head @param {number} row */
function cellsOf({ shape: [, n_heads, n_rows, n_key], data }, text, head, row) {
  const start = ((text * n_heads + head) * n_rows + row) * n_key;
  return data.subarray(start, start + n_key);
}

/**
 * For each metric, the reason if no query has a value.
 * @param {import("./words.js").Words} queries @param {boolean[]} asked @param {boolean[]} present @param {boolean} one_text
 */
function reasonsOf(queries, asked, present, one_text) {
  if (!queries.real.includes(true)) return METRICS.map(() => "the text is only padding");
  if (!asked.includes(true)) {
    return METRICS.map(() => "the text has only special tokens, which do not count here");
  }
  return METRICS.map((metric, index) => {
    if (metric.one_text && !one_text) return "queries and keys come from two texts";
    return (!metric.cells || !present[index] ? metric.absent : null) ?? BLOCKED;
  });
}
