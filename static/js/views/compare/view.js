// Compare, as a row of the table of views.

import { compare as make } from "./compare.js";
import { otherRequest, wholeRequest } from "./request.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const compare = {
  make,
  questions: {
    other: { request: otherRequest, turn: "beside" },
    whole: { request: wholeRequest, turn: "apart" },
  },
  oneMatrix: true,
  keys: {
    z: () => ({ flipped: true }),
  },
  releases: {
    z: () => ({ flipped: false }),
  },
  save,
};
