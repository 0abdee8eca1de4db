// What the answers say of the shown text, through the lens that the reader chose. Pure.

import { detailOf } from "../../numbers/detail.js";
import { queryAxis, traceIn } from "../../state/choice.js";

/** @import { State } from "../../types.d.ts" */

/**
 * The stages of a text, through the lens that the reader chose.
 * @param {Readonly<State>} state @param {number} text
 */
export function lensIn(state, text) {
  return (state.tuned ? traceIn(state.decided, state) : state.lens?.answer?.trace)?.lens?.[text];
}

/** What the strip shows. @param {Readonly<State>} state @returns null until there is an answer */
export function toldIn(state) {
  const trace = traceIn(state.decided, state);
  const detail = detailOf(state);
  const found = trace?.decided?.[detail?.text ?? 0];
  const read = found && (state.tuned ? found.tuned : found.logit);
  if (!trace || !detail || !read) return null;
  const row = (trace.target_tokens ?? trace.tokens)[detail.text];
  return {
    ...found,
    row,
    stages: read.stages,
    held_out: read.held_out,
    fills: detail.fills,
    at: detail.read.position,
    follows: queryAxis(state.kind) === detail.read.axis, // whether the position can be chosen
  };
}
