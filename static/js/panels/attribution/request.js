// Which logit is taken apart, as a request. Pure.

import { analysis, readAt } from "../../asking/requests.js";

/**
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {import("../../types.d.ts").Model} model
 * @returns {object | null} null if the model predicts nothing
 */
export function attributionRequest(state, model) {
  if (model.state === "ready" && !model.predicts) return null;
  const { token, versus: against } = state;
  return analysis(state, model, {
    attribution: { position: readAt(state, model), token, against },
  });
}
