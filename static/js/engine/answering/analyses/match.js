// Match: how much each head looks at the cells that a reader has painted. As server/api/analyses/match.py.

import { match as compute } from "../../analysis/match.js";
import { headsOf } from "./analysis.js";

const HEAD_BYTES = 190; // in JSON: the longest that we measured, with some margin

/** @type {import("./analysis.js").Analysis} */
export const match = {
  name: "match",
  request: { match: null },
  settings: { text: 0, kind: null },
  readsPatterns: true,
  isSlow: true,
  nbytes: (trace) => HEAD_BYTES * headsOf(trace),
  read: (trace, { match: asked }) => asked && compute(trace, asked.cells, asked),
};
