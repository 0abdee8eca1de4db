// The caption of a saved picture: the text, the model and its edits, and what its numbers are.

import { sourceOf } from "../../sources/sources.js";
import { modelIn } from "../../state/choice.js";
import { MATRICES } from "../../state/matrices.js";
import { editsInWords, sumsInWords, textInWords } from "../../words/picture.js";

/** @typedef {import("../../types.d.ts").State} State */

export const NOTHING = "There is no picture here yet.";

/** What was drawn, the text, and the edits of the model. @param {Readonly<State>} state */
export function aboutOf(state) {
  const source = sourceOf(state.model);
  const of = source ? ` (${source.inWords(state[source.name])})` : "";
  const site = state.detail?.trace.sites[0];
  const summed = site && state.matrix === "pattern" ? sumsInWords(site) : "";
  const edits = editsInWords(state) || "the model’s own masks, no head muted";
  const what =
    MATRICES[state.matrix].about || `${state.matrix[0].toUpperCase()}${state.matrix.slice(1)}`;
  return [
    textInWords(state, state.shown, modelIn(state)),
    `${what.replace(/\.$/, "")} · model ${state.model}${of} · ${edits}${summed && `. ${summed}`}`,
  ];
}
