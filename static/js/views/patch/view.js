// Patching, as a row of the table of views.

import { patch as make } from "./patch.js";
import { patchRequest } from "./request.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const patch = {
  make,
  questions: { patch: { request: patchRequest, turn: "apart", events: true } },
  oneMatrix: false,
  save,
};
