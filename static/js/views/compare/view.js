// Compare, as a row of the table of views.

import { LISTED, SELECTED } from "../../asking/questions.js";
import { compare as make } from "./compare.js";
import { otherRequest, wholeRequest } from "./request.js";
import { save } from "./save.js";

const COMPARED = /** @type {const} */ (["view", "against", "matrix"]);

/** @type {import("../view.js").View} */
export const compare = {
  make,
  questions: {
    other: { keys: [...COMPARED, "shown", ...LISTED], request: otherRequest, turn: "beside" },
    whole: { keys: [...COMPARED, ...SELECTED], request: wholeRequest, turn: "apart" },
  },
  oneMatrix: true,
  save,
};
