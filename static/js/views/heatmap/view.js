// The heatmap, as a row of the table of views.

import { head } from "./head.js";
import { save } from "./save.js";

/** @satisfies {import("../view.js").View} */
export const heatmap = { make: head, questions: {}, oneMatrix: true, save };
