// What can be drawn as a matrix of queries and keys: a row for each, in the order of the page, the default first. The server's rows
// are in model/tensors.py and model/analysis. Pure.

/**
 * @typedef {object} MatrixRow
 * @property {string} name as the API has it
 * @property {string} label of its button
 * @property {"head" | "trace"} of whether each head has one, a tensor, or the trace has one, an analysis
 * @property {boolean} always whether it comes with every head; else it is asked for while it is looked at
 * @property {"share" | "signed" | "size"} scale from 0 to 1; as far below zero as above; from 0 up
 * @property {string} unit what a number is, on the colour bar and over a column
 * @property {string} row what the row of a token says; follows “token”
 * @property {string} about one sentence; "" where the help says it
 * @property {string | null} lines what Lines call it; null: they draw the pattern in its place
 * @property {boolean} sums whether what each query gives has a sum that means something
 */

export const MATRIX_ROWS = /** @type {const} */ ([
  {
    name: "pattern",
    label: "Pattern",
    of: "head",
    always: true,
    scale: "share",
    unit: "weight",
    row: "looks at",
    about: "",
    lines: "attention weights",
    sums: true,
  },
  {
    name: "scores",
    label: "Scores",
    of: "head",
    always: true,
    scale: "signed",
    unit: "score",
    row: "looks at",
    about: "",
    lines: null,
    sums: false,
  },
  {
    name: "norms",
    label: "Norms",
    of: "head",
    always: false,
    scale: "size",
    unit: "norm",
    row: "takes from",
    about:
      "‖weight × v W_O‖: how much the head moves, where the pattern says what share (Kobayashi et al. 2020).",
    lines: "norms, ‖weight × v W_O‖,",
    sums: false,
  },
  {
    name: "value_weighted",
    label: "× values",
    of: "head",
    always: false,
    scale: "share",
    unit: "share",
    row: "takes from",
    about:
      "Weight × ‖v‖, each row made to sum to 1: a key with a short value vector gives little, however much it is looked at.",
    lines: "attention weights × ‖v‖, each row made to sum to 1,",
    sums: true,
  },
  {
    name: "rollout",
    label: "Rollout",
    of: "trace",
    always: false,
    scale: "share",
    unit: "share",
    row: "is mixed from",
    about:
      "Of which tokens the last layer’s are mixed, by attention and residual stream alone, over all layers and heads (Abnar & Zuidema 2020).",
    lines: "rollout",
    sums: true,
  },
  {
    name: "flow",
    label: "Flow",
    of: "trace",
    always: false,
    scale: "share",
    unit: "flow",
    row: "can get from",
    about:
      "How much could pass from each token to the last layer’s: the maximum flow through attention and residual stream, over all layers and heads (Abnar & Zuidema 2020).",
    lines: "flow",
    sums: false,
  },
]);

/** @typedef {typeof MATRIX_ROWS[number]["name"]} MatrixName */

/** @type {Record<MatrixName, MatrixRow>} */
export const MATRICES = /** @type {any} */ (
  Object.fromEntries(MATRIX_ROWS.map((row) => [row.name, row]))
);
export const MATRIX_NAMES = MATRIX_ROWS.map(({ name }) => name);

/** Tensors that come with every head. @type {string[]} */
export const ALWAYS = MATRIX_ROWS.filter(({ always }) => always).map(({ name }) => name);

/** Whether each head has one: the others are of all heads. @param {MatrixName} name */
export const isOfHead = (name) => MATRICES[name].of === "head";

/** What to ask the API to analyse for a matrix. @param {MatrixName} name @returns {{analyse?: Record<string, true>}} */
export const analysing = (name) => (isOfHead(name) ? {} : { analyse: { [name]: true } });

/**
 * The matrix after this one, without those that cannot be had.
 * @param {MatrixName} name
 * @param {MatrixName[]} given what the model has
 * @param {Partial<Record<string, string>>} lacks what was refused nevertheless
 */
export function nextMatrix(name, given, lacks) {
  const known = given.filter((matrix) => !lacks[matrix]);
  return known[(known.indexOf(name) + 1) % known.length];
}
