// Saves a score that is taken apart: its whole table, what else it is the sum of, and the row of its query.

import { traceFile } from "../../api/api.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tokenColumns } from "../../words/format.js";
import { refusal, seenIn } from "./reading.js";
import { whyRequest } from "./request.js";
import { totalsOf } from "./totals.js";
import { partLabel } from "./words.js";

/** @type {import("../view.js").Save} */
export const save = {
  parts: (state) => ["why", state.query ?? "", state.key ?? ""].filter((part) => part !== ""),
  csv: async (state) => {
    const seen = seenIn(state);
    if (!seen) throw new Error(refusal(state) || NOTHING);
    return cellCsv(seen);
  },
  file: (state, type) => {
    const request = whyRequest(state, modelIn(state), true);
    if (!request) throw new Error(refusal(state) || NOTHING);
    return traceFile(request, type);
  },
};

/**
 * A line for each pair of parts, then what else the score is the sum of, then the row of the query.
 * @param {Pick<import("./reading.js").Breakdown, "table" | "row">} seen
 */
export function cellCsv({ table, row: keys }) {
  const { values, query_parts, key_parts, site, pattern, scores, switched } = table;
  const named = key_parts.map((part) => partLabel(part, site, "key"));
  const columns = [
    "what",
    "part of the query",
    "part of the key",
    ...tokenColumns("key"),
    "value",
    "without the parts that are off",
  ];
  const noKey = [null, null, null, null];
  /** @type {(string | number | null)[][]} */
  const pairs = values.flatMap((row, at) =>
    row.map((value, column) => [
      "pair",
      partLabel(query_parts[at], site, "query"),
      named[column],
      ...noKey,
      value,
      null,
    ]),
  );
  const rest = totalsOf(table).map(({ name, value }) => [name, null, null, ...noKey, value, null]);
  const row = keys.flatMap((key, at) => [
    ["row_score", null, null, ...key, scores[at], switched?.scores[at] ?? null],
    ["row_attention", null, null, ...key, pattern[at], switched?.pattern[at] ?? null],
  ]);
  return csvTable(columns, [...pairs, ...rest, ...row]);
}
