// The questions of a page that has views and no panels.

import { tableOf } from "../asking/table.js";
import { VIEWS } from "./views.js";

/** The questions of each view. */
export const OF_VIEWS = Object.values(VIEWS).map(({ questions }) => questions);

export const { SLOTS, questions, UNASKED } = tableOf(OF_VIEWS);
