// The path map as a picture for a file. Pure.

import { PORTS } from "../../draw/paths/layout.js";
import { framed, wrapped } from "../../draw/pictures/frame.js";
import { widthOf } from "../../draw/textwidth.js";
import { crossOf, sizeOf } from "./picture.js";
import { LEGEND } from "./words.js";

/** @import { Mark } from "../../draw/scene.js" */
/** @import { PathEdge } from "../../types.d.ts" */
/** @typedef {ReturnType<typeof import("../../draw/paths/layout.js").layoutOf>} Layout */

const [SIZE, SMALL, LINE, SAMPLE] = [12, 10, 18, 28];
const LINES = 12; // of each paragraph

/**
 * @param {Layout} layout
 * @param {PathEdge[]} edges in the order of the layout's lines
 * @param {object} given
 * @param {number} given.most the largest effect of a cut
 * @param {string[]} given.rows
 * @param {string} given.title
 * @param {string[]} given.about paragraphs
 * @param {Pick<ReturnType<typeof import("../../dom/palette.js").palette>, "categories" | "falls" | "paper">} colours
 */
export function pathsScene(layout, edges, { most, rows, title, about }, colours) {
  const { categories, falls, paper } = colours;
  const plain = paper.faint;
  const strokes = {
    q: categories[1],
    k: categories[0],
    v: categories[3],
    mlp: plain,
    logit: plain,
  };
  /** @type {Mark[]} */
  const marks = [];
  const write = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ text,
    how = {},
  ) => marks.push({ mark: "text", x, y, text, size: SIZE, fill: paper.ink, ...how });
  const cross = (/** @type {[x: number, y: number]} */ middle) =>
    marks.push({ mark: "path", d: crossOf(middle), stroke: falls, line: 2 });

  for (const { y } of layout.rows) {
    marks.push({ mark: "path", d: `M0 ${y}H${layout.width}`, stroke: paper.line });
  }
  for (const [place, { through, moved, verdict }] of [...edges.entries()].toReversed()) {
    const { d, middle } = layout.lines[place];
    const look = { stroke: strokes[through], line: sizeOf(moved, most), opacity: 0.75 };
    marks.push({ mark: "path", d, ...look });
    if (verdict === "denied") cross(middle);
  }
  for (const { y, row } of layout.rows) {
    if (row === 0) continue; // its tokens name it
    const behind = { x: 0, y: y - 25, width: widthOf(rows[row], SIZE) + 4, height: 18 };
    marks.push({ mark: "rect", ...behind, fill: paper.panel }); // edges would strike it through
    write(2, y - 16, rows[row], { fill: paper.faint });
  }
  const middle = { anchor: "middle" };
  for (const { row, x, y, width, height, label, id } of layout.boxes.values()) {
    if (row === 0) continue;
    const box = { x, y, width, height, fill: paper.panel, stroke: paper.faint };
    marks.push({ mark: "rect", ...box });
    write(x + width / 2, y + height / 2, label, middle);
    if (!id.startsWith("head:")) continue;
    for (const [port, at] of Object.entries(PORTS)) {
      const where = x + width / 2 + at;
      const how = { ...middle, size: SMALL, fill: paper.faint };
      if (port.length === 1) write(where, y + height + 5, port.toUpperCase(), how);
    }
  }
  for (const { x, label } of layout.tokens) {
    const wide = 20 + 7.6 * label.length;
    const box = { x: x - wide / 2, y: layout.rows[0].y - 12, width: wide, height: 24 };
    marks.push({ mark: "rect", ...box, fill: paper.panel, stroke: paper.line });
    write(x, layout.rows[0].y, label, middle);
  }
  LEGEND.forEach(([name, text], index) => {
    const y = layout.height + LINE * (index + 0.5);
    if (name === "denied") cross([SAMPLE / 2, y]);
    else marks.push({ mark: "path", d: `M0 ${y}H${SAMPLE}`, stroke: strokes[name], line: 3 });
    write(SAMPLE + 8, y, text);
  });
  const widest = Math.max(...LEGEND.map(([, text]) => SAMPLE + 8 + widthOf(text, SIZE)));
  const width = Math.max(layout.width, Math.ceil(widest));
  const lines = about.flatMap((text) => wrapped(text, width, SIZE, LINES));
  const below = layout.height + LINE * (LEGEND.length + 0.5);
  lines.forEach((line, index) => {
    write(0, below + LINE * (index + 0.5), line, { fill: paper.faint });
  });
  const body = { width, height: below + LINE * lines.length, marks };
  return framed({ title, about: [], body, paper });
}
