// Saves the patches: a line for each.

import { postTrace, traceFile } from "../../api/api.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable } from "../../words/format.js";
import { benchIn, groupAt } from "./reading.js";
import { missingIn, patchRequest } from "./request.js";
import { COLUMNS, MISSING } from "./words.js";

/** @type {import("../view.js").Save} */
export const save = {
  parts: () => ["patching"],
  csv: async (state) => {
    const answer = await postTrace(requestOf(state));
    const bench = benchIn({ ...state, patched: { status: "ready", answer, problem: null } });
    if (!bench) throw new Error(NOTHING);
    return patchesCsv(bench);
  },
  file: (state, type) => traceFile(requestOf(state), type),
};

/** With all patches run. @param {Readonly<import("../../types.d.ts").State>} state */
function requestOf(state) {
  const request = patchRequest(state, modelIn(state), null);
  if (request) return request;
  const missing = missingIn(state, modelIn(state));
  throw new Error(missing ? MISSING[missing] : NOTHING);
}

/** An empty field: the patch has no token of its own, or no head. @param {import("./reading.js").Bench} bench */
export function patchesCsv(bench) {
  const { at, by, layers } = bench.found;
  const rows = layers.flatMap(({ kind, layer, cells }, row) =>
    cells.map(({ metric, restored, estimate, disagrees }, index) => {
      const { name, clean, position, ids } = groupAt(bench, row).columns[index];
      const token =
        by === "head"
          ? [index, null, null, null, null, null]
          : [null, position, ids[0], clean, ids[1], name];
      return [at, kind, layer, ...token, metric, restored, estimate, Number(disagrees)];
    }),
  );
  return csvTable(COLUMNS, rows);
}
