// The sentence on words that the model does not have. Pure.

import { translated } from "../../language/gettext.js";
import { spelledIn } from "../../numbers/explain/spelling.js";
import { aligned, modelIn } from "../../state/choice.js";
import { lead } from "./sentence.js";
import { SPELLED } from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Detail } from "../../numbers/explain/row.js" */
/** @import { Sentence } from "./sentence.js" */

/**
 * The words that the model does not have: the selected one first, then the others in the order of the text.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {number} query
 * @param {number | null} key
 * @returns {Sentence[]}
 */
export function spellingOf(state, { site, text, queries, keys }, query, key) {
  const model = modelIn(state);
  if (!model.predicts && model.mechanisms) return []; // nobody trained it
  const { unknown_id: unknownId, trained_on: trainedOn } = model;
  /** @param {typeof site.query_tokens} axis @param {typeof queries} tokens */
  const spelled = (axis, tokens) => {
    const sides =
      axis === "tokens"
        ? [state.texts, state.pairs ?? []]
        : [aligned(state.targets, state.texts.length)];
    return sides.flatMap((texts, segment) =>
      spelledIn(texts[text] ?? "", tokens, { unknownId, segment }),
    );
  };
  const ofQueries = spelled(site.query_tokens, queries);
  const ofKeys = site.key_tokens === site.query_tokens ? ofQueries : spelled(site.key_tokens, keys);
  const all = [...ofQueries, ...(ofKeys === ofQueries ? [] : ofKeys)];
  const found =
    ofQueries.find(({ places }) => places.includes(query)) ??
    ofKeys.find(({ places }) => key !== null && places.includes(key)) ??
    all[0];
  if (!found) return [];
  const alike = all.filter(({ unknown }) => unknown === found.unknown);
  const words = [...new Set([found, ...alike].map(({ word }) => word))];
  if (found.unknown) return [lead(SPELLED.unknown({ words }))];
  const pieces = found.places.length;
  return [
    lead(
      trainedOn
        ? SPELLED.trained({ words, pieces, trainedOn: translated(trainedOn) })
        : SPELLED.pieces({ words, pieces }),
    ),
  ];
}
