// Inside: everything that people read in the arithmetic of one cell. Pure.

import { quote, shorten } from "../../../words/format.js";

export const SECTION = {
  label: "The arithmetic of one cell",
  /** @param {number} key @param {string} token */
  title: (key, token) => `Key ${key} ${quote(shorten(token, 24))}, on paper`,
  /** @param {number} n */
  products: (n) => `All ${n} products`,
  /** @param {number} n */
  terms: (n) => `All ${n} terms of Σ`,
};

/** @param {string} token */
const quoted = (token) => quote(shorten(token, 24));

/** @typedef {{query: string, key: string}} Tokens */
/** @typedef {Tokens & {n: number, share: string}} Shared */

/** The steps of one cell. */
export const LEAD = {
  /** @param {Tokens} cell */
  title: ({ query, key }) => `How ${quoted(query)} comes to look at ${quoted(key)}`,
  /** @param {Tokens & {n: number, dot: string}} cell */
  dot: ({ query, key, n, dot }) =>
    `${quoted(query)} has a vector q, what it looks for. ${quoted(key)} has a vector k, what it can be found by. Both have ${n} numbers; multiplied one by one and added up, they give q·k = ${dot}.`,
  /** @param {{scale: string, cap: string | null, score: string}} cell */
  score: ({ scale, cap, score }) =>
    cap === null
      ? `Times the scale, ${scale}, that is the score: ${score}.`
      : `Times the scale, ${scale}, and kept within ±${cap}, that is the score: ${score}.`,
  /** @param {{score: string, isBiased: boolean}} cell */
  logarithm: ({ score, isBiased }) =>
    isBiased
      ? `Weights are in proportion to this number itself, less the farther the token: as a score for softmax, its logarithm with the bias, ${score}.`
      : `Weights are in proportion to this number itself: as a score for softmax, its logarithm, ${score}.`,
  /** @param {{scale: string, cap: string | null, scaled: string, bias: string, score: string}} cell */
  biased: ({ scale, cap, scaled, bias, score }) =>
    cap === null
      ? `Times the scale, ${scale}, that is ${scaled}. With the bias for these two places, ${bias}, the score is ${score}.`
      : `Times the scale, ${scale}, and kept within ±${cap}, that is ${scaled}. With the bias for these two places, ${bias}, the score is ${score}.`,
  /** @param {{scale: string, scaled: string, left: string | null, score: string}} cell `left`: of the key, where it fades */
  product: ({ scale, scaled, left, score }) =>
    left === null
      ? `Times the scale, ${scale}, that is the score: ${score}. There is no softmax, so the score itself is the weight.`
      : `Times the scale, ${scale}, that is ${scaled}. Of this key, ${left} is left when it comes to the query, so the score is ${score}. There is no softmax, so the score itself is the weight.`,
  /** @param {Tokens & {masks: string}} cell */
  blocked: ({ query, key, masks }) =>
    `But ${quoted(key)} is hidden from ${quoted(query)} by ${masks}, so its weight is 0.`,
  /** @param {{masks: string}} cell */
  blockedAfter: ({ masks }) => `But the cell is blocked by ${masks}, so its weight is 0.`,
  /** By the axis of the softmax; `n` scores share it. */
  softmax: {
    /** @param {Shared} cell */
    key: ({ query, key, n, share }) =>
      n === 1
        ? `${quoted(query)} can see no other token: softmax gives ${quoted(key)} a share of ${share}.`
        : `Softmax turns the scores of the ${n} tokens that ${quoted(query)} can see into shares of 1. ${quoted(key)} gets ${share}.`,
    /** @param {Shared} cell */
    query: ({ query, key, n, share }) =>
      n === 1
        ? `No other token can see ${quoted(key)}: softmax gives ${quoted(query)} a share of ${share}.`
        : `Softmax turns the scores of the ${n} tokens that can see ${quoted(key)} into shares of 1. ${quoted(query)} gets ${share}.`,
  },
  /** @param {{sink: string}} row `sink`: its share */
  sink: ({ sink }) => `The sink, which is not a token, takes ${sink}.`,
  /** @param {Tokens & {weight: string}} cell */
  value: ({ key, weight }) =>
    `So the head takes ${weight} of the vector v of ${quoted(key)}, what it has to say, and adds it to what the other tokens say.`,
  /** @param {Tokens & {weight: string}} cell */
  signed: ({ key, weight }) =>
    `So the head takes ${weight} times the vector v of ${quoted(key)}, what it has to say, and adds it to what the other tokens say.`,
  /** @param {{query: string, gate: string}} row */
  gate: ({ query, gate }) =>
    `All of this is then multiplied by the gate of ${quoted(query)}: ${gate} of it is passed on.`,
  muted: "This head is muted, so it passes nothing on.",
  row: "The same for every token, one line each:",
};

/** The columns of the two tables, and the label of their last row. */
export const PRODUCTS = { columns: ["channel", "q", "k", "q × k"], sum: "sum" };
export const TERMS = {
  /** @param {boolean} overKeys */
  columns: (overKeys) => [overKeys ? "key" : "query", "s", "e^s, shifted as above"],
  sink: "sink",
  sum: "Σ",
};

/** The line: each step takes the one before it. Numbers are given as they are shown. */
export const LINE = {
  /** @param {string} before @param {string} bias */
  faded: (before, bias) => `${before} × e^${bias}`,
  /** @param {string} before */
  unshared: (before) => `${before}, the weight: there is no softmax`,
  /** @param {string} number */
  logarithm: (number) => `ln ${number}`,
  /** @param {{products: string, n: number, sum: string, scored: string, score: string}} numbers */
  score: ({ products, n, sum, scored, score }) =>
    `q·k = ${products} (${n} products, sum ${sum}) → ${scored} = ${score}`,
  /** @param {string} before @param {string} bias */
  biased: (before, bias) => `${before} + ${bias}`,
  /** @param {string} before @param {string} reason */
  blocked: (before, reason) => `${before} → blocked by ${reason}, so its weight is 0`,
  /** @param {string} before @param {string} softmax */
  softmax: (before, softmax) => `${before} → ${softmax}`,
  /** @param {string} before @param {string} reason */
  blockedAfter: (before, reason) => `${before} → × 0 = 0, blocked by ${reason}`,
  /** @param {string} before */
  allowedAfter: (before) => `${before} → × 1, allowed`,
};

/** Notes on how the softmax is computed. */
export const NOTES = {
  /** @param {string} score @param {string} weight */
  model: (score, weight) =>
    `The model’s own float32 has the score ${score} and the weight ${weight}.`,
  /** @param {number} n @param {boolean} withSink */
  terms: (n, withSink) =>
    withSink ? `Σ runs over ${n} numbers, the sink’s among them.` : `Σ runs over ${n} numbers.`,
  subtracted:
    "Programs first subtract the largest score from every score, so that e^s cannot overflow. The result is the same.",
  /** @param {string} largest */
  shifted: (largest) =>
    `Shifted by the largest score, ${largest}, as programs do, because e^s itself is too large for float32. The result is the same.`,
};
