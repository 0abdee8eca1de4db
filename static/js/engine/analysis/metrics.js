// The metrics that score heads: one row each, with its formula, its paper, and what it reads. As model/analysis/metrics.py.
// A score is a mean over queries. For each query, a metric reads either the sum of the pattern over certain cells, or a number
// computed from the whole row.

/** @typedef {import("./words.js").Words} Words */

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
export const SINK = 0.3; // a head with a larger first-token score is a sink

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

/** @type {readonly Metric[]} */
export const METRICS = [
  {
    name: "previous_token",
    label: "previous token",
    definition: "How much a token looks at the one before it: the mean over i of A[i,i−1].",
    source: "Clark et al. 2019, What Does BERT Look At?",
    unit: "share of attention",
    cells: (at, i, j) => j === i - 1 && at.counted[j],
    one_text: true,
    absent: "no scored token has another before it",
  },
  {
    name: "next_token",
    label: "next token",
    definition: "How much a token looks at the one after it: the mean over i of A[i,i+1].",
    source: "Clark et al. 2019, What Does BERT Look At?",
    unit: "share of attention",
    cells: (at, i, j) => j === i + 1 && at.counted[j],
    one_text: true,
    absent: "no scored token has another after it",
  },
  {
    name: "same_token",
    label: "same token",
    definition:
      "How much a token looks at earlier copies of itself: " +
      "the mean over the i that have any, of Σ_j A[i,j] where t[j] = t[i] and j < i.",
    source: "Wang et al. 2022, Interpretability in the Wild (duplicate-token heads)",
    unit: "share of attention",
    cells: (at, i, j) => j < i && same(at, i, j) && at.counted[j],
    one_text: true,
    absent: "no token occurs twice",
  },
  {
    name: "induction",
    label: "induction",
    definition:
      "How much a token looks at what followed earlier copies of itself (prefix matching): " +
      "the mean over the i that have any, of Σ_j A[i,j] where t[j−1] = t[i] and 0 < j < i.",
    source: "Olsson et al. 2022, In-context Learning and Induction Heads",
    unit: "share of attention",
    cells: (at, i, j) => 0 < j && j < i && same(at, i, j - 1) && at.counted[j],
    one_text: true,
    absent: "no token occurs twice with another in between",
    also: { metric: "copying", least: 0.75 }, // half way from chance to always
  },
  {
    name: "first_token",
    label: "first token",
    definition:
      "How much later tokens look at the first one: the mean over i ≥ 1 of A[i,0]. " +
      `A head above ${SINK} is called a sink.`,
    source: "Xiao et al. 2024, Efficient Streaming Language Models with Attention Sinks",
    unit: "share of attention",
    cells: (at, i, j) => j === at.keys.first && at.keys.real[j] && !(at.one_text && i === j),
    absent: "no scored token comes after the first",
  },
  {
    name: "entropy",
    label: "entropy",
    definition:
      "How widely a head looks: the mean over i of −Σ_j A[i,j] ln A[i,j]; 0 means a single key.",
    source: "Clark et al. 2019, What Does BERT Look At?",
    unit: "nats",
    value: (row) => row.entropy,
  },
  {
    name: "normalised_entropy",
    label: "normalised entropy",
    definition:
      "Entropy as a share of its maximum: the mean over i of " +
      "−Σ_j A[i,j] ln A[i,j] / ln n[i], where i may look at n[i] ≥ 2 keys.",
    source: "Entropy, divided by that of a uniform pattern",
    unit: "0 to 1",
    value: (row) => row.entropy / Math.log(row.n_allowed),
    min_keys: 2,
    absent: "no query may look at two keys",
  },
  {
    name: "distance",
    label: "distance",
    definition: "How far away a head looks on average: the mean over i of Σ_j A[i,j] |i − j|.",
    source: "Vig & Belinkov 2019, Analyzing the Structure of Attention",
    unit: "tokens",
    value: (row) => row.distance,
    one_text: true,
  },
  {
    name: "mean_offset",
    label: "mean offset",
    definition:
      "How far back a head looks on average: the mean over i of Σ_j A[i,j] (i − j). " +
      "Below 0 it looks ahead; near 0 it may still look far to both sides.",
    source: "Vig & Belinkov 2019, Analyzing the Structure of Attention",
    unit: "tokens",
    value: (row) => row.mean_offset,
    one_text: true,
  },
  {
    name: "mean_distance",
    label: "mean distance",
    definition: "The former name of mean_offset, with the same value.",
    source: "Vig & Belinkov 2019, Analyzing the Structure of Attention",
    unit: "tokens",
    value: (row) => row.mean_offset,
    one_text: true,
  },
  {
    name: "special_mass",
    label: "special tokens",
    definition:
      "How much goes to special tokens: the mean over the i that may look at any, of " +
      "Σ_j A[i,j] where t[j] is special.",
    source: "Clark et al. 2019, What Does BERT Look At?",
    unit: "share of attention",
    cells: (at, _, j) => at.keys.special[j],
    absent: "the text has no special token",
  },
  {
    name: "punctuation_mass",
    label: "punctuation",
    definition:
      "How much goes to punctuation: the mean over the i that may look at any, of " +
      "Σ_j A[i,j] where t[j] has a mark or symbol, and neither a letter nor a digit.",
    source: "Clark et al. 2019, What Does BERT Look At?",
    unit: "share of attention",
    cells: (at, _, j) => at.keys.punctuation[j],
    absent: "the text has no punctuation",
  },
];

/** Not of the pattern alone, so that only a probe has it: copying.js. @type {Metric} */
const COPYING = {
  name: "copying",
  label: "copying",
  definition:
    "Of the attention to ordinary tokens, the share on tokens j whose own logit " +
    "A[i,j] · v[j] · W_O raises above the mean logit, with the norms frozen. Chance is about half.",
  source: "Olsson et al. 2022, In-context Learning and Induction Heads",
  unit: "0 to 1",
};

/** The description of each metric in the API: what a probe measures. */
export const describedMetrics = () =>
  [...METRICS, COPYING].map(({ name, label, definition, source, unit, also = null }) => ({
    name,
    label,
    definition,
    source,
    unit,
    also,
  }));
