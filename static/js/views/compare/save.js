// Saves a comparison: A, B and their difference, one line per pair of tokens; and both answers in one file.

import { traceFile } from "../../api/api.js";
import { headRequest } from "../../asking/saved.js";
import { merged } from "../../files/safetensors.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable } from "../../words/format.js";
import { pictured } from "./comparison.js";
import { hasNumber } from "./difference.js";
import { columnsOf } from "./words.js";

/** @import { Against, Model, State } from "../../types.d.ts" */

/** @type {import("../view.js").Save} */
export const save = {
  parts: ({ matrix }) => ["compare", matrix],
  of: "B: ",
  offers: ["bar"],
  csv: async (state) => {
    const picture = state.against ? pictured(state, state.against) : null;
    if (typeof picture === "string") throw new Error(picture);
    if (!picture) throw new Error(NOTHING);
    return comparedCsv(picture.a, picture.b, picture.compared);
  },
  file: async (state, type) => {
    const { against, models } = state;
    const request = headRequest(state, modelIn(state));
    if (!against) return traceFile(request, type);
    const held = sideRequest(state, against, modelIn({ models, model: against.model }));
    return both(await traceFile(held, type), await traceFile(request, type));
  },
};

/**
 * Two heads and their difference, one line per pair of tokens; what one of the two lacks is empty.
 * @param {import("./difference.js").Side} a
 * @param {import("./difference.js").Side} b
 * @param {import("./difference.js").Compared} both
 */
export function comparedCsv(a, b, both) {
  const { pairs, matrix } = both;
  /** @param {import("./difference.js").Side} side @param {number | null} query @param {number | null} key */
  const value = ({ matrix: { cols, data }, blocked }, query, key) =>
    query === null || key === null || blocked.data[query * cols + key]
      ? null
      : data[query * cols + key];
  /** @param {"queries" | "keys"} axis @param {import("./align.js").Pair} pair @param {string} label */
  const token = (axis, pair, label) => [
    pair.a,
    pair.a === null ? null : a.ids[axis][pair.a],
    pair.b,
    pair.b === null ? null : b.ids[axis][pair.b],
    label,
  ];
  const rows = pairs.queries.flatMap((query, row) =>
    pairs.keys.map((key, col) => {
      const at = row * matrix.cols + col;
      return [
        ...token("queries", query, both.queries[row]),
        ...token("keys", key, both.keys[col]),
        value(a, query.a, key.a),
        value(b, query.b, key.b),
        hasNumber(both, at) ? matrix.data[at] : null,
      ];
    }),
  );
  return csvTable([...columnsOf("query"), ...columnsOf("key"), "A", "B", "B − A"], rows);
}

/**
 * The request for one side of a comparison: the held head or the selected one.
 * @param {Readonly<State>} state
 * @param {Against} side
 * @param {Model} model the model of that side
 */
export const sideRequest = (state, side, model) => headRequest({ ...state, ...side }, model);

/** Merge the answers for A and B into one file. @param {Blob} a @param {Blob} b */
async function both(a, b) {
  if (a.type === "application/safetensors") {
    const parts = [await a.arrayBuffer(), await b.arrayBuffer()];
    return new Blob([merged({ a: parts[0], b: parts[1] })], { type: a.type });
  }
  return new Blob([`{"a":${await a.text()},"b":${await b.text()}}`], { type: a.type });
}
