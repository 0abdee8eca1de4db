// Mute effects: what muting each head alone does to a token's probability. As server/analyses/mute_effects.py.

import { record } from "../containers.js";
import { index, optional } from "../fields.js";
import { headsOf } from "./analysis.js";

const EFFECT_BYTES = 96; // in JSON: the longest that we measured, with some margin

/** Which token's probability to watch, and where; null means the likeliest token, after the last real one. */
const ANALYSE_MUTE_EFFECTS = record("AnalyseMuteEffects", {
  position: [optional(index), null],
  token: [optional(index), null],
});

/** @type {import("./analysis.js").Analysis} */
export const muteEffects = {
  name: "mute_effects",
  request: {
    mute_effects: [optional(ANALYSE_MUTE_EFFECTS), null],
  },
  nbytes: (trace) => EFFECT_BYTES * headsOf(trace) * trace.tokens.length,
  read: (_, { mute_effects }, runMutes) => mute_effects && runMutes(mute_effects),
};
