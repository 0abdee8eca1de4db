// The request for far links, and how far is far. Pure.

import { analysis, kinds } from "../../asking/requests.js";

/** @import { Model, State } from "../../types.d.ts" */

/** The steps of the slider, in tokens. */
export const DISTANCES = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
const [MIN_DISTANCE, MAX_DISTANCE] = [4, 256]; // of the distance that nobody has chosen
const CHARACTERS = 40; // about ten tokens: far is about a tenth of the text
const TOP_K = 50;

/**
 * From how many tokens on a link is far: the reader's choice, or about a tenth of the longest text. It counts characters, because the
 * number of tokens is known only from the answer.
 * @param {Pick<State, "far_least" | "texts" | "targets">} state
 */
export function distanceOf({ far_least, texts, targets }) {
  if (far_least !== null) return far_least;
  const tenth = Math.max(0, ...[...texts, ...targets].map(({ length }) => length)) / CHARACTERS;
  return (
    DISTANCES.findLast((n) => n <= Math.min(MAX_DISTANCE, tenth) && n >= MIN_DISTANCE) ??
    MIN_DISTANCE
  );
}

/**
 * The strongest far links, without tensors.
 * @param {Readonly<State>} state
 * @param {Model} model
 */
export function farRequest(state, model) {
  const { layer, head, far_in, far_first } = state;
  const chosen = far_in === "head" ? { layers: [layer], ...kinds(state), heads: [head] } : {};
  const counted = { specials: far_first, first_token: far_first };
  const far_links = { top_k: TOP_K, min_distance: distanceOf(state), ...chosen, ...counted };
  return analysis(state, model, { far_links });
}
