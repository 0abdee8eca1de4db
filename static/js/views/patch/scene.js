// Both maps as a picture for a file. Pure.

import { colourAt, isLight, lightness, parseRgb } from "../../draw/color.js";
import { fitted, widthOf } from "../../draw/textwidth.js";
import { layerName } from "../../words/heads.js";
import { SIDES } from "./reading.js";
import * as words from "./words.js";

/** @import { Mark } from "../../draw/scene.js" */

const [EDGE, ROW, COLUMN, SIZE, SPACE, TOP, GAP] = [16, 24, 46, 12, 8, 110, 32];

/**
 * @param {import("./reading.js").Bench} bench
 * @param {Uint8ClampedArray} diverging
 * @param {import("../../draw/figure.js").Paper} paper
 * @returns {import("../../draw/scene.js").Scene}
 */
export function patchScene(bench, diverging, paper) {
  const { groups, reach } = bench;
  const names = groups.flatMap(({ layers }) => layers.map(layerName));
  const left = EDGE + Math.max(...names.map((name) => widthOf(name, SIZE))) + 2 * SPACE;
  const isDark = lightness(parseRgb(paper.ink)) > lightness(parseRgb(paper.panel));
  const [onLight, onDark] = isDark ? [paper.panel, paper.ink] : [paper.ink, paper.panel];
  /** @type {Mark[]} */
  const marks = [];
  const write = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ text,
    how = {},
  ) => marks.push({ mark: "text", x, y, text, size: SIZE, fill: paper.ink, ...how });
  /** @param {number | null} value @param {boolean} disagrees @param {number} x @param {number} y */
  const entry = (value, disagrees, x, y) => {
    const colour = colourAt(diverging, (value ?? 0) / reach);
    const place = { x, y, width: COLUMN - 1, height: ROW - 1 };
    marks.push({ mark: "rect", ...place, fill: `rgb(${colour.join(", ")})` });
    if (disagrees) {
      const inside = { x: x + 1, y: y + 1, width: COLUMN - 3, height: ROW - 3 };
      marks.push({ mark: "rect", ...inside, stroke: paper.ink, line: 2 });
    }
    const fill = isLight(colour) ? onLight : onDark;
    write(x + COLUMN / 2, y + ROW / 2, words.inCell(value), { anchor: "middle", fill });
  };
  const title = words.pictureTitle(bench);
  write(EDGE, EDGE + 8, title, { size: 14, weight: 650 });
  write(EDGE, EDGE + 8 + ROW, words.answers(bench), { fill: paper.faint });
  let y = EDGE + 2 * ROW + 12;
  for (const side of SIDES) {
    write(EDGE, y + 8, words.MAPS[side].title, { weight: 650 });
    for (const group of groups) {
      const top = y + TOP;
      group.columns.forEach(({ name, differs, position }, column) => {
        const text = position === null ? words.headLabel(name) : name;
        const how = { rotate: -90, weight: differs ? 650 : 400 };
        write(left + COLUMN * (column + 0.5), top - 8, fitted(text, SIZE, TOP - 32), how);
      });
      group.layers.forEach(({ cells, ...layer }, row) => {
        const at = top + ROW * row;
        write(EDGE, at + ROW / 2, layerName(layer));
        cells.forEach((cell, column) => {
          entry(cell[side], cell.disagrees, left + COLUMN * column, at);
        });
      });
      y = top + ROW * group.layers.length;
    }
    y += GAP;
  }
  write(EDGE, y, words.pictureLegend, { fill: paper.faint });
  const widest = marks.reduce(
    (most, mark) =>
      mark.mark === "text" && mark.anchor === undefined && !mark.rotate
        ? Math.max(most, mark.x + widthOf(mark.text, mark.size))
        : most,
    left + COLUMN * Math.max(...groups.map(({ columns }) => columns.length)),
  );
  return {
    width: Math.ceil(widest + EDGE),
    height: Math.ceil(y + ROW),
    font: paper.font,
    ground: paper.panel,
    title,
    marks,
  };
}
