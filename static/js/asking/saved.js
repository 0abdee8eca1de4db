// The bodies of the requests for numbers to save, made from the reader's choice. Pure.

import { analysing, isOfHead } from "../state/matrices.js";
import { gridRequest, inputs, kinds } from "./requests.js";

/** @import { Model, State } from "../types.d.ts" */

/**
 * The whole matrix of the selected head, even if only a part of it is on screen.
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

/** The thumbnails of all heads, with their scores. @param {Readonly<State>} state @param {Model} model */
export const headsRequest = (state, model) => ({
  ...gridRequest(state, model),
  analyse: { scores: true },
});
