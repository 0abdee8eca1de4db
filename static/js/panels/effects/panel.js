// The mute effects as a panel.

import { effectsRequest } from "../../asking/requests.js";
import { effects as list } from "./effects.js";
import { paint } from "./paint.js";
import { save } from "./save.js";

/** @type {import("../panel.js").Panel} */
export const effects = {
  make: (root, store, { retry }) => list(root, store, retry),
  questions: { effects: { request: effectsRequest, turn: "apart", events: true } },
  save,
  paint,
};
