// Text, as a row of the table of views.

import { toggled } from "../../state/overlay.js";
import { save } from "./save.js";
import { text as make } from "./text.js";
import { textRequest } from "./weights.js";

/** @type {import("../view.js").View} */
export const text = {
  make,
  questions: {
    text: { request: textRequest, turn: "beside" },
  },
  oneMatrix: false,
  keys: {
    h: ({ overlay, layer, head }) => ({ overlay: toggled(overlay, [layer, head]) }),
  },
  save,
};
