// The share of right answers over the steps: a line for each seed, and guessing as a dotted one.

import { make, svg } from "../dom/dom.js";
import * as words from "./words.js";

/** @import { TrainingPoint } from "../types.d.ts" */

const [WIDTH, HEIGHT] = [300, 90]; // in its own units

/**
 * @param {TrainingPoint[][]} seeds the points of each
 * @param {{chance: number, goal: number, last: number, now: string}} about `last`: the step at the end of the axis
 */
export function chart(seeds, { chance, goal, last, now }) {
  const x = (/** @type {number} */ step) => (WIDTH * step) / last;
  const y = (/** @type {number} */ share) => HEIGHT * (1 - share);
  const across = (/** @type {number} */ share, /** @type {string} */ kind) =>
    svg("path", { d: `M0 ${y(share)}H${WIDTH}`, class: kind });
  const lines = seeds.map((points) => {
    const places = points.flatMap(({ step, score }) =>
      score ? [`${x(step).toFixed(1)} ${y(score.accuracy).toFixed(1)}`] : [],
    );
    return svg("path", { d: places.length ? `M${places.join("L")}` : "", class: "film-curve" });
  });
  const picture = svg(
    "svg",
    { viewBox: `0 -3 ${WIDTH} ${HEIGHT + 4}`, role: "img", preserveAspectRatio: "none" },
    [across(chance, "train-chance"), across(goal, "train-goal"), ...lines],
  );
  picture.setAttribute("aria-label", words.curveInWords({ now, chance }));
  return make("figure", { class: "train-chart" }, [
    make("figcaption", { text: words.CURVE }),
    /** @type {any} */ (picture),
  ]);
}
