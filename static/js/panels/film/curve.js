// One measure over training, as a small curve: the step on screen is marked, and a press goes to the nearest one.

import { make, svg } from "../../dom/dom.js";
import { placeIn } from "./born.js";

/** @import { Film } from "../../types.d.ts" */
/** @typedef {{name: string, title: string, text: (value: number) => string, most: number | null, values: number[]}} Row one value per step; `most`: the end of its scale; null: its largest value */

const [WIDTH, HEIGHT] = [120, 44]; // in its own units

/**
 * The path of a measure in a box.
 * @param {Pick<Film, "steps">} film @param {Pick<Row, "values" | "most">} row @param {{width: number, height: number}} box
 */
export function pathOf(film, { values, most }, { width, height }) {
  const top = most ?? Math.max(...values);
  const low = Math.min(0, ...values); // the loss may fall without a head
  const points = values.map((value, at) => ({
    x: width * placeIn(film, at),
    y: height * (1 - (value - low) / (top - low)),
  }));
  return {
    points,
    d: points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""),
  };
}

/**
 * @param {Film} film @param {Row} row
 * @param {{at: number, phase: number | null, go: (at: number) => void}} where
 */
export function curve(film, row, { at, phase, go }) {
  const { points, d } = pathOf(film, row, { width: WIDTH, height: HEIGHT });
  const text = row.text(row.values[at]);
  const { x, y } = points[at];
  const marks = [
    ...(phase === null ? [] : [band(points[phase].x, points[phase + 1].x)]),
    svg("path", { d, class: "film-curve" }),
    svg("path", { d: `M${x} 0V${HEIGHT}`, class: "film-now" }),
    svg("circle", { cx: x, cy: y, r: 2.5, class: "film-dot" }),
  ];
  const picture = svg("svg", { viewBox: `-3 -3 ${WIDTH + 6} ${HEIGHT + 6}`, role: "img" }, marks);
  picture.setAttribute("aria-label", `${row.title}: ${text}`);
  picture.addEventListener("click", (event) => {
    const { left, width } = picture.getBoundingClientRect();
    const pressed = ((event.clientX - left) / width) * (WIDTH + 6) - 3;
    const far = points.map((point) => Math.abs(point.x - pressed));
    go(far.indexOf(Math.min(...far)));
  });
  return make("figure", { class: "film-measure" }, [
    make("figcaption", {}, [make("span", { text: row.title }), make("b", { text })]),
    /** @type {any} */ (picture),
  ]);
}

/** @param {number} from @param {number} to */
const band = (from, to) =>
  svg("rect", { x: from, y: 0, width: to - from, height: HEIGHT, class: "film-phase" });
