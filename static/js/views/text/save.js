// Saves the text view: every weight that pointing at a token could show, exact even for a long text.

import { postTrace, traceFile } from "../../api/api.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tabled, tokenColumns } from "../../words/format.js";
import { headsOf, meanOf, partsIn, wholeRequest } from "./weights.js";
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
    const queries = tabled(detail.queries, detail.queryLabels);
    return weightsCsv(queries, tabled(detail.keys, detail.keyLabels), parts);
  },
  file: (state, type) => traceFile(wholeRequest(state, modelIn(state)), type),
};

/**
 * A line for each cell; the field of a blocked cell is empty.
 * @param {import("../../words/format.js").Tabled[]} queries
 * @param {import("../../words/format.js").Tabled[]} keys
 * @param {import("./weights.js").Part[]} parts
 */
export function weightsCsv(queries, keys, parts) {
  const rows = queries.flatMap((query, row) => {
    const { values, blocked } = meanOf(parts, "query", row);
    return keys.map((key, col) => [...query, ...key, blocked[col] ? null : values[col]]);
  });
  const columns = [...tokenColumns("query"), ...tokenColumns("key"), columnName(parts.length)];
  return csvTable(columns, rows);
}
