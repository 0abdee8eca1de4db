// What the answers say of the shown text, through the lens that the reader chose. Pure.

import { detailOf } from "../../numbers/detail.js";
import { queryAxis, traceIn } from "../../state/choice.js";
import { trusted } from "./words.js";

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
    trust: found.tuned?.held_out ? trusted(compared(found.logit, found.tuned)) : "",
    fills: detail.fills,
    at: detail.read.position,
    follows: queryAxis(state.kind) === detail.read.axis, // whether the position can be chosen
  };
}

/**
 * In how many of the stages before the last the tuned lens is nearer to the model.
 * @typedef {{held_out: number[] | null}} Lens
 * @param {Lens} logit @param {Lens} tuned
 */
function compared({ held_out: one }, { held_out: other }) {
  const earlier = (one ?? []).slice(0, -1);
  return {
    nearer: earlier.filter((nats, stage) => (other?.[stage] ?? nats) < nats).length,
    of: earlier.length,
  };
}
