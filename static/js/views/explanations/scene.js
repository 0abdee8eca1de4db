// The deletion and insertion curves as a picture for a file. Pure.

import { framed, wrapped } from "../../draw/pictures/frame.js";
import { KINDS, linesOf } from "./curves.js";
import { middleOf, placed, SIZE } from "./lines.js";
import * as words from "./words.js";

/** @import { Mark } from "../../draw/scene.js" */
/** @typedef {ReturnType<typeof import("../../dom/palette.js").palette>} Palette */

const [FONT, NAME, LINE, LINES, BETWEEN] = [11, 13, 16, 12, 24];
const HEAD = 2 * LINE + 6; // above the curves: two lines of what they show

/**
 * @param {import("./reading.js").Comparison} comparison
 * @param {string[]} about paragraphs
 * @param {Pick<Palette, "categories" | "paper">} colours
 */
export function explanationsScene(comparison, about, { categories, paper }) {
  /** @type {Mark[]} */
  const marks = [];
  const { width } = SIZE;
  const right = SIZE.width - SIZE.right;
  const strokes = [paper.ink, categories[0], categories[1], categories[5]];
  KINDS.forEach((kind, column) => {
    const { lines, low, high, steps, zero } = placed(linesOf(kind, comparison));
    const bottom = SIZE.height - SIZE.bottom;
    /** @type {Mark[]} */
    const inside = [];
    const write = (
      /** @type {number} */ x,
      /** @type {number} */ y,
      /** @type {string} */ text,
      how = {},
    ) => inside.push({ mark: "text", x, y, text, size: FONT, fill: paper.faint, ...how });
    const draw = (/** @type {string} */ d, /** @type {string} */ stroke, how = {}) =>
      inside.push({ mark: "path", d, stroke, ...how });
    draw(`M${SIZE.left} ${SIZE.top}V${bottom}H${right}`, paper.faint);
    if (zero !== null) draw(`M${SIZE.left} ${zero}H${right}`, paper.line);
    const end = { anchor: "end" };
    write(SIZE.left - 4, SIZE.top + 4, words.number(high), end);
    write(SIZE.left - 4, (SIZE.top + bottom) / 2, words.CURVES.y, end);
    write(SIZE.left - 4, bottom - 4, words.number(low), end);
    const middle = { anchor: "middle" };
    write(SIZE.left, SIZE.height - 14, "0", middle);
    write(right, SIZE.height - 14, String(steps), middle);
    write((SIZE.left + right) / 2, SIZE.height - 14, words.CURVES.x[kind], middle);
    lines.forEach(({ name, label, points, at }, index) => {
      const stroke = name === "random" ? paper.faint : strokes[index];
      const d = points.map(({ x, y }, step) => `${step ? "L" : "M"}${x} ${y}`).join("");
      const from = points[middleOf(points)];
      draw(d, stroke, { line: 2 });
      draw(`M${from.x} ${from.y}L${right + 6} ${at}`, stroke, { opacity: 0.5 });
      write(right + 9, at, label, { fill: paper.ink });
    });
    const x = column * (width + BETWEEN);
    wrapped(words.CURVES[kind], width, NAME, 2).forEach((text, index) => {
      const y = LINE * (index + 0.5);
      marks.push({ mark: "text", x, y, text, size: NAME, fill: paper.ink });
    });
    marks.push({ mark: "group", x, y: HEAD, marks: inside });
  });
  const whole = 2 * width + BETWEEN;
  const lines = about.flatMap((text) => wrapped(text, whole, FONT, LINES));
  const below = HEAD + SIZE.height + 8;
  lines.forEach((text, index) => {
    const y = below + LINE * (index + 0.5);
    marks.push({ mark: "text", x: 0, y, text, size: FONT, fill: paper.faint });
  });
  const body = { width: whole, height: below + LINE * lines.length, marks };
  return framed({ title: words.question(comparison), about: [], body, paper });
}
