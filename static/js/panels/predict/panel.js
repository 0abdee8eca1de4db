// The predictions as a panel. Their question is asked whatever tab is open, since other parts of the page show its answer, too.

import { predictions } from "./predict.js";
import { save } from "./save.js";

/** @type {import("../panel.js").Panel} */
export const next = {
  make: (root, store, { retry, undo, open }) =>
    predictions(root, store, { retry, undo, openEffects: () => open("effects") }),
  questions: {},
  save,
};
