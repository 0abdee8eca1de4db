// All questions of the inspector: a panel asks its own only while its tab is open.

import { tableOf } from "../asking/table.js";
import { openPanel, PANEL_NAMES } from "../state/panels.js";
import { OF_VIEWS } from "../views/views.js";
import { PANELS } from "./panels.js";

/** @import { Question } from "../asking/questions.js" */

/** @param {import("../state/panels.js").PanelName} panel @param {Question} question @returns {Question} */
const whileOpen = (panel, question) => ({
  ...question,
  request: (state, model, isCurrent) =>
    openPanel(state.right, model) === panel ? question.request(state, model, isCurrent) : null,
});

const OF_PANELS = PANEL_NAMES.map((panel) =>
  Object.fromEntries(
    Object.entries(PANELS[panel].questions).map(([name, question]) => [
      name,
      whileOpen(panel, question),
    ]),
  ),
);

export const { SLOTS, PROMPT, questions, UNASKED } = tableOf(OF_VIEWS, OF_PANELS);
