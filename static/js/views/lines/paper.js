// Lines as a figure for a file: the title, both axes, every token, a legend of the heads, and what the picture leaves out. Pure.

import { sidesOf } from "./picture.js";
import { BOTTOM, geometryOf, inkOf, lineMarks, nameMarks, sideMarks, TOP } from "./scene.js";
import { linesOf } from "./strengths.js";
import { notes, numbersOf, sideNames, titleOf } from "./words.js";

/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("./picture.js").Focus} Focus */
/** @typedef {import("./picture.js").Detail} Detail */
/** @typedef {import("../../draw/scene.js").Mark} Mark */

const WIDTH = 720;
const EDGE = 16; // pixels: the margin
const ROW = 16; // pixels of a token if there is room
const MAX_HEIGHT = 7600; // pixels: at twice the resolution, about the limit of a canvas
const LETTERS = 112; // per line of the notes
const LINE = 16;

/**
 * @param {Picture} picture
 * @param {Focus} focus
 * @param {Detail} detail
 * @param {import("./scene.js").Colours} colours
 * @returns {import("../../draw/scene.js").Scene}
 */
export function paperOf(picture, focus, detail, colours) {
  const { series, shown, faded, legend } = picture;
  const { paper } = colours;
  const title = titleOf(picture, detail);
  const drawn = linesOf(series, focus.part, faded);
  /** @type {Mark[]} */
  const marks = [
    { mark: "text", x: EDGE, y: EDGE + 8, text: title, size: 15, fill: paper.ink, weight: 650 },
  ];
  let y = EDGE + 32;
  if (focus.kind !== "all") {
    const { what } = numbersOf(picture, focus, detail);
    y = print(marks, [what.replace(/:$/, "")], y, paper.ink);
  }
  let x = EDGE;
  for (const { colour, name } of legend) {
    const long = 26 + 6.6 * name.length;
    if (x > EDGE && x + long > WIDTH - EDGE) [x, y] = [EDGE, y + LINE];
    marks.push({ mark: "rect", x, y: y - 4, width: 12, height: 8, fill: inkOf(colour, colours) });
    marks.push({ mark: "text", x: x + 17, y, text: name, size: 11, fill: paper.ink });
    x += long;
  }
  y += LINE;
  const tokens = Math.max(shown.from.length, shown.to.length, 1);
  const row = Math.min(ROW, MAX_HEIGHT / tokens);
  const height = TOP + BOTTOM + tokens * row;
  const of = { queries: detail.queries.length, keys: detail.keys.length };
  const width = WIDTH - 2 * EDGE;
  const geometry = geometryOf({ width, height, shown, of, top: y, most: row, x: EDGE });
  const sides = sidesOf(picture, focus, detail);
  sides.queries.read = null; // it marks the row that other parts of the page show
  marks.push(...lineMarks(drawn, series, geometry, colours, row < 6 ? 0.75 : 1.25));
  marks.push(...nameMarks(sides, sideNames(detail.site.kind), geometry, paper));
  marks.push(...sideMarks("queries", sides.queries, series, geometry, colours, 0));
  marks.push(...sideMarks("keys", sides.keys, series, geometry, colours, 0));
  const bottom = print(
    marks,
    wrapped(notes(picture, drawn, 0).join(" ")),
    y + height + LINE,
    paper.faint,
  );
  const { font, panel: ground } = paper;
  return { width: WIDTH, height: Math.ceil(bottom + EDGE - LINE / 2), font, ground, title, marks };
}

/** @param {Mark[]} marks @param {string[]} lines @param {number} y @param {string} fill */
function print(marks, lines, y, fill) {
  for (const text of lines) {
    marks.push({ mark: "text", x: EDGE, y, text, size: 11, fill });
    y += LINE;
  }
  return y;
}

/** @param {string} text */
function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length >= LETTERS) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
