// Saves the inside of a head: one row, with every step.

import { postTrace, traceFile } from "../../api/api.js";
import { inputs, kinds } from "../../asking/requests.js";
import { detailOf } from "../../numbers/detail.js";
import { matrixOf } from "../../numbers/matrix.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tabled, tokenColumns } from "../../words/format.js";
import { explain } from "../../words/hatch.js";

/** @import { Model, State } from "../../types.d.ts" */
/** @typedef {{rows: number, cols: number, data: ArrayLike<number>}} Matrix */

/** The tensors of every step; a model may lack some. */
const STEPS = ["q", "k", "v", "scores", "pattern", "hidden", "z", "result", "blocked_by"];

/** @type {import("../view.js").Save} */
export const save = {
  parts: (state) => ["row", rowOf(state)],
  csv: async (state) => {
    const answer = await postTrace(rowRequest(state, modelIn(state), rowOf(state)));
    const site = answer.trace.sites[0];
    const detail = detailOf(state);
    if (!site || !detail) throw new Error(NOTHING);
    const { text } = detail;
    const of = (/** @type {string} */ name) => {
      const tensor = answer.tensors.get(`${site.name}.${name}`);
      return tensor ? matrixOf(tensor, text, 0) : null;
    };
    const [pattern, blocked] = [of("hidden") ?? of("pattern"), of("blocked_by")];
    if (!pattern || !blocked) throw new Error(NOTHING);
    return rowCsv({
      keys: tabled(detail.keys, detail.keyLabels),
      scale: site.kernel === "linear" ? null : site.scale,
      q: of("q")?.data ?? null,
      k: of("k"),
      v: of("v"),
      scores: of("scores")?.data ?? null,
      pattern: pattern.data,
      blocked: blocked.data,
    });
  },
  file: (state, type) => traceFile(rowRequest(state, modelIn(state), rowOf(state)), type),
};

/** @param {Readonly<State>} state */
const rowOf = (state) => detailOf(state)?.row ?? 0;

/**
 * One row of a head, with a line for each key and a column for each step.
 * @param {object} options
 * @param {import("../../words/format.js").Tabled[]} options.keys
 * @param {number | null} options.scale null: there is none, in linear attention
 * @param {ArrayLike<number> | null} options.q of the query; null if the model lacks it
 * @param {Matrix | null} options.k a row for each key
 * @param {Matrix | null} options.v
 * @param {ArrayLike<number> | null} options.scores
 * @param {ArrayLike<number>} options.pattern
 * @param {ArrayLike<number>} options.blocked
 */
export function rowCsv({ keys, scale, q, k, v, scores, pattern, blocked }) {
  /** @param {string} name @param {Matrix | null} matrix */
  const channels = (name, matrix) =>
    Array.from({ length: matrix?.cols ?? 0 }, (_, channel) => `${name}[${channel}]`);
  const columns = [
    ...tokenColumns("key"),
    ...(q && k ? ["q·k"] : []),
    ...(q && k && scale !== null ? ["scale", "q·k × scale"] : []),
    ...(scores ? ["score"] : []),
    "blocked by",
    "weight",
    ...(q && k ? [...channels("q", k), ...channels("k", k), ...channels("q∘k", k)] : []),
    ...(v ? [...channels("v", v), ...channels("weight × v", v)] : []),
  ];
  const rows = keys.map((token, key) => {
    const vector = (/** @type {Matrix | null} */ matrix) =>
      matrix
        ? Array.from(
            { length: matrix.cols },
            (_, channel) => matrix.data[key * matrix.cols + channel],
          )
        : [];
    const [own, other, values] = [Array.from(q ?? []), vector(k), vector(v)];
    const products = other.map((number, channel) => number * own[channel]);
    const dot = products.reduce((sum, number) => sum + number, 0);
    const weight = blocked[key] ? null : pattern[key];
    return [
      ...token,
      ...(q && k ? [dot] : []),
      ...(q && k && scale !== null ? [scale, dot * scale] : []),
      ...(scores ? [scores[key]] : []),
      explain(blocked[key]),
      weight,
      ...(q && k ? [...own, ...other, ...products] : []),
      ...(v ? [...values, ...values.map((number) => number * pattern[key])] : []),
    ];
  });
  return csvTable(columns, rows);
}

/**
 * The request for every step of one row.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @param {number} row
 */
export function rowRequest(state, model, row) {
  const tensors = STEPS.filter((name) => model.tensors?.includes(name) ?? true);
  return {
    ...inputs(state, model),
    select: {
      tensors,
      layers: [state.layer],
      ...kinds(state),
      heads: [state.head],
      rows: [row, row + 1],
    },
    predict: null,
  };
}
