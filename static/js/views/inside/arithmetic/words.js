// Inside: everything that people read in the arithmetic of one cell. Pure.

import { gettext, ngettext } from "../../../language/gettext.js";
import { quote, shorten } from "../../../words/format.js";

export const SECTION = {
  label: gettext("The arithmetic of one cell"),
  /** @param {number} key @param {string} token */
  title: (key, token) =>
    gettext("Key {key} {token}, on paper", { key, token: quote(shorten(token, 24)) }),
  /** @param {number} n */
  products: (n) => gettext("All {n} products", { n }),
  /** @param {number} n */
  terms: (n) => gettext("All {n} terms of Σ", { n }),
};

/** @param {string} token */
const quoted = (token) => quote(shorten(token, 24));

/** @typedef {{query: string, key: string}} Tokens */
/** @typedef {Tokens & {n: number, share: string}} Shared */

/** The steps of one cell. */
export const LEAD = {
  /** @param {Tokens} cell */
  title: ({ query, key }) =>
    gettext("How {query} comes to look at {key}", { query: quoted(query), key: quoted(key) }),
  /** @param {Tokens & {n: number, dot: string}} cell */
  dot: ({ query, key, n, dot }) =>
    gettext(
      "{query} has a vector q, what it looks for. {key} has a vector k, what it can be found by. Both have {n} numbers; multiplied one by one and added up, they give q·k = {dot}.",
      { query: quoted(query), key: quoted(key), n, dot },
    ),
  /** @param {{scale: string, cap: string | null, score: string}} cell */
  score: ({ scale, cap, score }) =>
    cap === null
      ? gettext("Times the scale, {scale}, that is the score: {score}.", { scale, score })
      : gettext("Times the scale, {scale}, and kept within ±{cap}, that is the score: {score}.", {
          scale,
          cap,
          score,
        }),
  /** @param {{score: string, isBiased: boolean}} cell */
  logarithm: ({ score, isBiased }) =>
    isBiased
      ? gettext(
          "Weights are in proportion to this number itself, less the farther the token: as a score for softmax, its logarithm with the bias, {score}.",
          { score },
        )
      : gettext(
          "Weights are in proportion to this number itself: as a score for softmax, its logarithm, {score}.",
          { score },
        ),
  /** @param {{scale: string, cap: string | null, scaled: string, bias: string, score: string}} cell */
  biased: ({ scale, cap, scaled, bias, score }) =>
    cap === null
      ? gettext(
          "Times the scale, {scale}, that is {scaled}. With the bias for these two places, {bias}, the score is {score}.",
          { scale, scaled, bias, score },
        )
      : gettext(
          "Times the scale, {scale}, and kept within ±{cap}, that is {scaled}. With the bias for these two places, {bias}, the score is {score}.",
          { scale, cap, scaled, bias, score },
        ),
  /** @param {{scale: string, scaled: string, left: string | null, score: string}} cell `left`: of the key, where it fades */
  product: ({ scale, scaled, left, score }) =>
    left === null
      ? gettext(
          "Times the scale, {scale}, that is the score: {score}. There is no softmax, so the score itself is the weight.",
          { scale, score },
        )
      : gettext(
          "Times the scale, {scale}, that is {scaled}. Of this key, {left} is left when it comes to the query, so the score is {score}. There is no softmax, so the score itself is the weight.",
          { scale, scaled, left, score },
        ),
  /** @param {Tokens & {masks: string}} cell */
  blocked: ({ query, key, masks }) =>
    gettext("But {key} is hidden from {query} by {masks}, so its weight is 0.", {
      key: quoted(key),
      query: quoted(query),
      masks,
    }),
  /** @param {{masks: string}} cell */
  blockedAfter: ({ masks }) =>
    gettext("But the cell is blocked by {masks}, so its weight is 0.", { masks }),
  /** By the axis of the softmax; `n` scores share it. */
  softmax: {
    /** @param {Shared} cell */
    key: ({ query, key, n, share }) =>
      ngettext(
        "{query} can see no other token: softmax gives {key} a share of {share}.",
        "Softmax turns the scores of the {n} tokens that {query} can see into shares of 1. {key} gets {share}.",
        n,
        { query: quoted(query), key: quoted(key), share },
      ),
    /** @param {Shared} cell */
    query: ({ query, key, n, share }) =>
      ngettext(
        "No other token can see {key}: softmax gives {query} a share of {share}.",
        "Softmax turns the scores of the {n} tokens that can see {key} into shares of 1. {query} gets {share}.",
        n,
        { key: quoted(key), query: quoted(query), share },
      ),
  },
  /** @param {{sink: string}} row `sink`: its share */
  sink: ({ sink }) => gettext("The sink, which is not a token, takes {sink}.", { sink }),
  /** @param {Tokens & {weight: string}} cell */
  value: ({ key, weight }) =>
    gettext(
      "So the head takes {weight} of the vector v of {key}, what it has to say, and adds it to what the other tokens say.",
      { weight, key: quoted(key) },
    ),
  /** @param {Tokens & {weight: string}} cell */
  signed: ({ key, weight }) =>
    gettext(
      "So the head takes {weight} times the vector v of {key}, what it has to say, and adds it to what the other tokens say.",
      { weight, key: quoted(key) },
    ),
  /** @param {{query: string, gate: string}} row */
  gate: ({ query, gate }) =>
    gettext("All of this is then multiplied by the gate of {query}: {gate} of it is passed on.", {
      query: quoted(query),
      gate,
    }),
  muted: gettext("This head is muted, so it passes nothing on."),
  row: gettext("The same for every token, one line each:"),
};

/** The columns of the two tables, and the label of their last row. */
export const PRODUCTS = { columns: [gettext("channel"), "q", "k", "q × k"], sum: gettext("sum") };
export const TERMS = {
  /** @param {boolean} overKeys */
  columns: (overKeys) => [
    overKeys ? gettext("key") : gettext("query"),
    "s",
    gettext("e^s, shifted as above"),
  ],
  sink: gettext("sink"),
  sum: "Σ",
};

/** The line: each step takes the one before it. Numbers are given as they are shown. */
export const LINE = {
  /** @param {string} before @param {string} bias */
  faded: (before, bias) => `${before} × e^${bias}`,
  /** @param {string} before */
  unshared: (before) => gettext("{before}, the weight: there is no softmax", { before }),
  /** @param {string} number */
  logarithm: (number) => gettext("ln {number}", { number }),
  /** @param {{products: string, n: number, sum: string, scored: string, score: string}} numbers */
  score: ({ products, n, sum, scored, score }) =>
    gettext("q·k = {products} ({n} products, sum {sum}) → {scored} = {score}", {
      products,
      n,
      sum,
      scored,
      score,
    }),
  /** @param {string} before @param {string} bias */
  biased: (before, bias) => `${before} + ${bias}`,
  /** @param {string} before @param {string} reason */
  blocked: (before, reason) =>
    gettext("{before} → blocked by {reason}, so its weight is 0", { before, reason }),
  /** @param {string} before @param {string} softmax */
  softmax: (before, softmax) => `${before} → ${softmax}`,
  /** @param {string} before @param {string} reason */
  blockedAfter: (before, reason) =>
    gettext("{before} → × 0 = 0, blocked by {reason}", { before, reason }),
  /** @param {string} before */
  allowedAfter: (before) => gettext("{before} → × 1, allowed", { before }),
};

/** Notes on how the softmax is computed. */
export const NOTES = {
  /** @param {string} score @param {string} weight */
  model: (score, weight) =>
    gettext("The model’s own float32 has the score {score} and the weight {weight}.", {
      score,
      weight,
    }),
  /** @param {number} n @param {boolean} withSink */
  terms: (n, withSink) =>
    withSink
      ? gettext("Σ runs over {n} numbers, the sink’s among them.", { n })
      : gettext("Σ runs over {n} numbers.", { n }),
  subtracted: gettext(
    "Programs first subtract the largest score from every score, so that e^s cannot overflow. The result is the same.",
  ),
  /** @param {string} largest */
  shifted: (largest) =>
    gettext(
      "Shifted by the largest score, {largest}, as programs do, because e^s itself is too large for float32. The result is the same.",
      { largest },
    ),
};
