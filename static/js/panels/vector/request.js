// The request for what muting each head does to the vector of the text. Pure.

import { analysis } from "../../asking/requests.js";
import { openPanel } from "../../state/panels.js";
import { tells } from "../../state/quiz.js";

/** @import { Model, State } from "../../types.d.ts" */

/** @param {Readonly<State>} state @param {Model} model @returns null while the panel is closed, which only some models have */
export function vectorRequest(state, model) {
  if (state.depth !== "full" || model.state !== "ready") return null; // elsewhere no panel is seen
  if (openPanel(state.right, model) !== "vector" || !tells(state)) return null;
  return analysis(state, model, { vector_effects: true });
}
