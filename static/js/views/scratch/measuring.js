// What is asked for the measures of the panel, while it is open: all heads of the layer, now and as they should be.

import { modelIn } from "../../choice.js";
import { measure } from "../../render/measures.js";
import { correct } from "../../render/mistakes.js";
import { heldFor } from "../../render/scratch/beliefs.js";
import { factsRequest } from "../../requests.js";
import { detailOf } from "../detail.js";

/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {import("../../types.d.ts").State} State */

/** What the reader chose, with the model that it makes and the row that is read. @param {Readonly<State>} state */
export const nowOf = (state) => ({
  ...{ choice: state, model: modelIn(state), row: detailOf(state)?.row ?? 0 },
  facts: state.facts?.answer ?? null,
});

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
 * Some measures of what stands there, as sentences; "" while it is on its way.
 * @param {Readonly<State>} state
 * @param {import("../../render/measures.js").Measure[]} names
 */
export function measured(state, names) {
  const { facts, reference, head, shown } = state;
  if (facts?.status === "error") return facts.problem?.message ?? "";
  if (!facts?.answer || facts.status !== "ready" || reference?.status === "loading") return "…";
  const known = {
    now: facts.answer,
    reference: reference?.answer ?? null,
    state: { head },
    text: shown,
  };
  return names
    .map((name) => measure(name, known)?.said ?? "")
    .filter(Boolean)
    .join(" ");
}
