// When the model decided: the stage from which on the logit lens says what the model says in the end. As model/lens/decided.py.

import { likeliestId, logSoftmax, prediction } from "./predictions.js";
import { head, readTokens, residAt } from "./trace.js";

/** @import { Trace } from "../types.d.ts" */

/**
 * For each text. A stage is only unembedded for the tokens that have said the same in all later ones.
 * @param {Trace} trace
 * @throws {UnavailableError} the model has no language-model head
 * @throws {NumericsError} a logit is not finite
 */
export function decided(trace) {
  const { stages, unembed, token_text } = head(trace, "analyse.decided");
  const last = stages.shape[0] - 1;
  return readTokens(trace).map((row, text) => {
    const positions = row.flatMap(({ padding }, at) => (padding ? [] : [at]));
    /** @param {number} stage @param {number} at */
    const said = (stage, at) => logSoftmax(unembed(residAt(stages, stage, text, at)), trace);
    const found = positions.map((at) => {
      const final = said(last, at);
      const id = likeliestId(final);
      let stage = last;
      while (stage > 0 && likeliestId(said(stage - 1, at)) === id) stage -= 1;
      return { stage, prediction: prediction(id, final, token_text) };
    });
    return {
      last_stage: last,
      positions,
      predictions: found.map((one) => one.prediction),
      logit: { stages: found.map(({ stage }) => stage), held_out: null },
      tuned: null,
      fitted_on: null,
    };
  });
}
