// The logit lens: what the model would predict if it stopped after each layer. As server/api/analyses/lens.py.

import { lens as compute } from "../../trace/trace.js";

const CANDIDATE_BYTES = 80; // in JSON: the longest that we measured, with some margin

/** @type {import("./analysis.js").Analysis} */
export const lens = {
  name: "lens",
  request: { lens: null },
  settings: { top_k: 5, position: null }, // position null means each text's last real token
  nbytes(trace, { lens }) {
    const listed = (lens?.top_k ?? 0) + 1;
    return CANDIDATE_BYTES * listed * (trace.sites.length + 1) * trace.tokens.length;
  },
  read: (trace, { lens }) => lens && compute(trace, lens),
};
