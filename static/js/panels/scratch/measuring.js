// What is asked for the measures of the panel, while it is open: all heads of the layer, now and as they should be.

import { factsRequest, isLong } from "../../asking/requests.js";
import { detailOf } from "../../numbers/detail.js";
import { measure } from "../../numbers/measures.js";
import { modelIn } from "../../state/choice.js";
import { heldFor, TOO_LONG } from "./believed.js";
import { correct } from "./mistaken.js";

/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {import("../../types.d.ts").State} State */

/** What the reader chose, with the model that it makes and the row that is read. @param {Readonly<State>} state */
export const nowOf = (state) => ({
  ...{ choice: state, model: modelIn(state), row: detailOf(state)?.row ?? 0 },
  facts: isKnown(state) ? (state.facts?.answer ?? null) : null,
});

/** Whether what is measured is of what stands there, not of what stood there before. @param {Readonly<State>} state */
const isKnown = (state) =>
  state.status === "ready" &&
  state.facts?.status === "ready" &&
  state.facts.answer?.trace.scratch?.mechanism === state.scratch.mechanism &&
  !isLong(state);

export class Measuring {
  wanted = false;

  /** @param {Readonly<State>} state */
  facts(state) {
    const model = modelIn(state);
    return this.wanted && model.mechanisms ? factsRequest(state, model) : null;
  }

  /** @param {Readonly<State>} state */
  reference(state) {
    const model = modelIn(state);
    if (!this.wanted || !model.mechanisms || model.state !== "ready") return null;
    const now = nowOf(state);
    /** @type {Partial<Choice>} */
    const held = heldFor(now) ?? correct(now);
    const other = { ...state, ...held };
    return factsRequest(other, modelIn(other));
  }
}

/**
 * Some measures of what stands there, as sentences; "…" while they are on their way, "" of what was refused.
 * @param {Readonly<State>} state
 * @param {import("../../numbers/measures.js").Measure[]} names
 * @returns {string | null} null: none of them means anything here
 */
export function measured(state, names) {
  const { facts, reference, head, shown } = state;
  if (state.status === "error") return "";
  if (isLong(state)) return TOO_LONG;
  if (facts?.status === "error") return facts.problem?.message ?? "";
  if (!facts?.answer || !isKnown(state) || reference?.status === "loading") return "…";
  const known = {
    now: facts.answer,
    reference: reference?.answer ?? null,
    state: { head },
    text: shown,
  };
  const said = names.map((name) => measure(name, known)?.said ?? "").filter(Boolean);
  return said.length > 0 ? said.join(" ") : null;
}
