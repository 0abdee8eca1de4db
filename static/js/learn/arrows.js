// A query as an arrow that readers turn among the keys: the dot products and the weights follow.

import { make } from "../dom/dom.js";
import { fixed } from "../language/language.js";
import { minus } from "../words/format.js";
import { DIRECTION, degrees, dotAndWeight, LENGTH, longAs } from "./words.js";

/** @typedef {[x: number, y: number]} Vector */

/** As the drawing has them (templates/learn/diagrams/03-arrows). @type {Vector[]} */
const KEYS = [
  [2, 1],
  [-1.5, 1.5],
  [0.5, -2],
];
const [LEFT, TOP, UNIT] = [112, 125, 36]; // of the drawing: where the arrows begin, and the length of 1
const BAR = 100; // of a weight of 1
const LONGEST = 3;
/** A place of the name that the drawing has room for. @param {number} at @param {number} middle */
const within = (at, middle) => Math.min(Math.max(at, middle - ROOM), middle + ROOM);
const ROOM = 106;

/**
 * The dot products of a query with the keys, and the weights that the softmax makes of them, divided by √d.
 * @param {Vector} query
 * @param {Vector[]} keys
 */
export function compared(query, keys) {
  const dots = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
  const powers = dots.map((dot) => Math.exp(dot / Math.SQRT2));
  const sum = powers.reduce((all, one) => all + one, 0);
  return dots.map((dot, place) => ({ dot, weight: powers[place] / sum }));
}

/** @param {number} degrees @param {number} length @returns {Vector} */
export const arrow = (degrees, length) => {
  const turn = (degrees * Math.PI) / 180;
  return [length * Math.cos(turn), length * Math.sin(turn)];
};

/** @param {HTMLElement} caption of the drawing */
export function arrows(caption) {
  const root = /** @type {HTMLElement} */ (caption.closest("figure"));
  const svg = /** @type {SVGSVGElement} */ (root.querySelector("svg"));
  const paths = /** @type {NodeListOf<SVGPathElement>} */ (root.querySelectorAll("[data-query]"));
  const grip = paths[paths.length - 1]; // the arrow once more, wide and unseen, for a finger
  const name = /** @type {SVGTextElement} */ (root.querySelector("[data-query-name]"));
  /** @param {string} text @param {Record<string, string>} range */
  const slider = (text, range) => {
    const input = Object.assign(make("input"), { type: "range", ...range });
    return { input, label: make("label", {}, [make("span", { text }), input]) };
  };
  const turn = slider(DIRECTION, { min: "-180", max: "180", step: "1", value: "60" });
  const size = slider(LENGTH, { min: "0", max: String(LONGEST), step: "0.05", value: "2" });
  caption.before(turn.label, size.label);
  for (const hint of root.querySelectorAll("[data-with-script]")) hint.removeAttribute("hidden");

  const draw = () => {
    const [x, y] = arrow(Number(turn.input.value), Number(size.input.value));
    const to = [LEFT + UNIT * x, TOP - UNIT * y];
    const line = `M${LEFT} ${TOP}L${to.map((each) => each.toFixed(1)).join(" ")}`;
    for (const path of paths) path.setAttribute("d", line);
    const [outward, up] = arrow(Number(turn.input.value), 0.35);
    name.setAttribute("x", within(to[0] + UNIT * outward, LEFT).toFixed(1));
    name.setAttribute("y", within(to[1] - UNIT * up + 5, TOP + 3).toFixed(1));
    turn.input.setAttribute("aria-valuetext", degrees(turn.input.value));
    size.input.setAttribute("aria-valuetext", longAs(size.input.value));
    for (const [place, { dot, weight }] of compared([x, y], KEYS).entries()) {
      const said = /** @type {Element} */ (root.querySelector(`[data-said="${place}"]`));
      said.textContent = dotAndWeight(minus(fixed(Math.round(100 * dot) / 100, 2)), weight);
      root
        .querySelector(`[data-share="${place}"]`)
        ?.setAttribute("width", (BAR * weight).toFixed(1));
    }
  };
  for (const { input } of [turn, size]) input.addEventListener("input", draw);

  /** Where the pointer is, as an arrow of the drawing. @param {PointerEvent} event */
  const point = ({ clientX, clientY }) => {
    const { left, top, width } = svg.getBoundingClientRect();
    const scale = width / svg.viewBox.baseVal.width;
    const [x, y] = [(clientX - left) / scale - LEFT, TOP - (clientY - top) / scale];
    turn.input.value = String((Math.atan2(y, x) * 180) / Math.PI);
    size.input.value = String(Math.hypot(x, y) / UNIT);
    draw();
  };
  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    point(event);
  });
  grip.addEventListener("pointermove", (event) => {
    if (grip.hasPointerCapture(event.pointerId)) point(event);
  });
  draw();
}
