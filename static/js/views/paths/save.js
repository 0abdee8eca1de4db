// Saves the path map: every edge that was cut, drawn or not.

import { traceFile } from "../../api/api.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tokenFields } from "../../words/format.js";
import { mapIn, pathsRequest } from "./request.js";
import { COLUMNS } from "./words.js";

/** @type {import("../view.js").Save} */
export const save = {
  parts: () => ["paths"],
  csv: async (state) => {
    const map = mapIn(state);
    if (!map) throw new Error(NOTHING);
    return edgesCsv(map.found, map.tokens);
  },
  file: (state, type) => {
    const request = pathsRequest(state, modelIn(state));
    if (!request) throw new Error(NOTHING);
    return traceFile(request, type);
  },
};

/** @param {import("../../types.d.ts").Paths} paths @param {import("../../types.d.ts").Token[]} tokens */
export function edgesCsv({ edges }, tokens) {
  const end = (/** @type {import("../../types.d.ts").PathNode} */ { part, position }) => [
    part?.kind ?? "logit",
    part?.layer ?? null,
    part?.head ?? null,
    ...tokenFields(position, tokens[position]),
  ];
  return csvTable(
    COLUMNS,
    edges.map(({ sender, receiver, through, promised, moved, verdict }) => [
      ...end(sender),
      ...end(receiver),
      through,
      promised,
      moved,
      verdict,
    ]),
  );
}
