// The relations between words that the heads of a model draw, as its examples tell. Pure.

import { tells } from "../state/quiz.js";

/** @import { Drawn, State } from "../types.d.ts" */

/** By "layer.head"; empty for a model whose relations are not known. @param {Readonly<Pick<State, "model" | "relations">>} state */
const drawnIn = ({ model, relations }) => relations[model] ?? {};

/**
 * Every relation that some head of the model draws, each once.
 * @param {Readonly<Pick<State, "model" | "relations">>} state
 * @returns {Drawn[]}
 */
export function relationsIn(state) {
  const all = Object.values(drawnIn(state)).flat();
  return [...new Map(all.map((relation) => [relation.label, relation])).values()];
}

/** The relations that a head draws. @param {Readonly<Pick<State, "model" | "relations">>} state @param {{layer: number, head: number}} place */
export const relationsOfHead = (state, { layer, head }) => drawnIn(state)[`${layer}.${head}`] ?? [];

/**
 * The heads on the page that draw a relation, in the form that the ranking takes.
 * @param {Readonly<State>} state
 * @param {string} relation
 */
export function headsDrawing(state, relation) {
  if (!tells(state)) return null;
  const drawn = drawnIn(state);
  return (state.grid?.trace.sites ?? []).flatMap(({ name: site, layer, heads }) =>
    heads
      .map((head) => ({ site, layer, head, scores: {}, drawn: drawn[`${layer}.${head}`] ?? [] }))
      .filter((one) => one.drawn.some(({ label }) => label === relation)),
  );
}
