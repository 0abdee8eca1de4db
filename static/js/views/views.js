// The views: one row each. view.js has the type of a row; names and labels are in state/views.js, because addresses use them.

import { compare } from "./compare/view.js";
import { court } from "./court/view.js";
import { dossier } from "./dossier/view.js";
import { heatmap } from "./heatmap/view.js";
import { inside } from "./inside/view.js";
import { lines } from "./lines/view.js";
import { map } from "./map/view.js";
import { patch } from "./patch/view.js";
import { paths } from "./paths/view.js";
import { text } from "./text/view.js";
import { why } from "./why/view.js";

/** @type {Record<import("../state/views.js").ViewName, import("./view.js").View>} */
export const VIEWS = {
  heatmap,
  lines,
  inside,
  compare,
  text,
  why,
  paths,
  court,
  patch,
  dossier,
  map,
};
