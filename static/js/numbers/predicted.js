// Where the predictions are made, and what they are: for the list, the strip and whoever else tells of them. Pure.

import { modelIn, readsInPlace } from "../state/choice.js";
import { label, quoteAt } from "../words/format.js";

/** @import { Listed, State } from "../types.d.ts" */

const STRIP = 3; // tokens in the strip

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
  const tokens = (trace.target_tokens ?? trace.tokens)[text];
  const model = modelIn({ model: trace.model, models });
  const isClass = model.predicts === "class" || Boolean(trace.measured);
  return {
    trace,
    predictions,
    nucleus: trace.nucleus?.[text],
    /** Whether the model is edited, so that each prediction has a probability without the edits. */
    compared: predictions.some(({ unedited }) => unedited !== null),
    /** The token at which they are made; `fills`: they are of that token, or of the text, not of the next one. */
    position: {
      fills: isClass || readsInPlace(model),
      isClass,
      isAnswer: Boolean(trace.measured),
      token: quoteAt(tokens.map(label), at),
    },
  };
}

/**
 * How many of the predictions are the most likely ones; the others are listed for comparison.
 * @param {Listed[]} predictions
 * @param {number} top_k
 * @param {import("../types.d.ts").Nucleus | undefined} nucleus
 */
export const listedOf = (predictions, top_k, nucleus) =>
  Math.min(predictions.length, top_k, nucleus?.tokens ?? Number.POSITIVE_INFINITY);

/** The probability without the edits. @param {Listed} token */
const before = ({ unedited, probability }) => unedited ?? probability;

/**
 * The likeliest tokens, for a strip of a few; after an edit, the one that was the likeliest before is always among them. In the order of the larger
 * of both probabilities, so that a token that falls keeps its place.
 * @param {Listed[]} predictions the likeliest first
 * @param {number} n
 */
export function fewOf(predictions, n) {
  const [first] = predictions.toSorted((a, b) => before(b) - before(a));
  const likeliest = predictions.slice(0, n);
  const few =
    !first || likeliest.includes(first) ? likeliest : [first, ...likeliest.slice(0, n - 1 || 1)];
  const larger = (/** @type {Listed} */ one) => Math.max(one.probability, before(one));
  return few.toSorted((a, b) => larger(b) - larger(a));
}

/**
 * What the strip shows: a few of the likeliest tokens, and the watched one if it is not among them.
 * @param {Pick<State, "next" | "shown" | "models" | "top_k" | "token">} state
 * @returns null until there is an answer, or if the model predicts nothing
 */
export function stripIn(state) {
  const predicted = predictedIn(state);
  if (!predicted) return null;
  const { predictions, nucleus, position } = predicted;
  const few = fewOf(predictions, Math.min(STRIP, listedOf(predictions, state.top_k, nucleus)));
  const watched = predictions.find(({ id }) => id === state.token) ?? null;
  return { position, few, watched, apart: watched && !few.includes(watched) ? watched : null };
}

/** By how much the edits raised the probability of a token. @param {Listed} token */
export const gainOf = (token) => token.probability - before(token);

/** The token of the strip that the edits raised the most; null if they raised none. @param {Readonly<State>} state */
export function gainerIn(state) {
  const [most] = (stripIn(state)?.few ?? []).toSorted((a, b) => gainOf(b) - gainOf(a));
  return most && gainOf(most) > 0 ? most : null;
}
