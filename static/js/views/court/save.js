// Saves the explanations: a line for each token, with a column for each.

import { postTrace, traceFile } from "../../api/api.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tokenColumns, tokenFields } from "../../words/format.js";
import { courtRequest } from "./request.js";

/** @import { State } from "../../types.d.ts" */

/** @type {import("../view.js").Save} */
export const save = {
  parts: () => ["explanations"],
  csv: async (state) => {
    const { trace } = await postTrace(requestOf(state));
    const text = Math.min(state.shown, trace.tokens.length - 1);
    const court = trace.court?.[text];
    if (!court) throw new Error(NOTHING);
    return courtCsv(court, trace.tokens[text]);
  },
  file: (state, type) => traceFile(requestOf(state), type),
};

/** @param {Readonly<State>} state */
function requestOf(state) {
  const request = courtRequest(state, modelIn(state));
  if (!request) throw new Error(NOTHING);
  return request;
}

/** An empty field: the witness has nothing to say. @param {import("../../types.d.ts").Court} court @param {import("../../types.d.ts").Token[]} tokens */
export function courtCsv({ sources, testimonies }, tokens) {
  const rows = sources.map((at, place) => [
    ...tokenFields(at, tokens[at]),
    ...testimonies.map(({ values }) => values?.[place] ?? null),
  ]);
  return csvTable([...tokenColumns("key"), ...testimonies.map(({ name }) => name)], rows);
}
