// The sentences of the measures. Numbers come as they are to be read; "before → now" if they have changed.

import { enumerated, quote } from "./format.js";

/** @typedef {{rows: string, columns: string}} Sums */

/** @param {Sums} sums */
export const sumsInWords = ({ rows, columns }) => `Row sums ${rows}; column sums ${columns}.`;

/** @param {{entropy: string, even: string, isSingle: boolean}} numbers `isSingle`: of one head */
export const entropyInWords = ({ entropy, even, isSingle }) =>
  isSingle
    ? `Entropy ${entropy} nats; an even distribution has ${even}.`
    : `Entropy of each head ${entropy} nats; an even distribution has ${even}.`;

/** @param {{measured: string, expected: string}} numbers */
export const varianceInWords = ({ measured, expected }) =>
  `Variance of the scores ${measured}; independent q and k of variance 1 would give ${expected}.`;

/** @param {{largest: string, total: string}} numbers */
export const paddingInWords = ({ largest, total }) =>
  `Largest weight of a padding key: ${largest}; of all padding in one row: ${total}.`;

/** @param {string} largest */
export const futureInWords = (largest) => `Largest weight of a later token: ${largest}.`;

/** Rows and columns without a distribution. */
export const BLOCKED = {
  /** @param {number[]} rows */
  rows: (rows) =>
    rows.length === 1
      ? `Row ${rows[0]} has no distribution: its weights and its z are 0.`
      : `Rows ${enumerated(rows.map(String))} have no distribution: their weights and their z are 0.`,
  /** @param {number[]} columns */
  columns: (columns) =>
    columns.length === 1
      ? `Column ${columns[0]} has no distribution: its weights are 0.`
      : `Columns ${enumerated(columns.map(String))} have no distribution: their weights are 0.`,
  /** @param {number[]} rows that are all 0, where columns are the distributions */
  zeros: (rows) =>
    rows.length === 1
      ? `The weights and the z of row ${rows[0]} are 0.`
      : `The weights and the z of rows ${enumerated(rows.map(String))} are 0.`,
  noRow: "Every row has a distribution.",
  noColumn: "Every column has a distribution.",
};

/** @param {{a: string, b: string, there: string, back: string, oneWay: boolean}} pair */
export function asymmetryInWords({ a, b, there, back, oneWay }) {
  const difference = `Largest difference: ${quote(a)} → ${quote(b)} ${there}, ${quote(b)} → ${quote(a)} ${back}.`;
  return oneWay
    ? `${difference} The causal mask allows only one direction of each pair.`
    : difference;
}

/** @param {string} weight @param {string | null} moved null if the model has no norms */
export const firstKeyInWords = (weight, moved) =>
  moved === null
    ? `The first key gets ${weight} of the weight.`
    : `The first key gets ${weight} of the weight, and ${moved} of what the head moves (‖weight · v W_O‖).`;

/** @param {string} token */
export const likeliestInWords = (token) => `Most likely: ${token}.`;

/** @param {string} token @param {string} share */
export const tokenWithShare = (token, share) => `${quote(token)} (${share})`;

/** How much z changed. @param {string | null} largest null if nothing did @param {string} typical */
export const changeOfZ = (largest, typical) =>
  largest === null
    ? "The output z of the heads did not change at all."
    : `The output z of the heads changed by up to ${largest}; a typical number in z is ${typical}.`;

/** How much attention moved, head by head. @param {{head: number, share: string}[] | null} heads null if no pattern changed */
export function movedAttention(heads) {
  if (heads === null) return "Every head is exactly as before.";
  const shares = heads.map(({ head, share }) => `head ${head} ${share}`);
  return `Share of each row’s attention that moved: ${shares.join(", ")}.`;
}

/** @param {{moved: number, n: number, largest: string, isNothing: boolean}} words `moved` of `n` changed their place */
export const orderInWords = ({ moved, n, largest, isNothing }) =>
  isNothing
    ? `${moved} of ${n} words moved, and the output of the heads for each of them stayed the same, apart from rounding (${largest}).`
    : `${moved} of ${n} words moved, and the output of the heads for a word changed by up to ${largest}.`;
