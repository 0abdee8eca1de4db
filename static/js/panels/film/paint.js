// The heads of the grid, coloured by when they got their habits: the earlier, the stronger.

import { becoming, placeIn } from "./born.js";
import * as words from "./words.js";

/** @import { Film } from "../../types.d.ts" */

/** @param {Film} film @param {number} at the step on screen: who has no habit yet has no colour @returns {import("../panel.js").Painting | null} */
export function paint(film, at) {
  if (Object.keys(film.heads).length === 0) return null; // nothing is known of its heads
  const had = becoming(film).filter(({ from }) => from <= at);
  return {
    heads: new Map(
      had.map(({ layer, head, name, from }) => [
        `${layer}.${head}`,
        {
          tint: /** @type {const} */ ("falls"),
          strength: 1 - 0.8 * placeIn(film, from),
          text: String(film.steps[from]),
          words: words.became({ layer, head, name, step: film.steps[from] }),
        },
      ]),
    ),
    legend: { words: words.LEGEND, low: words.LATE, high: words.EARLY, isOneSided: true },
  };
}
