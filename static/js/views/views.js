// The views: one row each. view.js has the type of a row; names and labels are in state/views.js, because addresses use them.

import { tableOf } from "../asking/table.js";
import { COMPARE } from "./compare/compare.js";
import { DOSSIER } from "./dossier/dossier.js";
import { EXPLANATIONS } from "./explanations/explanations.js";
import { HEATMAP } from "./heatmap/heatmap.js";
import { INSIDE } from "./inside/inside.js";
import { LINES } from "./lines/lines.js";
import { MAP } from "./map/map.js";
import { PATCH } from "./patch/patch.js";
import { PATHS } from "./paths/paths.js";
import { TEXT } from "./text/text.js";
import { WHY } from "./why/why.js";

/** @type {Record<import("../state/views.js").ViewName, import("./view.js").View>} */
export const VIEWS = {
  heatmap: HEATMAP,
  lines: LINES,
  inside: INSIDE,
  compare: COMPARE,
  text: TEXT,
  why: WHY,
  paths: PATHS,
  explanations: EXPLANATIONS,
  patch: PATCH,
  dossier: DOSSIER,
  map: MAP,
};

/** The questions of each view. */
export const OF_VIEWS = Object.values(VIEWS).map(({ questions }) => questions);

export const { SLOTS, questions, UNASKED } = tableOf(OF_VIEWS);
