// What saved pictures of several subjects share: their captions, colours and names.

import { modelIn } from "../../state/choice.js";
import { tells } from "../../state/quiz.js";
import { label, shorten } from "../../words/format.js";
import { modelLabel } from "../../words/heads.js";
import { editsInWords, textInWords } from "../../words/picture.js";
import * as words from "./words.js";

/** The first paragraphs of a caption: the text, and the model with its edits. @param {Readonly<import("../../types.d.ts").State>} state */
export function aboutOf(state) {
  const model = modelLabel(state.model);
  const text = textInWords(state, state.shown, modelIn(state));
  if (!tells(state)) return [text, words.ofModel(model)];
  const edits = editsInWords(state);
  return [text, edits ? words.edited({ model, edits }) : words.unedited(model)];
}

/** A colour of a scale, as CSS. @param {Uint8ClampedArray} table @param {number} step 0 to 255 */
export const colour = (table, step) => `rgb(${table.slice(4 * step, 4 * step + 3).join(", ")})`;

/** @param {{text: string}} token */
export const nameOf = (token) => shorten(label(token), 16);
