// The map, as a row of the table of views.

import { COMPOSITION } from "../../asking/composition.js";
import { map as make } from "./map.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const map = { make, questions: { composition: COMPOSITION }, oneMatrix: false, save };
