// Where the predictions are made, and what they are: for the list, the strip and whoever else tells of them. Pure.

import { modelIn } from "../state/choice.js";
import { label, shorten } from "../words/format.js";

/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../types.d.ts").Listed} Listed */

const LONGEST = 16; // characters of a token in a sentence

/**
 * The predictions for the text that is shown.
 * @param {Pick<State, "next" | "shown" | "models">} state
 * @returns null until there is an answer, or if the model predicts nothing
 */
export function predictedIn({ next, shown, models }) {
  const trace = next?.answer?.trace;
  const text = Math.min(shown, (trace?.tokens.length ?? 1) - 1);
  const predictions = trace?.predictions?.[text];
  const at = trace?.predicted_at?.[text];
  if (!trace || !predictions || at === undefined) return null;
  const read = (trace.target_tokens ?? trace.tokens)[text][at];
  return {
    trace,
    predictions,
    nucleus: trace.nucleus?.[text],
    /** Whether the model is edited, so that each prediction has a probability without the edits. */
    compared: predictions.some(({ unedited }) => unedited !== null),
    /** The token at which they are made; `fills`: the token there is predicted, not the next one. */
    position: {
      fills: modelIn({ model: trace.model, models }).predicts === "fill",
      token: shorten(label(read), LONGEST),
    },
  };
}

/**
 * The likeliest tokens, for a strip of a few. The watched one is always among them and, after an edit, the one that was the likeliest before. In the
 * order of the larger of both probabilities, so that a token that falls keeps its place.
 * @param {Listed[]} predictions the likeliest first
 * @param {number} n
 * @param {number | null} [watched] the id of a token
 */
export function fewOf(predictions, n, watched = null) {
  const before = (/** @type {Listed} */ { unedited, probability }) => unedited ?? probability;
  const [first] = predictions.toSorted((a, b) => before(b) - before(a));
  const kept = predictions.filter((one) => one === first || one.id === watched);
  const others = predictions.filter((one) => !kept.includes(one));
  const few = [...kept, ...others.slice(0, n - kept.length)];
  const larger = (/** @type {Listed} */ one) => Math.max(one.probability, before(one));
  return few.toSorted((a, b) => larger(b) - larger(a));
}
