// Saves the text view: every weight that pointing at a token could show, exact even for a long text.

import { postTrace, traceFile } from "../../api/api.js";
import { detailOf } from "../../numbers/detail.js";
import { seenOf } from "../../numbers/units.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tabled, tokenColumns } from "../../words/format.js";
import { headsOf, meanOf, ofWords, partsIn, wholeRequest } from "./weights.js";
import { columnName } from "./words.js";

/** @type {import("../view.js").Save} */
export const save = {
  parts: ({ over }) => (over === "head" ? ["text"] : ["text", over]),
  offers: ["bar"],
  csv: async (state) => {
    const model = modelIn(state);
    const answer = await postTrace(wholeRequest(state, model));
    const detail = detailOf({ ...state, detail: answer });
    const parts = detail && partsIn(answer, headsOf(state, model), detail);
    if (!parts) throw new Error(NOTHING);
    /** @type {import("../../numbers/units.js").Seen} */
    const seen =
      seenOf({ ...state, detail: answer, matrix: "pattern" }, { whole: true }).detail ?? detail;
    const weights = ofWords((role, place) => meanOf(parts, role, place), seen.words);
    const queries = tabled(seen.queries, seen.queryLabels);
    return weightsCsv(queries, tabled(seen.keys, seen.keyLabels), weights, parts.length);
  },
  file: (state, type) => traceFile(wholeRequest(state, modelIn(state)), type),
};

/**
 * A line for each cell; the field of a blocked cell is empty.
 * @param {import("../../words/format.js").Tabled[]} queries
 * @param {import("../../words/format.js").Tabled[]} keys
 * @param {(role: "query", row: number) => import("./weights.js").Weights | null} weights
 * @param {number} n heads
 */
export function weightsCsv(queries, keys, weights, n) {
  const rows = queries.flatMap((query, row) => {
    const { values = [], blocked = [] } = weights("query", row) ?? {};
    return keys.map((key, col) => [...query, ...key, blocked[col] ? null : values[col]]);
  });
  const columns = [...tokenColumns("query"), ...tokenColumns("key"), columnName(n)];
  return csvTable(columns, rows);
}
