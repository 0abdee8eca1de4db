// Inside, as a row of the table of views.

import { inside as make } from "./inside.js";
import { insideRequest } from "./request.js";
import { save } from "./save.js";
import { stepBy } from "./stepper.js";

/** @type {import("../view.js").View} */
export const inside = {
  make,
  questions: {
    inside: {
      request: insideRequest,
      turn: "beside",
    },
  },
  oneMatrix: false,
  keys: {
    ",": (state) => stepBy(state, -1),
    ".": (state) => stepBy(state, 1),
  },
  save,
};
