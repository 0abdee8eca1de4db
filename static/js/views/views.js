// The views: a row for each. What a row holds is in view.js; names and labels are in state/views.js, since an address names them.

import { compare } from "./compare/view.js";
import { heatmap } from "./heatmap/view.js";
import { inside } from "./inside/view.js";
import { lines } from "./lines/view.js";
import { text } from "./text/view.js";

/** @type {Record<import("../state/views.js").ViewName, import("./view.js").View>} */
export const VIEWS = { heatmap, lines, inside, compare, text };
