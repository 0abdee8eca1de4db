// A link says which weights it was made with, by the first digits of their hash: with others its numbers may differ. Pure.

import { modelIn } from "../choice.js";

/** @import { State } from "../../types.d.ts" */
/** Short hashes: those that a link was made with, and those that the model has here. @typedef {{model: string, linked: string, here: string}} OtherWeights */

const SHORT = /^[0-9a-f]{8}/;

/** The first eight digits of a hash; null if it is none. @param {string | null | undefined} hash @returns {string | null} */
export const shortened = (hash) => SHORT.exec(hash ?? "")?.[0] ?? null;

/**
 * Whether the model has other weights than those that its link was made with.
 * @param {Pick<State, "model" | "models" | "weights">} state
 * @returns {OtherWeights | false | null} false: it has the same, or they cannot differ; null: not known before it is loaded
 */
export function otherWeights(state) {
  const model = modelIn(state);
  const [linked, here] = [state.weights, shortened(model.weights)];
  if (linked === null || model.recorded) return false;
  if (here === null) return model.sites === null ? null : false;
  return linked !== here && { model: model.name, linked, here };
}
