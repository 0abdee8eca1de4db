// Lines as a figure for a file: the title, both axes, every token, a legend of the heads, and what the picture leaves out. Pure.

import { wrapped } from "../../draw/pictures/frame.js";
import { fitted } from "../../draw/textwidth.js";
import { sentences } from "../../language/gettext.js";
import { sidesOf } from "./picture.js";
import { BOTTOM, geometryOf, inkOf, lineMarks, nameMarks, sideMarks, TOP } from "./scene.js";
import { linesOf } from "./strengths.js";
import { notes, numbersOf, sideNames, titleOf } from "./words.js";

/** @import { Detail, Focus, Picture } from "./picture.js" */
/** @import { Mark } from "../../draw/scene.js" */

const WIDTH = 720;
const EDGE = 16; // pixels: the margin
const ROW = 16; // pixels of a token if there is room
const MAX_HEIGHT = 7600; // pixels: at twice the resolution, about the limit of a canvas
const MAX_LINES = 12; // of the notes
const LINE = 16;

/**
 * @param {Picture} picture
 * @param {Focus} focus
 * @param {Detail} detail
 * @param {import("./scene.js").Colours} colours
 * @param {number} [width] of all, in pixels
 * @returns {import("../../draw/scene.js").Scene}
 */
export function paperOf(picture, focus, detail, colours, width = WIDTH) {
  const { series, shown, faded, legend } = picture;
  const { paper } = colours;
  const title = titleOf(picture, detail);
  const inner = width - 2 * EDGE;
  const drawn = linesOf(series, focus.part, faded);
  /** @type {Mark[]} */
  const marks = [
    {
      mark: "text",
      x: EDGE,
      y: EDGE + 8,
      size: 15,
      fill: paper.ink,
      weight: 650,
      text: fitted(title, 15, inner),
    },
  ];
  let y = EDGE + 32;
  if (focus.kind !== "all") {
    const { what } = numbersOf(picture, focus, detail);
    y = print(marks, wrapped(what.replace(/:$/, ""), inner, 11), y, paper.ink);
  }
  let x = EDGE;
  for (const { colour, name } of legend) {
    const long = 26 + 6.6 * name.length;
    if (x > EDGE && x + long > width - EDGE) [x, y] = [EDGE, y + LINE];
    marks.push({ mark: "rect", x, y: y - 4, width: 12, height: 8, fill: inkOf(colour, colours) });
    marks.push({ mark: "text", x: x + 17, y, text: name, size: 11, fill: paper.ink });
    x += long;
  }
  y += LINE;
  const tokens = Math.max(shown.from.length, shown.to.length, 1);
  const row = Math.min(ROW, MAX_HEIGHT / tokens);
  const height = TOP + BOTTOM + tokens * row;
  const of = { queries: detail.queries.length, keys: detail.keys.length };
  const geometry = geometryOf({ width: inner, height, shown, of, top: y, most: row, x: EDGE });
  const sides = sidesOf(picture, focus, detail);
  sides.queries.read = null; // it marks the row that other parts of the page show
  marks.push(...lineMarks(drawn, series, geometry, colours, row < 6 ? 0.75 : 1.25));
  marks.push(...nameMarks(sides, sideNames(detail.site.kind), geometry, paper));
  marks.push(...sideMarks("queries", sides.queries, series, geometry, colours, 0));
  marks.push(...sideMarks("keys", sides.keys, series, geometry, colours, 0));
  const bottom = print(
    marks,
    wrapped(sentences(notes(picture, drawn, 0)), inner, 11, MAX_LINES),
    y + height + LINE,
    paper.faint,
  );
  const { font, panel: ground } = paper;
  return { width, height: Math.ceil(bottom + EDGE - LINE / 2), font, ground, title, marks };
}

/** @param {Mark[]} marks @param {string[]} lines @param {number} y @param {string} fill */
function print(marks, lines, y, fill) {
  for (const text of lines) {
    marks.push({ mark: "text", x: EDGE, y, text, size: 11, fill });
    y += LINE;
  }
  return y;
}
