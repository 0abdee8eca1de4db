// Means as bars from a common zero, with their intervals.

import { make, svg } from "../dom/dom.js";

/** @typedef {{name: string, value: number, low: number | null, high: number | null, text: string}} Bar */

const WIDE = 160; // px, of the ground of a bar

/** @param {readonly Bar[]} bars */
export function barsOf(bars) {
  const reach = Math.max(
    1e-9,
    ...bars.flatMap(({ value, low, high }) => [value, low ?? 0, high ?? 0].map(Math.abs)),
  );
  /** @param {number} number */
  const x = (number) => (WIDE / 2) * (1 + (0.98 * number) / reach);
  return bars.map(({ name, value, low, high, text }) => {
    const [start, end] = [x(0), x(value)].toSorted((one, other) => one - other);
    const drawn = svg("svg", { viewBox: `0 0 ${WIDE} 16`, width: WIDE, height: 16 }, [
      svg("line", { x1: x(0), x2: x(0), y1: 0, y2: 16, class: "study-zero" }),
      svg("rect", {
        ...{ x: start, y: 3, width: end - start, height: 10 },
        class: value < 0 ? "study-falls" : "study-rises",
      }),
      ...(low === null || high === null
        ? []
        : [svg("line", { x1: x(low), x2: x(high), y1: 8, y2: 8, class: "study-span" })]),
    ]);
    drawn.setAttribute("aria-hidden", "true");
    return make("li", {}, [
      make("span", { text: name }),
      drawn,
      make("span", { class: "study-number", text }),
    ]);
  });
}
