// Direct logit attribution as a panel.

import { attribution as panel } from "./attribution.js";
import { paint } from "./paint.js";
import { attributionRequest } from "./request.js";
import { save } from "./save.js";

/** @type {import("../panel.js").Panel} */
export const attribution = {
  make: panel,
  questions: { attribution: { request: attributionRequest, turn: "apart" } },
  save,
  paint,
};
