// The request for the likeliest next tokens, each with what would follow. Pure.

import { analysis, readAt } from "../../asking/requests.js";

/** @import { Model, State } from "../../types.d.ts" */

const ASKED = { top_k: 5, n_tokens: 10 };

/**
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null if the model does not write, or only its answers are here
 */
export const branchesRequest = (state, model) =>
  model.predicts === "next" && !model.recorded
    ? analysis(state, model, { branches: { ...ASKED, position: readAt(state, model) } })
    : null;
