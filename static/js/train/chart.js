// A curve over the steps: a line for each seed, and what guessing gives as a dotted one.

import { make, svg } from "../dom/dom.js";

/** @import { TrainingPoint } from "../types.d.ts" */

const [WIDTH, HEIGHT] = [300, 90]; // in its own units

/**
 * @param {TrainingPoint[][]} seeds the points of each
 * @param {object} about
 * @param {(point: TrainingPoint) => number | null} about.of
 * @param {number} about.most at the top of the axis, which begins at 0
 * @param {number} about.last the step at the end of the other axis
 * @param {number | null} about.guessing
 * @param {number | null} about.goal
 * @param {string} about.caption
 * @param {string} about.said for screen readers
 */
export function chart(seeds, { of, most, last, guessing, goal, caption, said }) {
  const x = (/** @type {number} */ step) => (WIDTH * step) / last;
  const y = (/** @type {number} */ value) => HEIGHT * (1 - value / most);
  const across = (/** @type {number | null} */ value, /** @type {string} */ kind) =>
    value === null || value > most
      ? []
      : [svg("path", { d: `M0 ${y(value)}H${WIDTH}`, class: kind })];
  const lines = seeds.map((points) => {
    const places = points.flatMap((point) => {
      const value = of(point);
      return value === null ? [] : [`${x(point.step).toFixed(1)} ${y(value).toFixed(1)}`];
    });
    return svg("path", { d: places.length ? `M${places.join("L")}` : "", class: "film-curve" });
  });
  const picture = svg(
    "svg",
    { viewBox: `0 -3 ${WIDTH} ${HEIGHT + 4}`, role: "img", preserveAspectRatio: "none" },
    [...across(guessing, "train-chance"), ...across(goal, "train-goal"), ...lines],
  );
  picture.setAttribute("aria-label", said);
  return make("figure", { class: "train-chart" }, [
    make("figcaption", { text: caption }),
    /** @type {any} */ (picture),
  ]);
}
