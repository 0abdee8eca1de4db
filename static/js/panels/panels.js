// The panels on the right: one row each. panel.js has the type of a row; names and labels are in state/panels.js, because addresses use them.

import { ATTRIBUTION } from "./attribution/attribution.js";
import { BRANCHES } from "./branches/branches.js";
import { CACHE } from "./cache/cache.js";
import { CIRCUITS } from "./circuits/circuits.js";
import { EFFECTS } from "./effects/effects.js";
import { FAR } from "./far/far.js";
import { FILM } from "./film/film.js";
import { LENS } from "./lens/lens.js";
import { NEXT } from "./predict/predict.js";
import { SPACE } from "./space/space.js";
import { VECTOR } from "./vector/vector.js";

/** @type {Record<import("../state/panels.js").PanelName, import("./panel.js").Panel>} */
export const PANELS = {
  next: NEXT,
  branches: BRANCHES,
  lens: LENS,
  effects: EFFECTS,
  attribution: ATTRIBUTION,
  vector: VECTOR,
  far: FAR,
  cache: CACHE,
  circuits: CIRCUITS,
  space: SPACE,
  film: FILM,
};
