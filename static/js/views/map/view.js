// The map, as a row of the table of views.

import { map as make } from "./map.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const map = { make, questions: {}, oneMatrix: false, save };
