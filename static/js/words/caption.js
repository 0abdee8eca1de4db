// The caption of a saved picture: the text, the model with its edits, and what the numbers are.

import { gettext } from "../language/gettext.js";
import { sourceOf } from "../sources/sources.js";
import { modelIn } from "../state/choice.js";
import { MATRICES } from "../state/matrices.js";
import { tells } from "../state/quiz.js";
import { VIEWS } from "../state/views.js";
import { capitalised } from "./format.js";
import { modelLabel } from "./heads.js";
import { editsInWords, sumsInWords, textInWords } from "./picture.js";

/** @import { State } from "../types.d.ts" */

export const NOTHING = gettext("There is no picture here yet.");
const UNEDITED = gettext("the model’s own masks, no head muted");

/** As paragraphs. @param {Readonly<State>} state @returns {string[]} */
export function captionOf(state) {
  const source = sourceOf(state.model);
  const site = state.detail?.trace.sites[0];
  return [
    textInWords(state, state.shown, modelIn(state)),
    [
      nameOf(state),
      source && tells(state)
        ? `${modelLabel(state.model)} (${source.inWords(state[source.name])})`
        : gettext("model {model}", { model: modelLabel(state.model) }),
      ...(tells(state) ? [editsInWords(state) || UNEDITED] : []),
    ].join(" · "),
    site && state.matrix === "pattern" && hasMatrix(state) ? sumsInWords(site, state) : "",
  ].filter((paragraph) => paragraph !== "");
}

/** The row of the view. @param {Readonly<State>} state */
const viewIn = (state) => VIEWS.find(({ name }) => name === state.view);

/** Whether the view draws a matrix. @param {Readonly<State>} state */
function hasMatrix(state) {
  /** @type {readonly string[]} */
  const reads = viewIn(state)?.reads ?? ["matrix"];
  return reads.includes("matrix") || reads.includes("pattern");
}

/** What the numbers are, without a full stop: an item of a list. @param {Readonly<State>} state */
function nameOf(state) {
  const { matrix } = state;
  if (!hasMatrix(state)) return viewIn(state)?.label ?? "";
  return MATRICES[matrix].about.replace(/[.。]$/, "") || capitalised(matrix);
}
