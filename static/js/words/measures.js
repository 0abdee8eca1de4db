// The sentences of the measures. Numbers come as they are to be read; "before → now" if they have changed.

import { commas, gettext, ngettext } from "../language/gettext.js";
import { enumerated, quote } from "./format.js";

/** @typedef {{rows: string, columns: string}} Sums */

/** @param {Sums} sums */
export const sumsInWords = ({ rows, columns }) =>
  gettext("Row sums {rows}; column sums {columns}.", { rows, columns });

/** @param {{entropy: string, even: string, isSingle: boolean}} numbers `isSingle`: of one head */
export const entropyInWords = ({ entropy, even, isSingle }) =>
  isSingle
    ? gettext("Entropy {entropy} nats; an even distribution has {even}.", { entropy, even })
    : gettext("Entropy of each head {entropy} nats; an even distribution has {even}.", {
        entropy,
        even,
      });

/** @param {{measured: string, expected: string}} numbers */
export const varianceInWords = ({ measured, expected }) =>
  gettext(
    "Variance of the scores {measured}; independent q and k of variance 1 would give {expected}.",
    { measured, expected },
  );

/** @param {{largest: string, total: string}} numbers */
export const paddingInWords = ({ largest, total }) =>
  gettext("Largest weight of a padding key: {largest}; of all padding in one row: {total}.", {
    largest,
    total,
  });

/** @param {string} largest */
export const futureInWords = (largest) =>
  gettext("Largest weight of a later token: {largest}.", { largest });

/** Rows and columns without a distribution. */
export const BLOCKED = {
  /** @param {number[]} rows */
  rows: (rows) =>
    ngettext(
      "Row {rows} has no distribution: its weights and its z are 0.",
      "Rows {rows} have no distribution: their weights and their z are 0.",
      rows.length,
      { rows: enumerated(rows.map(String)) },
    ),
  /** @param {number[]} columns */
  columns: (columns) =>
    ngettext(
      "Column {columns} has no distribution: its weights are 0.",
      "Columns {columns} have no distribution: their weights are 0.",
      columns.length,
      { columns: enumerated(columns.map(String)) },
    ),
  /** @param {number[]} rows that are all 0, where columns are the distributions */
  zeros: (rows) =>
    ngettext(
      "The weights and the z of row {rows} are 0.",
      "The weights and the z of rows {rows} are 0.",
      rows.length,
      { rows: enumerated(rows.map(String)) },
    ),
  noRow: gettext("Every row has a distribution."),
  noColumn: gettext("Every column has a distribution."),
};

/** @param {{a: string, b: string, there: string, back: string, oneWay: boolean}} pair */
export function asymmetryInWords({ a, b, there, back, oneWay }) {
  const difference = gettext("Largest difference: {a} → {b} {there}, {b} → {a} {back}.", {
    a: quote(a),
    b: quote(b),
    there,
    back,
  });
  return oneWay
    ? gettext("{difference} The causal mask allows only one direction of each pair.", {
        difference,
      })
    : difference;
}

/** @param {string} weight @param {string | null} moved null if the model has no norms */
export const firstKeyInWords = (weight, moved) =>
  moved === null
    ? gettext("The first key gets {weight} of the weight.", { weight })
    : gettext(
        "The first key gets {weight} of the weight, and {moved} of what the head moves (‖weight · v W_O‖).",
        { weight, moved },
      );

/** @param {string} token */
export const likeliestInWords = (token) => gettext("Most likely: {token}.", { token });

/** @param {string} token @param {string} share */
export const tokenWithShare = (token, share) => `${quote(token)} (${share})`;

/** How much z changed. @param {string | null} largest null if nothing did @param {string} typical */
export const changeOfZ = (largest, typical) =>
  largest === null
    ? gettext("The output z of the heads did not change at all.")
    : gettext(
        "The output z of the heads changed by up to {largest}; a typical number in z is {typical}.",
        { largest, typical },
      );

/** How much attention moved, head by head. @param {{head: number, share: string}[] | null} heads null if no pattern changed */
export function movedAttention(heads) {
  if (heads === null) return gettext("Every head is exactly as before.");
  const shares = heads.map(({ head, share }) => gettext("head {head} {share}", { head, share }));
  return gettext("Share of each row’s attention that moved: {shares}.", {
    shares: commas(shares),
  });
}

/** @param {{moved: number, n: number, largest: string, isNothing: boolean}} words `moved` of `n` changed their place */
export const orderInWords = ({ moved, n, largest, isNothing }) =>
  isNothing
    ? gettext(
        "{moved} of {n} words moved, and the output of the heads for each of them stayed the same, apart from rounding ({largest}).",
        { moved, n, largest },
      )
    : gettext(
        "{moved} of {n} words moved, and the output of the heads for a word changed by up to {largest}.",
        { moved, n, largest },
      );
