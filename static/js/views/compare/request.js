// The requests of a comparison: A in full, and B in full if the text is so long that the page only has a picture of it. Pure.

import { inputs, isLong, kinds, predictAs, readAt, saying } from "../../asking/requests.js";
import { comparedIn, sameTokens } from "../../state/against.js";
import { modelIn } from "../../state/choice.js";
import { analysing, isOfHead } from "../../state/matrices.js";
import { MAX_TOKENS } from "./align.js";

/** @import { Choice, Matrix, State } from "../../types.d.ts" */

/**
 * The request for A: one head in full, and the predictions. A model that is not loaded is first asked for the smallest trace,
 * because its inputs and tensors are known only after that.
 * @param {Readonly<State>} state
 * @returns {object | null} null if nothing is compared
 */
export function otherRequest(state) {
  const { view, against } = state;
  if (view !== "compare" || !against) return null;
  const model = modelIn({ ...state, ...against });
  if (model.state !== "ready") {
    return { model: against.model, texts: ["a"], select: { layers: [] }, predict: null };
  }
  const held = { ...state, ...against };
  const matrix = comparedIn(state);
  const position = sameTokens(state, against) ? readAt(held, model) : null;
  return {
    ...saying(held, model),
    select: selectOf(held, matrix),
    ...analysing(matrix),
    predict: model.predicts ? predictAs(state, position) : null,
  };
}

/**
 * The request for B in full, if the text is long.
 * @param {Readonly<State>} state
 * @returns {object | null} null if it is not needed
 */
export function wholeRequest(state) {
  const { view, against } = state;
  if (view !== "compare" || !against || !isWholeApart(state)) return null;
  return { ...inputs(state, modelIn(state)), select: selectOf(state, "pattern"), predict: null };
}

/** Whether the numbers of B need a request of their own. @param {Readonly<State>} state */
export const isWholeApart = (state) => isLong(state) && comparedIn(state) === "pattern";

/**
 * One head in numbers, pooled if it has more tokens than can be aligned.
 * @param {Readonly<State>} choice
 * @param {Matrix} matrix
 */
const selectOf = (choice, matrix) => ({
  tensors: ["pattern", "blocked_by", ...(isOfHead(matrix) && matrix !== "pattern" ? [matrix] : [])],
  layers: [choice.layer],
  ...kinds(choice),
  heads: [choice.head],
  ...(matrix === "pattern" && isLong(choice) ? { resolution: MAX_TOKENS } : {}),
});
