// Saves the explanations: a line for each token, with a column for each.

import { postTrace, traceFile } from "../../api/api.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tokenColumns, tokenFields } from "../../words/format.js";
import { explanationsRequest } from "./request.js";

/** @import { State } from "../../types.d.ts" */

/** @type {import("../view.js").Save} */
export const save = {
  parts: () => ["explanations"],
  csv: async (state) => {
    const { trace } = await postTrace(requestOf(state, []));
    const text = Math.min(state.shown, trace.tokens.length - 1);
    const explanations = trace.explanations?.[text];
    if (!explanations) throw new Error(NOTHING);
    return explanationsCsv(explanations, trace.tokens[text]);
  },
  file: (state, type) => traceFile(requestOf(state, null), type),
};

/** @param {Readonly<State>} state @param {string[] | null} curves */
function requestOf(state, curves) {
  const request = explanationsRequest(state, modelIn(state), curves);
  if (!request) throw new Error(NOTHING);
  return request;
}

/** An empty field: the method has nothing to say. @param {import("../../types.d.ts").Explanations} explanations @param {import("../../types.d.ts").Token[]} tokens */
export function explanationsCsv({ sources, methods }, tokens) {
  const rows = sources.map((at, index) => [
    ...tokenFields(at, tokens[at]),
    ...methods.map(({ values }) => values?.[index] ?? null),
  ]);
  return csvTable([...tokenColumns("key"), ...methods.map(({ name }) => name)], rows);
}
