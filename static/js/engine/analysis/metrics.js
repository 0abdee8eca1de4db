// The metrics that score heads: one row each in static/js/facts/metrics.json, and here what it reads. As model/analysis/metrics.py.
// A score is a mean over queries. For each query, a metric reads either the sum of the pattern over certain cells, or a number
// computed from the whole row.

import FACTS from "../../facts/metrics.json" with { type: "json" };

/** @import { Words } from "./words.js" */

/**
 * The tokens and positions by which metrics select cells.
 * @typedef {object} Cells
 * @property {Words} queries
 * @property {Words} keys
 * @property {boolean[]} counted of the keys
 * @property {boolean} one_text whether queries and keys are the same tokens
 */

/**
 * What metrics read of a whole row of one head.
 * @typedef {object} Row
 * @property {number} n_allowed keys that the mask allows
 * @property {number} entropy −Σ_j A[i,j] ln A[i,j]
 * @property {number} distance Σ_j A[i,j] |i − j|
 * @property {number} mean_offset Σ_j A[i,j] (i − j)
 */

/** @typedef {{metric: string, least: number}} Also */

/**
 * One way to score a head. A[i,j] is its pattern for query i and key j; t[i] is token i.
 * @typedef {object} Metric
 * @property {string} name
 * @property {string} label
 * @property {string} definition
 * @property {string} source
 * @property {"share of attention" | "nats" | "tokens" | "0 to 1"} unit
 * @property {(at: Cells, i: number, j: number) => boolean} [cells] the cells that it sums,
 * @property {(row: Row) => number} [value] or its number for each row
 * @property {number} [min_keys] rows where the mask allows fewer keys are left out
 * @property {boolean} [one_text] it compares positions or tokens of one text
 * @property {string} [absent] the reason given if no query can be scored
 * @property {Also} [also] what a head must do as well, to be named after it, where that is known of it
 */

export const BLOCKED = "the masks block every cell that it reads";
export const SINK = FACTS.sink; // a head with a larger first-token score is a sink

/** Where query and key are the same token of the vocabulary. @param {Cells} at @param {number} i @param {number} j */
const same = (at, i, j) => at.queries.ids[i] === at.keys.ids[j];

/**
 * @param {number} i
 * @param {ArrayLike<number>} pattern (key)
 * @param {ArrayLike<number>} allowed (key)
 * @returns {Row}
 */
export function rowOf(i, pattern, allowed) {
  const row = { n_allowed: 0, entropy: 0, distance: 0, mean_offset: 0 };
  for (let j = 0; j < pattern.length; j++) {
    row.n_allowed += allowed[j];
    const share = pattern[j];
    if (share === 0) continue;
    row.entropy -= share * Math.log(share);
    row.distance += share * Math.abs(i - j);
    row.mean_offset += share * (i - j);
  }
  return row;
}

/** The cells that a metric sums. @type {Readonly<Record<string, NonNullable<Metric["cells"]>>>} */
const CELLS = {
  previous_token: (at, i, j) => j === i - 1 && at.counted[j],
  next_token: (at, i, j) => j === i + 1 && at.counted[j],
  same_token: (at, i, j) => j < i && same(at, i, j) && at.counted[j],
  induction: (at, i, j) => 0 < j && j < i && same(at, i, j - 1) && at.counted[j],
  first_token: (at, i, j) => j === at.keys.first && at.keys.real[j] && !(at.one_text && i === j),
  special_mass: (at, _, j) => at.keys.special[j],
  punctuation_mass: (at, _, j) => at.keys.punctuation[j],
};
/** Or its number for each row. @type {Readonly<Record<string, NonNullable<Metric["value"]>>>} */
const VALUES = {
  entropy: (row) => row.entropy,
  normalised_entropy: (row) => row.entropy / Math.log(row.n_allowed),
  distance: (row) => row.distance,
  mean_offset: (row) => row.mean_offset,
};

const DEFINED = FACTS.rows.filter((row) => "definition" in row);

/** @type {readonly Metric[]} */
export const METRICS = DEFINED.filter((row) => !("probe" in row)).map((row) => ({
  ...row,
  cells: CELLS[row.name],
  value: VALUES[row.name],
}));

/** The description of each metric in the API: what a probe measures. Copying is not of the pattern alone, and comes last. */
export const describedMetrics = () =>
  [...METRICS, ...DEFINED.filter((row) => "probe" in row)].map(
    ({ name, label, definition, source, unit, ...row }) => ({
      name,
      label,
      definition,
      source,
      unit,
      also: "also" in row ? (row.also ?? null) : null,
    }),
  );
