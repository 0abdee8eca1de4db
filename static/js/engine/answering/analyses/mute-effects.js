// Mute effects: what muting each head alone does to a token's probability. As server/api/analyses/mute_effects.py.

import { headsOf } from "./analysis.js";

const EFFECT_BYTES = 96; // in JSON: the longest that we measured, with some margin

/** @type {import("./analysis.js").Analysis} */
export const muteEffects = {
  name: "mute_effects",
  request: { mute_effects: null },
  // which token's probability to watch, and where; null means the likeliest token, after the last real one
  settings: { position: null, token: null },
  nbytes: (trace) => EFFECT_BYTES * headsOf(trace) * trace.tokens.length,
  read: (_, { mute_effects }, runMutes) => mute_effects && runMutes(mute_effects),
};
