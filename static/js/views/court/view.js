// Explanations, as a row of the table of views.

import { court as make } from "./court.js";
import { courtRequest, searchRequest } from "./request.js";
import { save } from "./save.js";

/** @type {import("../view.js").View} */
export const court = {
  make,
  questions: {
    court: { request: courtRequest, turn: "apart", events: true },
    other_attention: {
      request: (state, model) => {
        const request = searchRequest(state, model);
        return request && state.searched === JSON.stringify(request) ? request : null;
      },
      turn: "apart",
      events: true,
    },
  },
  oneMatrix: false,
  save,
};
