// How far the vector of the text turns without each head, as angles. Pure.

import { modelIn, traceIn } from "../../state/choice.js";
import { vectorRequest } from "./request.js";

/** @import { State, VectorEffect } from "../../types.d.ts" */
/** An effect with its angle in degrees; null where it has no number. @typedef {VectorEffect & {angle: number | null}} Turn */

/** @param {number} cosine which rounding may have put above 1 */
const degrees = (cosine) => (180 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, cosine)));

/**
 * The turns of the shown text by heads of the selected kind, the largest first, heads without a number at the end.
 * @param {Readonly<State>} state
 * @returns {Turn[] | null} null until there is an answer
 */
export function turnsIn(state) {
  const trace = vectorRequest(state, modelIn(state)) && traceIn(state.vector, state);
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const found = trace?.vector_effects?.[text];
  if (!found) return null;
  return found.effects
    .filter(({ kind }) => kind === state.kind)
    .map((effect) => ({
      ...effect,
      angle: effect.cosine === null ? null : degrees(effect.cosine),
    }))
    .sort((a, b) => (b.angle ?? -1) - (a.angle ?? -1) || a.layer - b.layer || a.head - b.head);
}

/** The largest angle. @param {Turn[]} turns */
export const widest = (turns) => turns.reduce((most, { angle }) => Math.max(most, angle ?? 0), 0);
