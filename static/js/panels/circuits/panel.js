// The circuits of a head over the vocabulary, as a panel.

import { circuits as panel } from "./circuits.js";
import { save } from "./save.js";

/** @type {import("../panel.js").Panel} */
export const circuits = {
  make: (root, store) => panel(root, store),
  questions: {}, // circuits belong to the weights, not to a text (asked.js)
  save,
};
