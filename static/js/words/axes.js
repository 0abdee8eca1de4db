// The titles of the two axes of a heatmap. Queries run down: their title is turned, so that its arrow points down.

const OF_ONE_TEXT = { query: "← queries", key: "keys →" };
const OF_TWO_TEXTS = { query: "← target queries", key: "source keys →" };

/** @typedef {{query: string, key: string}} AxisTitles */

/** @param {import("../types.d.ts").Kind} kind of attention @returns {AxisTitles} */
export const axisTitles = (kind) => (kind === "cross" ? OF_TWO_TEXTS : OF_ONE_TEXT);
