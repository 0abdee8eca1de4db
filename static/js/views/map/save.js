// Saves the map: where each head looks most in the selected row, and whether it is muted.

import { traceFile } from "../../api/api.js";
import { headsRequest } from "../../asking/saved.js";
import { detailOf } from "../../numbers/detail.js";
import { isMuted, modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tabled } from "../../words/format.js";
import { lookOf } from "./reading.js";
import { COLUMNS } from "./words.js";

/** @type {import("../view.js").Save} */
export const save = {
  parts: () => ["map"],
  csv: async (state) => {
    const detail = detailOf(state);
    if (!detail) throw new Error(NOTHING);
    return headsCsv(state, detail);
  },
  file: (state, type) => traceFile(headsRequest(state, modelIn(state)), type),
};

/**
 * A line for each head. A field is empty if the page does not have its number.
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {import("./reading.js").Detail} detail
 */
export function headsCsv(state, detail) {
  const keys = tabled(detail.keys, detail.keyLabels);
  const rows = (modelIn(state).sites ?? []).flatMap(({ kind, layer, n_heads }) =>
    Array.from({ length: n_heads }, (_, head) => {
      const look = lookOf(state, detail, { kind, layer, head });
      const muted = isMuted(state.muted, kind, layer, head) ? 1 : 0;
      const token = look ? keys[look.key] : [null, null, null, null];
      return [kind, layer, head, muted, ...token, look?.share ?? null];
    }),
  );
  return csvTable(COLUMNS, rows);
}
