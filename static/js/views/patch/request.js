// The request of a patch bench, and what stands in its way. Pure.

import { analysis, readAt } from "../../asking/requests.js";
import { PLACES } from "../../state/address/interventions.js";
import { LACKS } from "../../words/lacks.js";

/** @import { Intervention, Model, State } from "../../types.d.ts" */

/** What a model lets us patch. @param {Model} model @returns {readonly Intervention["at"][]} */
export const placesOf = ({ edited_at }) => edited_at ?? PLACES;

/** What is patched: as chosen, or else the first that the model has. @param {Readonly<State>} state @param {Model} model */
export function atOf({ patched_at }, model) {
  const places = placesOf(model);
  return places.includes(patched_at) ? patched_at : places[0];
}

/** Whether each head has a cell: only heads can. @param {Readonly<State>} state @param {Model} model */
export const byHead = (state, model) =>
  state.patched_by === "head" && atOf(state, model) === "head" ? "head" : "position";

/** The text that is patched: the shown one. @param {Pick<State, "shown" | "texts">} state */
export const textIn = ({ shown, texts }) => Math.min(shown, texts.length - 1);

/** What the model lacks, so that no sentence helps. @param {Model} model */
export function lackOf(model) {
  if (model.lacks) return "edits";
  if (model.state !== "ready") return "";
  if (!model.predicts) return "prediction";
  return placesOf(model).length === 0 ? "places" : "";
}

/** The same in words. @param {Model} model */
export function lacks(model) {
  const lack = lackOf(model);
  return lack && LACKS.patch[lack];
}

/**
 * Why there is nothing to ask yet.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns {"" | "prediction" | "edits" | "places" | "clean" | "same"}
 */
export function missingIn(state, model) {
  const lack = lackOf(model);
  if (lack) return lack;
  if (!state.clean.trim()) return "clean";
  return state.clean === state.texts[textIn(state)] ? "same" : "";
}

/** @param {Readonly<State>} state @param {Model} model @param {number | null} exact how many patches are run; null: all */
export function patchRequest(state, model, exact) {
  if (state.view !== "patch" || missingIn(state, model)) return null;
  const { clean, token, versus: against } = state;
  const patching = {
    clean,
    at: atOf(state, model),
    by: byHead(state, model),
    position: readAt(state, model),
    token,
    against,
    text: textIn(state),
    exact,
  };
  return analysis(state, model, { patching });
}
