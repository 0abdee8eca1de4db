// Everything that can be drawn as a matrix of queries and keys: one row each in static/js/facts/matrices.json, in the order of the
// page, the default first. How they are computed: model/trace/tensors.py and model/analysis. Pure.

import LIMITS from "../facts/limits.json" with { type: "json" };
import MATRIX_FACTS from "../facts/matrices.json" with { type: "json" };
import { worded } from "../language/facts.js";

/**
 * @typedef {object} MatrixRow
 * @property {string} name its name in the API
 * @property {string} label the text of its button
 * @property {"head" | "trace"} of "head": a tensor, one for each head; "trace": an analysis, one for the whole trace
 * @property {boolean} always whether it is fetched with every head; otherwise only while it is selected
 * @property {"share" | "signed" | "size"} scale "share": 0 to 1; "signed": symmetric about 0; "size": from 0 up
 * @property {string} unit what its numbers are called, on the colour bar and above a column
 * @property {string} row the verb after “token”, above the row of a token
 * @property {string} about one sentence; "" if the help explains it
 * @property {string | null} lines what the Lines view calls it; null: that view draws the pattern instead
 * @property {boolean} sums whether the sum of a row means something
 * @property {boolean} [pairs] only of mechanisms whose heads come in pairs
 * @property {number} [max_tokens] of a text; the server refuses a longer one
 */

export const MATRIX_ROWS = worded(MATRIX_FACTS, "matrices");

/** @typedef {typeof MATRIX_ROWS[number]["name"]} MatrixName */

/** @type {Record<MatrixName, MatrixRow>} */
export const MATRICES = /** @type {any} */ (
  Object.fromEntries(
    MATRIX_ROWS.map((row) => [
      row.name,
      "limit" in row ? { ...row, max_tokens: LIMITS[row.limit] } : row,
    ]),
  )
);
export const MATRIX_NAMES = MATRIX_ROWS.map(({ name }) => name);

/** Tensors that are fetched with every head. @type {string[]} */
export const ALWAYS = MATRIX_ROWS.filter(({ always }) => always).map(({ name }) => name);

/** Whether each head has one; an analysis covers all heads. @param {MatrixName} name */
export const isOfHead = (name) => MATRICES[name].of === "head";

/** What to ask the API to analyse for a matrix. @param {MatrixName} name @returns {{analyse?: Record<string, true>}} */
export const analysing = (name) => (isOfHead(name) ? {} : { analyse: { [name]: true } });

/** Whether it is for short texts only. @param {MatrixName} name */
export const isLimited = (name) => MATRICES[name].max_tokens !== undefined;

/**
 * The number of tokens, if they are too many for the selected matrix.
 * @param {{matrix: MatrixName, grid: import("../types.d.ts").Answer | null}} state
 * @returns {number | null} null: the matrix can be drawn, as far as the last answer tells
 */
export function excessTokens({ matrix, grid }) {
  const n = grid?.trace.tokens[0].length ?? 0;
  return n > (MATRICES[matrix].max_tokens ?? Number.POSITIVE_INFINITY) ? n : null;
}

/** The matrices to offer where the selected one cannot be drawn: the default, and analyses without a limit. */
export const UNLIMITED = MATRIX_ROWS.filter(
  ({ name, of }, index) => index === 0 || (of === "trace" && !isLimited(name)),
);

/**
 * The next matrix that is available, after this one.
 * @param {MatrixName} name
 * @param {MatrixName[]} given the matrices that the model has
 * @param {Partial<Record<string, string>>} lacks those that the server refused all the same
 */
export function nextMatrix(name, given, lacks) {
  const known = given.filter((matrix) => !lacks[matrix]);
  return known[(known.indexOf(name) + 1) % known.length];
}
