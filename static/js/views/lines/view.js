// Lines, as a row of the table of views.

import { SELECTED } from "../../asking/questions.js";
import { overlayRequest, toggled } from "./heads.js";
import { lines as make } from "./lines.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const lines = {
  make,
  questions: {
    overlays: {
      keys: [...SELECTED, "view", "overlay", "matrix", "lacks"],
      request: overlayRequest,
      turn: "beside",
    },
  },
  oneMatrix: true,
  keys: {
    h: ({ view, overlay, layer, head }) =>
      view === "lines" ? { overlay: toggled(overlay, [layer, head]) } : null,
  },
  save,
};
