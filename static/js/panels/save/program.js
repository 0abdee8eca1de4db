// A program that gives the numbers of the selected head.

import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { NOTHING } from "../../words/caption.js";
import { pythonOf } from "../../words/python.js";

/** @import { State } from "../../types.d.ts" */

/** @param {Readonly<State>} state */
export function pythonIn(state) {
  const detail = detailOf(state);
  const trace = state.detail?.trace;
  if (!detail || !trace) throw new Error(NOTHING);
  const { text, row, queries } = detail;
  const targets = trace.target_tokens?.[text] ?? null;
  return pythonOf(state, modelIn(state), {
    text,
    row,
    tokens: trace.tokens[text],
    targets,
    queries,
  });
}
