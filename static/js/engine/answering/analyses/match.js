// Match: how much each head looks at the cells that a reader has painted. As server/analyses/match.py.

import LIMITS from "../../../facts/limits.json" with { type: "json" };
import { match as compute } from "../../analysis/match.js";
import { list, record } from "../containers.js";
import { index, kind, optional } from "../fields.js";
import { headsOf } from "./analysis.js";

const HEAD_BYTES = 190; // in JSON: the longest that we measured, with some margin

const ANALYSE_MATCH = record("AnalyseMatch", {
  cells: [list(list(index, { min: 2, max: 2 }), { min: 1, max: LIMITS.cells })],
  text: [index, 0],
  kind: [optional(kind), null],
});

/** @type {import("./analysis.js").Analysis} */
export const match = {
  name: "match",
  request: { match: [optional(ANALYSE_MATCH), null] },
  readsPatterns: true,
  isSlow: true,
  nbytes: (trace) => HEAD_BYTES * headsOf(trace),
  read: (trace, { match: asked }) => asked && compute(trace, asked.cells, asked),
};
