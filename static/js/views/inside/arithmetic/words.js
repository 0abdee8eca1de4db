// Inside: everything that people read in the arithmetic of one cell. Pure.

import { shorten } from "../../../words/format.js";

export const SECTION = {
  label: "The arithmetic of one cell",
  /** @param {number} key @param {string} token */
  title: (key, token) => `Key ${key} “${shorten(token, 24)}”, on paper`,
  /** @param {number} n */
  products: (n) => `All ${n} products`,
  /** @param {number} n */
  terms: (n) => `All ${n} terms of Σ`,
};

/** The columns of the two tables, and the label of their last row. */
export const PRODUCTS = { columns: ["channel", "q", "k", "q × k"], sum: "sum" };
export const TERMS = {
  /** @param {boolean} overKeys */
  columns: (overKeys) => [overKeys ? "key" : "query", "s", "e^s, as shifted in the line"],
  sink: "sink",
  sum: "Σ",
};

/** The line: each step takes the one before it. Numbers are given as they are shown. */
export const LINE = {
  /** @param {{products: string, n: number, sum: string, scaling: string, bias: string, score: string}} numbers */
  score: ({ products, n, sum, scaling, bias, score }) =>
    `q·k = ${products} (${n} products, sum ${sum}) → ${scaling} + ${bias} = ${score}`,
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
    "Programs subtract the largest score from each first, so that e^s cannot overflow; the quotient is the same.",
  /** @param {string} largest */
  shifted: (largest) =>
    `Shifted by the largest score, ${largest}, as programs do: e^s itself is beyond what float32 holds. The quotient is the same.`,
};
