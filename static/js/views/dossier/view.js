// What the heads do over many texts, as a row of the table of views.

import { dossier as make } from "./dossier.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const dossier = { make, questions: {}, oneMatrix: false, save };
