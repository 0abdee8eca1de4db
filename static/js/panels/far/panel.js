// The far links as a panel.

import { far as list } from "./far.js";
import { farRequest } from "./request.js";
import { save } from "./save.js";

/** @type {import("../panel.js").Panel} */
export const far = {
  make: (root, store, { retry }) => list(root, store, retry),
  questions: { far: { request: farRequest, turn: "apart", events: true } },
  save,
};
