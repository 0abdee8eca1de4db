// Lines, as a row of the table of views.

import { toggled } from "../../state/overlay.js";
import { overlayRequest } from "./heads.js";
import { lines as make } from "./lines.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const lines = {
  make,
  questions: {
    overlays: {
      request: overlayRequest,
      turn: "beside",
    },
  },
  oneMatrix: true,
  keys: {
    h: ({ overlay, layer, head }) => ({ overlay: toggled(overlay, [layer, head]) }),
  },
  save,
};
