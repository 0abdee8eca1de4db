// The logit lens: what the model would predict if it stopped after each layer. As server/analyses/lens.py.

import { lens as compute } from "../../trace.js";
import { record } from "../containers.js";
import { index, integer, optional } from "../fields.js";

const CANDIDATE_BYTES = 80; // in JSON: the longest that we measured, with some margin

/** The settings of the logit lens; position null means each text's last real token. */
const ANALYSE_LENS = record("AnalyseLens", {
  top_k: [integer({ ge: 1, le: 100 }), 5],
  position: [optional(index), null],
});

/** @type {import("./analysis.js").Analysis} */
export const lens = {
  name: "lens",
  request: {
    lens: [optional(ANALYSE_LENS), null],
  },
  nbytes(trace, { lens }) {
    const listed = (lens?.top_k ?? 0) + 1;
    return CANDIDATE_BYTES * listed * (trace.sites.length + 1) * trace.tokens.length;
  },
  read: (trace, { lens }) => lens && compute(trace, lens),
};
