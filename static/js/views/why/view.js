// Why here, as a row of the table of views.

import { keyBy, whyRequest } from "./request.js";
import { save } from "./save.js";
import { why as make } from "./why.js";

/** @type {import("../view.js").View} */
export const why = {
  make,
  questions: {
    why: { request: whyRequest, turn: "apart" },
  },
  oneMatrix: false,
  keys: {
    ",": (state) => keyBy(state, -1),
    ".": (state) => keyBy(state, 1),
  },
  save,
};
