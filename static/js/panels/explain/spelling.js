// The sentence on a word that the model does not have. Pure.

import { spelledIn } from "../../numbers/explain/spelling.js";
import { aligned, modelIn } from "../../state/choice.js";
import { lead } from "./sentence.js";
import { SPELLED } from "./words.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../numbers/explain/row.js").Detail} Detail */
/** @typedef {import("./sentence.js").Sentence} Sentence */

/**
 * A word that the model does not have: the selected one, or else the first of the text.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {number} query
 * @param {number | null} key
 * @returns {Sentence[]}
 */
export function spellingOf(state, { site, text, queries, keys }, query, key) {
  const model = modelIn(state);
  if (!model.predicts && model.mechanisms) return []; // nobody trained it
  const of = (/** @type {typeof site.query_tokens} */ axis, /** @type {typeof queries} */ tokens) =>
    [
      axis === "tokens" ? state.texts : aligned(state.targets, state.texts.length),
      axis === "tokens" ? (state.pairs ?? []) : [],
    ].flatMap((texts, segment) => spelledIn(texts[text] ?? "", tokens, segment));
  const ofQueries = of(site.query_tokens, queries);
  const ofKeys = site.key_tokens === site.query_tokens ? ofQueries : of(site.key_tokens, keys);
  const found =
    ofQueries.find(({ places }) => places.includes(query)) ??
    ofKeys.find(({ places }) => key !== null && places.includes(key)) ??
    ofQueries[0] ??
    ofKeys[0];
  if (!found) return [];
  const { word, pieces, unknown } = found;
  if (unknown) return [lead(SPELLED.unknown({ word, unknown }))];
  const trainedOn = model.trained_on;
  return [
    lead(
      trainedOn ? SPELLED.trained({ word, pieces, trainedOn }) : SPELLED.pieces({ word, pieces }),
    ),
  ];
}
