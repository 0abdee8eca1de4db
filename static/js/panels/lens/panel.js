// The logit lens as a panel.

import { lensRequest } from "../../asking/requests.js";
import { lens as stages } from "./lens.js";
import { save } from "./save.js";

/** @type {import("../panel.js").Panel} */
export const lens = {
  make: stages,
  questions: { lens: { request: lensRequest, turn: "beside" } },
  save,
};
