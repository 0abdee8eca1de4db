// The heatmap, as a row of the table of views.

import { heatmap as make } from "./heatmap.js";
import { save } from "./save.js";

/** @satisfies {import("../view.js").View} */
export const heatmap = { make, questions: {}, oneMatrix: true, save };
