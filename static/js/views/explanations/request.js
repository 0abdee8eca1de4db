// The requests for explanations of the prediction, and for another attention pattern. Pure.

import { analysis, readAt } from "../../asking/requests.js";
import { LACKS } from "../../words/lacks.js";

/** @import { Model, State } from "../../types.d.ts" */

/**
 * The explanations of the prediction, with the selected head among them if it looks at the source tokens from where they are read.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @param {string[] | null} curves the methods in whose orders tokens are taken away, too, which takes longest; null: all
 * @returns null while another view is open, or if nothing is predicted or the model cannot be edited
 */
export function explanationsRequest(state, model, curves) {
  if (state.view !== "explanations" || reasonOf(model)) return null;
  const chosen = readsSources(state) ? { layer: state.layer, head: state.head } : {};
  const { token, versus: against } = state;
  const explanations = { position: readAt(state, model), token, against, ...chosen, curves };
  return analysis(state, model, { explanations });
}

/**
 * The search for another row of the selected head that gives nearly the same answer.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null if there is nothing to search
 */
export function searchRequest(state, model) {
  if (state.view !== "explanations" || reasonOf(model) || !readsSources(state)) return null;
  const { layer, head } = state;
  const other_attention = { layer, head, position: readAt(state, model) };
  return analysis(state, model, { other_attention });
}

/** Whether the selected head reads the source tokens at the position of the prediction. @param {Pick<State, "kind">} state */
export const readsSources = ({ kind }) => kind === "self" || kind === "cross";

/** What the model lacks: "" if nothing is missing. @param {Model} model @returns {"" | "prediction" | "edits"} */
export function reasonOf(model) {
  if (model.state === "ready" && !model.predicts) return "prediction";
  return model.lacks ? "edits" : "";
}

/** The same in words. @param {Model} model */
export function lacks(model) {
  const reason = reasonOf(model);
  return reason && LACKS.explanations[reason];
}
