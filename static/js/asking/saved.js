// What is asked of the API for the numbers of what is saved. Pure: from the reader's choice to the body of a request.

import { analysing, isOfHead } from "../state/matrices.js";
import { gridRequest, inputs, kinds } from "./requests.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").State} State */

/**
 * The whole matrix of the selected head, whatever part of it is on the page.
 * @param {Readonly<State>} state
 * @param {Model} model
 */
export function headRequest(state, model) {
  const { layer, head, matrix } = state;
  const more = isOfHead(matrix) && matrix !== "pattern" ? [matrix] : [];
  return {
    ...inputs(state, model),
    select: {
      tensors: ["pattern", ...more, "blocked_by"],
      layers: [layer],
      ...kinds(state),
      heads: [head],
    },
    ...analysing(matrix),
    predict: null,
  };
}

/** All heads, small, with their scores. @param {Readonly<State>} state @param {Model} model */
export const headsRequest = (state, model) => ({
  ...gridRequest(state, model),
  analyse: { scores: true },
});
