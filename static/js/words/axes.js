// The titles of the two axes of a heatmap. Queries run down: their title is turned, so that its arrow points down.

import { gettext } from "../language/gettext.js";

const OF_ONE_TEXT = { query: gettext("← queries"), key: gettext("keys →") };
const OF_TWO_TEXTS = { query: gettext("← target queries"), key: gettext("source keys →") };

/** @typedef {{query: string, key: string}} AxisTitles */

/** @param {import("../types.d.ts").Kind} kind of attention @returns {AxisTitles} */
export const axisTitles = (kind) => (kind === "cross" ? OF_TWO_TEXTS : OF_ONE_TEXT);
