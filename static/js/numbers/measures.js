// What a picture shows, as numbers and in a sentence: sums, entropy, variance, and changes compared with a reference. Pure.

import { percentage } from "../language/language.js";
import { changeInWords, spread, threeDigits } from "../words/format.js";
import {
  asymmetryInWords,
  BLOCKED,
  entropyInWords,
  firstKeyInWords,
  futureInWords,
  likeliestInWords,
  paddingInWords,
  sumsInWords,
  tokenWithShare,
  varianceInWords,
} from "../words/measures.js";
import { change, heads, order } from "./changes.js";
import { real, sites } from "./facts.js";

/** @import { Answer, State } from "../types.d.ts" */
/** @import { Site } from "./facts.js" */
/** @typedef {{sentence: string, values: Record<string, number>}} Measured */
/**
 * @typedef {object} Facts
 * @property {Answer} now all heads of the selected layer: pattern, scores, z, blocked_by, and norms if the model has them
 * @property {Answer | null} reference the same tensors of the reference
 * @property {Pick<State, "head">} state
 * @property {number} text
 */
/** @typedef {keyof typeof MEASURES} Measure */

const MAX_LISTED = 4; // heads that a sentence lists one by one

/** The sums of a head's real rows and real columns. @param {Site} site */
function sumsOf({ pattern, rows, cols, n_queries, n_keys }) {
  /** @param {number} query @param {number} key */
  const at = (query, key) => pattern[query * n_keys + key];
  const all = Array.from({ length: n_queries }, (_, query) => query);
  return {
    rows: rows.map((query) => sum(Array.from({ length: n_keys }, (_, key) => at(query, key)))),
    columns: cols.map((key) => sum(all.map((query) => at(query, key)))), // also from padding queries, which give attention, too
  };
}

/** @param {Facts} facts @returns {Measured} */
function row_sums({ now, reference, state, text }) {
  const [sums, before] = [now, reference].map((answer) => {
    const site = answer && sites(answer, text).find(({ head }) => head === state.head);
    return site ? sumsOf(site) : null;
  });
  if (!sums) return { sentence: "", values: {} };
  const rows = changeInWords(before && spread(before.rows), spread(sums.rows));
  const columns = changeInWords(before && spread(before.columns), spread(sums.columns));
  const [least, most] = ends(sums.rows);
  const [low, high] = ends(sums.columns);
  return {
    sentence: sumsInWords({ rows, columns }),
    values: { row_least: least, row_most: most, column_least: low, column_most: high },
  };
}

/**
 * The mean entropy of each head in nats, along the axis of the softmax, and the entropy of an even distribution.
 * @param {Facts} facts
 * @returns {Measured | null}
 */
function entropy({ now, reference, text }) {
  const current = entropies(now, text);
  if (!current) return null;
  const before = reference && entropies(reference, text);
  const { uniform } = current;
  const each = Object.fromEntries(current.heads.map(({ head, value }) => [`head_${head}`, value]));
  return {
    sentence: entropyInWords({
      entropy: changeInWords(before && listed(before.heads), listed(current.heads)),
      even: threeDigits(uniform),
      isSingle: current.heads.length === 1,
    }),
    values: { ...each, mean: mean(current.heads.map(({ value }) => value)), uniform },
  };
}

/** Each head's number, or their range if there are many. @param {{value: number}[]} heads */
const listed = (heads) => {
  const values = heads.map(({ value }) => value);
  return values.length > MAX_LISTED ? spread(values) : values.map(threeDigits).join(", ");
};

/** @param {Answer} answer @param {number} text */
function entropies(answer, text) {
  const all = sites(answer, text);
  const { softmax_over } = answer.trace.sites[0];
  /** @type {number[]} */
  const even = [];
  const heads = all.flatMap((site) => {
    const byRow = softmax_over === "key";
    const slices = (byRow ? site.rows : site.cols).flatMap((slice) => {
      const places = byRow ? site.n_keys : site.n_queries;
      const cells = Array.from({ length: places }, (_, index) =>
        byRow ? slice * site.n_keys + index : index * site.n_keys + slice,
      ).filter((cell) => !site.blocked[cell]);
      const total = sum(cells.map((cell) => site.pattern[cell]));
      if (cells.length === 0 || total <= 0) return []; // no distribution
      even.push(Math.log(cells.length));
      const shares = cells.map((cell) => site.pattern[cell] / total).filter((share) => share > 0);
      return [-sum(shares.map((share) => share * Math.log(share)))];
    });
    return slices.length > 0 ? [{ head: site.head, value: mean(slices) }] : [];
  });
  return heads.length > 0 ? { heads, uniform: mean(even) } : null;
}

/**
 * The variance of the scores of all heads, and the variance that independent q and k of variance 1 would give: scale² · d_head.
 * If q and k are the same vector (no projections), the scores of a token with itself are left out.
 * @param {Facts} facts
 * @returns {Measured | null}
 */
function variance({ now, text }) {
  const { scale } = now.trace.sites[0];
  const all = sites(now, text);
  const own = ["average", "dot-product"].includes(now.trace.scratch?.mechanism ?? "");
  const scores = all.flatMap(({ scores: held, blocked, rows, cols, n_keys }) =>
    rows.flatMap((query) =>
      cols
        .filter((key) => !blocked[query * n_keys + key] && !(own && key === query))
        .map((key) => held?.[query * n_keys + key] ?? Number.NaN),
    ),
  );
  if (scores.length < 2 || scores.some(Number.isNaN)) return null;
  const middle = mean(scores);
  const measured = mean(scores.map((score) => (score - middle) ** 2));
  const d_head = all[0].d_head;
  const theory = scale ** 2 * d_head;
  const expected =
    scale === 1
      ? `d_head = ${d_head}`
      : `scale² · d_head = ${threeDigits(scale)}² · ${d_head} = ${threeDigits(theory)}`;
  return {
    sentence: varianceInWords({ measured: threeDigits(measured), expected }),
    values: { measured, theory, d_head, scale },
  };
}

/** The largest weight from a real query to a padding key, in any head and text. @param {Facts} facts @returns {Measured | null} */
function padding({ now, reference }) {
  const weights = toPadding(now);
  if (!weights) return null;
  const before = reference && toPadding(reference);
  return {
    sentence: paddingInWords({
      largest: changeInWords(before && threeDigits(before.most), threeDigits(weights.most)),
      total: changeInWords(before && threeDigits(before.total), threeDigits(weights.total)),
    }),
    values: { most: weights.most, total: weights.total },
  };
}

/** @param {Answer} answer @returns {{most: number, total: number} | null} null: nothing is padded */
function toPadding(answer) {
  const rows = answer.trace.tokens.flatMap((_, text) =>
    sites(answer, text).flatMap(({ pattern, rows, cols, n_keys }) => {
      const padded = Array.from({ length: n_keys }, (_, key) => key).filter(
        (key) => !cols.includes(key),
      );
      if (padded.length === 0) return [];
      return rows.map((query) => padded.map((key) => pattern[query * n_keys + key]));
    }),
  );
  if (rows.length === 0) return null;
  return { most: largest(rows.flat()), total: largest(rows.map(sum)) };
}

/** The largest weight of a later token, in any head. @param {Facts} facts @returns {Measured | null} */
function future({ now, reference, text }) {
  const weights = toFuture(now, text);
  if (!weights) return null;
  const before = reference && toFuture(reference, text);
  return {
    sentence: futureInWords(
      changeInWords(before && threeDigits(before.most), threeDigits(weights.most)),
    ),
    values: weights,
  };
}

/** @param {Answer} answer @param {number} text */
function toFuture(answer, text) {
  const { query_tokens, key_tokens } = answer.trace.sites[0];
  if (query_tokens !== key_tokens) return null; // queries and keys come from two texts: nothing is later
  const shares = sites(answer, text).flatMap(({ pattern, rows, cols, n_keys }) =>
    rows.flatMap((query) =>
      cols.filter((key) => key > query).map((key) => pattern[query * n_keys + key]),
    ),
  );
  return shares.length > 0 ? { most: largest(shares) } : null;
}

/** Rows and columns without a distribution, in the selected head. @param {Facts} facts @returns {Measured} */
function blocked({ now, state, text }) {
  const { blocked_rows, blocked_columns = [] } = now.trace.sites[0];
  const { softmax_over } = now.trace.sites[0];
  const all = sites(now, text);
  const site = all.find(({ head }) => head === state.head) ?? all[0];
  /** @param {typeof blocked_rows} slices @param {number[]} kept */
  const here = (slices, kept) =>
    slices
      .filter((one) => one.text === text && (one.head === null || one.head === state.head))
      .map(({ index }) => index)
      .filter((index) => kept.includes(index));
  const rows = here(blocked_rows, site?.rows ?? []);
  const columns = here(blocked_columns, site?.cols ?? []);
  // with a softmax over queries a row is not a distribution, but it may still be all zeros
  const empty = softmax_over === "query" && site ? zeroRows(site) : [];
  const sentences = [
    rows.length > 0 && BLOCKED.rows(rows),
    columns.length > 0 && BLOCKED.columns(columns),
    empty.length > 0 && BLOCKED.zeros(empty),
  ].filter(Boolean);
  const none = softmax_over === "query" ? BLOCKED.noColumn : BLOCKED.noRow;
  return {
    sentence: sentences.join(" ") || none,
    values: { rows: rows.length + empty.length, columns: columns.length },
  };
}

/** Real queries whose row is all zeros. @param {Site} site */
const zeroRows = ({ pattern, rows, n_keys }) =>
  rows.filter((query) =>
    Array.from({ length: n_keys }, (_, key) => pattern[query * n_keys + key]).every((w) => w === 0),
  );

/**
 * The largest asymmetry of the selected head: |A[i, j] − A[j, i]| over pairs where neither cell is blocked, or over all pairs
 * if there are none.
 * @param {Facts} facts
 * @returns {Measured | null}
 */
function transpose({ now, state, text }) {
  const { query_tokens, key_tokens } = now.trace.sites[0];
  const site = sites(now, text).find(({ head }) => head === state.head);
  if (!site || query_tokens !== key_tokens) return null;
  const { pattern, blocked: bits, rows, n_keys } = site;
  const pairs = rows.flatMap((i) => rows.filter((j) => j > i).map((j) => [i, j]));
  /** @param {number} i @param {number} j */
  const free = (i, j) => !bits[i * n_keys + j] && !bits[j * n_keys + i];
  const both = pairs.filter(([i, j]) => free(i, j));
  const compared = both.length > 0 ? both : pairs;
  if (compared.length === 0) return null;
  const widest = compared
    .map(([i, j]) => ({ i, j, ij: pattern[i * n_keys + j], ji: pattern[j * n_keys + i] }))
    .reduce((best, one) => (Math.abs(one.ij - one.ji) > Math.abs(best.ij - best.ji) ? one : best));
  const { i, j, ij, ji } = widest;
  const [a, b] = [i, j].map((place) => labelAt(now, text, place));
  const oneWay = both.length === 0;
  return {
    sentence: asymmetryInWords({ a, b, there: threeDigits(ij), back: threeDigits(ji), oneWay }),
    values: { most: Math.abs(ij - ji), query: i, key: j, there: ij, back: ji },
  };
}

/** @param {Answer} answer @param {number} text @param {number} place */
const labelAt = (answer, text, place) =>
  (answer.trace[answer.trace.sites[0].key_tokens] ?? answer.trace.tokens)[text][place].text.trim();

/** The first key's share of all weight, and of all that the head moves. @param {Facts} facts @returns {Measured | null} */
function first_column({ now, state, text }) {
  const site = sites(now, text).find(({ head }) => head === state.head);
  if (!site) return null;
  const { pattern, norms, rows, cols, n_keys } = site;
  /** @param {ArrayLike<number>} matrix */
  const share = (matrix) => {
    const first = sum(rows.map((query) => matrix[query * n_keys + cols[0]]));
    const all = sum(rows.flatMap((query) => cols.map((key) => matrix[query * n_keys + key])));
    return all > 0 ? first / all : 0;
  };
  const weight = share(pattern);
  const moved = norms ? share(norms) : null;
  return {
    sentence: firstKeyInWords(percent(weight), moved === null ? null : percent(moved)),
    values: { weight, ...(moved === null ? {} : { moved }) },
  };
}

/** @param {Facts} facts @returns {Measured | null} */
function prediction({ now, reference, text }) {
  const [is, was] = [now, reference].map((answer) => answer?.trace.predictions?.[text]?.[0]);
  if (!is) return null;
  /** @param {{text: string, probability: number}} token */
  const shown = (token) =>
    tokenWithShare(token.text.trim() || token.text, percent(token.probability));
  return {
    sentence: likeliestInWords(changeInWords(was ? shown(was) : null, shown(is))),
    values: {
      probability: is.probability,
      ...(was ? { reference: was.probability, same: Number(was.id === is.id) } : {}),
    },
  };
}

export const MEASURES = {
  row_sums,
  entropy,
  variance,
  padding,
  future,
  blocked,
  change,
  heads,
  transpose,
  first_column,
  order,
  prediction,
};

/** The names of all measures. */
export const MEASURED = /** @type {Measure[]} */ (Object.keys(MEASURES));

/**
 * One or more numbers about the current picture.
 * @param {Measure} name
 * @param {Facts} facts
 * @returns {Measured | null} null: the measure has no meaning here
 */
export function measure(name, facts) {
  const site = facts.now.trace.sites[0];
  if (!site || !facts.now.tensors.has(`${site.name}.pattern`)) return null;
  const text = Math.min(facts.text, facts.now.trace.tokens.length - 1);
  if (real(facts.now, text).queries.length === 0) return null; // no words to measure
  return MEASURES[name]?.({ ...facts, text }) ?? null;
}

/**
 * The sum of every row and every column of a matrix.
 * @param {{rows: number, cols: number, data: ArrayLike<number>}} matrix
 */
export function sums({ rows, cols, data }) {
  const [across, down] = [new Array(rows).fill(0), new Array(cols).fill(0)];
  for (let cell = 0; cell < data.length; cell += 1) {
    across[Math.floor(cell / cols)] += data[cell];
    down[cell % cols] += data[cell];
  }
  return { rows: across, columns: down };
}

/** @param {ArrayLike<number>} numbers */
const sum = (numbers) => Array.from(numbers).reduce((total, number) => total + number, 0);
/** @param {number[]} numbers */
const mean = (numbers) => sum(numbers) / numbers.length;
/** @param {number[]} numbers */
const largest = (numbers) => numbers.reduce((most, number) => Math.max(most, number), 0);
/** @param {number[]} numbers @returns {[number, number]} */
const ends = (numbers) => [
  numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY),
  numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY),
];
/** @param {number} share */
const percent = (share) => percentage(threeDigits(100 * share));
