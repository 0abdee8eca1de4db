// The logit lens as rows: a stage, what the model would predict there, and the probability of its final prediction.

import { stageName } from "./words.js";

/** @import { Lens, Prediction } from "../../types.d.ts" */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {Prediction[]} candidates the likeliest here
 * @property {Prediction} final the model's own prediction, with the probability that it has here
 * @property {boolean} leads whether that is already the most likely token here
 */

/**
 * @param {Lens} lens
 * @returns {Stage[]}
 */
export const stagesOf = ({ stages }) =>
  stages.map(({ layer, candidates, final }) => ({
    name: stageName(layer),
    candidates,
    final,
    leads: candidates[0]?.id === final.id,
  }));

/**
 * The first stage from which on the final prediction is always the most likely token; null if it is not even at the end (two
 * tokens are equally likely).
 * @param {Stage[]} stages
 * @returns {{stage: string, first: boolean} | null}
 */
export function leadingFrom(stages) {
  const place = stages.findLastIndex(({ leads }) => !leads) + 1;
  return place < stages.length ? { stage: stages[place].name, first: place === 0 } : null;
}
