// The measures of the panel: the requests for them while it is open (all heads of the layer, now and as they should be), and
// their sentences.

import { factsRequest, isLong } from "../../asking/requests.js";
import { sentences } from "../../language/gettext.js";
import { detailOf } from "../../numbers/detail.js";
import { measure } from "../../numbers/measures.js";
import { modelIn } from "../../state/choice.js";
import { heldFor } from "./beliefs.js";
import { correct } from "./mistakes.js";
import { UNAVAILABLE, WAITING } from "./words.js";

/** @import { Choice, State } from "../../types.d.ts" */

/** The reader's choice, the model that it configures, and the selected row. @param {Readonly<State>} state */
export const nowOf = (state) => ({
  choice: state,
  model: modelIn(state),
  row: detailOf(state)?.row ?? 0,
  facts: isCurrent(state) ? (state.facts?.answer ?? null) : null,
});

/** Whether the measured answer belongs to the current choice, not to an earlier one. @param {Readonly<State>} state */
const isCurrent = (state) =>
  state.status === "ready" &&
  state.facts?.status === "ready" &&
  state.facts.answer?.trace.scratch?.mechanism === state.scratch.mechanism &&
  !isLong(state);

export class MeasureRequests {
  /** Whether somebody looks at the measures. */
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
    const choice = heldFor(now) ?? correct(now);
    const other = { ...state, ...choice };
    return factsRequest(other, modelIn(other));
  }
}

/**
 * Some measures of the current choice, as sentences: "…" while they are being computed, "" if the choice was refused.
 * @param {Readonly<State>} state
 * @param {import("../../numbers/measures.js").Measure[]} names
 * @returns {string | null} null if none of them means anything here
 */
export function measuresInWords(state, names) {
  const { facts, reference, head, shown } = state;
  if (state.status === "error") return "";
  if (isLong(state)) return UNAVAILABLE.tooLong;
  if (facts?.status === "error") return facts.problem?.message ?? "";
  if (!facts?.answer || !isCurrent(state) || reference?.status === "loading") return WAITING;
  const subject = {
    now: facts.answer,
    reference: reference?.answer ?? null,
    state: { head },
    text: shown,
  };
  return sentences(names.map((name) => measure(name, subject)?.sentence ?? "")) || null;
}
