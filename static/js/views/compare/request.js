// What a comparison asks of the API: A in full, and B where what stands there of a long text is a picture. Pure.

import { inputs, isLong, kinds, predictAs, readAt } from "../../asking/requests.js";
import { comparedIn, sameTokens } from "../../state/against.js";
import { MAX_TOKENS } from "../../state/align.js";
import { modelIn } from "../../state/choice.js";
import { analysing, isOfHead } from "../../state/matrices.js";

/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {import("../../types.d.ts").Matrix} Matrix */
/** @typedef {import("../../types.d.ts").State} State */

/**
 * The question for A: one head in full, and what the model predicts. A model that is not loaded loads when it is asked for
 * the smallest trace; how it wants to be asked is known after that.
 * @param {Readonly<State>} state
 * @returns {object | null} null while nobody compares
 */
export function otherRequest(state) {
  const { view, against, models } = state;
  if (view !== "compare" || !against) return null;
  const model = modelIn({ models, ...against });
  if (model.state !== "ready") {
    return { model: against.model, texts: ["a"], select: { layers: [] }, predict: null };
  }
  const held = { ...state, ...against };
  const matrix = comparedIn(state);
  const position = sameTokens(state, against) ? readAt(held, model) : null;
  return {
    ...inputs(held, model),
    select: selectOf(held, matrix),
    ...analysing(matrix),
    predict: model.predicts ? predictAs(state, position) : null,
  };
}

/**
 * B in full, where what stands there of a long text is a picture.
 * @param {Readonly<State>} state
 * @returns {object | null} null: it stands there already, or nobody compares
 */
export function wholeRequest(state) {
  const { view, against } = state;
  if (view !== "compare" || !against || !isWholeApart(state)) return null;
  return { ...inputs(state, modelIn(state)), select: selectOf(state, "pattern"), predict: null };
}

/** Whether B's numbers are a question of their own. @param {Readonly<State>} state */
export const isWholeApart = (state) => isLong(state) && comparedIn(state) === "pattern";

/**
 * One head, whose cells are numbers. Of more tokens than can be aligned it would be large, and comes pooled.
 * @param {Readonly<State>} choice
 * @param {Matrix} matrix
 */
const selectOf = (choice, matrix) => ({
  tensors: ["pattern", "blocked_by", ...(isOfHead(matrix) && matrix !== "pattern" ? [matrix] : [])],
  ...{ layers: [choice.layer], ...kinds(choice), heads: [choice.head] },
  ...(matrix === "pattern" && isLong(choice) ? { resolution: MAX_TOKENS } : {}),
});
