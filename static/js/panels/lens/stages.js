// The logit lens as rows: a stage, what the model would predict there, and the probability of its final prediction.

/** @typedef {import("../../types.d.ts").Lens} Lens */
/** @typedef {import("../../types.d.ts").Prediction} Prediction */

/** An explanation of the lens, and its source. */
export const WHAT =
  "What the model would predict if it stopped at each stage: the residual stream there, passed through the last norm and the unembedding.";
export const SOURCE = "Logit lens, nostalgebraist 2020.";

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
    name: layer === null ? "embedding" : `layer ${layer}`,
    candidates,
    final,
    leads: candidates[0]?.id === final.id,
  }));

/**
 * From which stage on the final prediction is the most likely token, in words; "" if it is not even at the end (two tokens are
 * equally likely).
 * @param {Stage[]} stages
 */
export function settled(stages) {
  const late = stages.findLastIndex(({ leads }) => !leads);
  if (late === stages.length - 1) return "";
  return late === -1 ? "leads from the start" : `leads from ${stages[late + 1].name} on`;
}
