// Scores: how much each head does what heads are known to do. As server/api/analyses/scores.py.

import { METRICS } from "../../analysis/metrics.js";
import { headScores, sinkShare } from "../../analysis/scores.js";
import { headsOf } from "./analysis.js";

const SCORE_BYTES = 110; // in JSON: the longest that we measured, with some margin

/** @type {import("./analysis.js").Analysis} */
export const scores = {
  name: "scores",
  request: { scores: false, specials: false },
  readsPatterns: true,
  isSlow: true,
  nbytes: (trace) => SCORE_BYTES * METRICS.length * headsOf(trace) * trace.tokens.length,
  read: (trace, { specials }) =>
    trace.tokens.map((_, text) => {
      const heads = headScores(trace, text, specials);
      return { sink_share: sinkShare(heads), heads };
    }),
};
