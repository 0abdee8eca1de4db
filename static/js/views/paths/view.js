// Paths, as a row of the table of views.

import { COMPOSITION } from "../../asking/composition.js";
import { paths as make } from "./paths.js";
import { pathsRequest } from "./request.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const paths = {
  make,
  questions: {
    paths: { request: pathsRequest, turn: "apart", events: true },
    composition: COMPOSITION,
  },
  oneMatrix: false,
  save,
};
