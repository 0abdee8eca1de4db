// What is saved of the text: every weight that pointing could show, in full, whatever the page has of a long text.

import { postTrace, traceFile } from "../../api/api.js";
import { NOTHING } from "../../draw/pictures/about.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { csvTable } from "../../words/format.js";
import { headsOf, meanOf, partsIn, wholeRequest } from "./weights.js";

/** @type {import("../view.js").Save} */
export const save = {
  parts: ({ over }) => (over === "head" ? ["text"] : ["text", over]),
  csv: async (state) => {
    const model = modelIn(state);
    const answer = await postTrace(wholeRequest(state, model));
    const detail = detailOf({ ...state, detail: answer });
    const parts = detail && partsIn(answer, headsOf(state, model), detail);
    if (!parts) throw new Error(NOTHING);
    return weightsCsv(detail.queryLabels, detail.keyLabels, parts);
  },
  file: (state, type) => traceFile(wholeRequest(state, modelIn(state)), type),
};

/**
 * A line for each cell; what is blocked is an empty field.
 * @param {string[]} queries labels
 * @param {string[]} keys
 * @param {import("./weights.js").Part[]} parts
 */
export function weightsCsv(queries, keys, parts) {
  const rows = queries.flatMap((query, row) => {
    const { values, blocked } = meanOf(parts, "query", row);
    return keys.map((key, col) => [row, query, col, key, blocked[col] ? null : values[col]]);
  });
  const weight = parts.length > 1 ? `mean weight of ${parts.length} heads` : "weight";
  return csvTable(["query", "query token", "key", "key token", weight], rows);
}
