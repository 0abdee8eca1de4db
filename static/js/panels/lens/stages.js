// The logit lens as rows: a stage, what the model would say there, and how far its final prediction has come.

/** @typedef {import("../../types.d.ts").Lens} Lens */
/** @typedef {import("../../types.d.ts").Prediction} Prediction */

/** What the lens is, and whose. */
export const WHAT =
  "What the model would say if it stopped at each stage: the residual stream there, read through the last norm and the unembedding.";
export const SOURCE = "Logit lens, nostalgebraist 2020.";

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {Prediction[]} candidates the likeliest here
 * @property {Prediction} final the model's own prediction, with the probability that it has here
 * @property {boolean} leads whether that is the likeliest token here already
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
 * From which stage on the final prediction is the likeliest token, in words; "" where it is not even at the end (two tokens
 * that are equally likely).
 * @param {Stage[]} stages
 */
export function settled(stages) {
  const late = stages.findLastIndex(({ leads }) => !leads);
  if (late === stages.length - 1) return "";
  return late === -1 ? "leads from the start" : `leads from ${stages[late + 1].name} on`;
}
