// A, B and B − A side by side, as one scene. A and B share a scale; that of the difference is symmetric about zero. Pure.

import { LABEL_SIZE, layoutIn } from "../../draw/axes.js";
import { clipped, hatchPath, spacing } from "../../draw/hatchpath.js";
import { heatmapMarks, plotOf } from "../../draw/heatmap.js";
import { marks as barMarks } from "../../draw/legends/bar.js";
import { bandMarks, bandsOf } from "../../draw/overlays.js";
import { fitted } from "../../draw/textwidth.js";
import { wholeOf } from "../../draw/viewport.js";
import { reach } from "../../numbers/matrix.js";
import { arranged } from "./arranged.js";
import { CELL } from "./difference.js";
import { endOfScale, PICTURE } from "./words.js";

/** @import { Compared, Side } from "./difference.js" */
/** @import { Paper } from "../../draw/figure.js" */
/** @import { Place } from "../../draw/axes.js" */
/** @import { Range } from "../../draw/raster.js" */
/** @import { Mark, Scene } from "../../draw/scene.js" */

const [TITLE, LINES] = [15, 12]; // font sizes of the lines above a saved picture
const LINE = 18; // their height
const APART = 10; // pixels between the headings of two heatmaps
const MIN_MIDDLE = 150; // pixels: a shorter scale only has numbers at its ends

/**
 * @typedef {object} Triptych
 * @property {Scene} scene
 * @property {Place[]} plots the positions of the cells of A, B and the difference
 */

/**
 * @param {object} options
 * @param {Side} options.a
 * @param {Side} options.b
 * @param {Compared} options.compared
 * @param {string[]} options.titles of the three heatmaps
 * @param {string} options.title of the whole picture
 * @param {string[]} [options.heading] lines above the heatmaps of a saved picture
 * @param {Range} options.range of the scale that A and B share
 * @param {string} options.unit
 * @param {{side: Uint8ClampedArray, difference: Uint8ClampedArray}} options.tables
 * @param {Paper} options.paper
 * @param {string} options.hatch
 * @param {import("../../words/axes.js").AxisTitles[]} options.axes the titles of the axes of each heatmap
 * @param {number} options.width
 * @param {(number | null)[]} [options.rows] the marked row of each heatmap
 * @param {number} [options.size] font size of the labels
 * @param {boolean} [options.bar] whether there are colour bars
 * @returns {Triptych}
 */
export function triptych(options) {
  const { a, b, compared, titles, range, unit, tables, paper, hatch, axes, width } = options;
  const { heading = [], rows = [], size = LABEL_SIZE, bar = true } = options;
  const most = reach(compared.matrix.data);
  const symmetric = { low: -most, high: most };
  const panels = [
    { ...a, range, table: tables.side },
    { ...b, range, table: tables.side },
    { ...compared, range: symmetric, table: tables.difference },
  ];
  /** @type {Mark[]} */
  const marks = heading.map((text, index) => ({
    mark: "text",
    x: 0,
    y: LINE * (index + 0.5),
    size: index ? LINES : TITLE,
    fill: paper.ink,
    text: fitted(text, index ? LINES : TITLE, width),
    weight: index ? 400 : 650,
  }));
  const top = heading.length ? heading.length * LINE + LINE / 2 : 0;
  const { boxes, height } = arranged(panels, { width, top, size });
  /** @type {Place[]} */
  const plots = [];
  panels.forEach(({ queries, keys, ...panel }, index) => {
    const { bare, bottom, ...box } = boxes[index];
    const labels = { queries: bare ? queries.map(() => "") : queries, keys };
    const layout = layoutIn(box, labels, { heading: true, scale: false, size });
    const plot = plotOf(layout);
    plots.push(plot);
    marks.push(
      ...heatmapMarks({
        ...panel,
        labels,
        layout,
        paper,
        hatch,
        titles: bare ? { ...axes[index], query: "" } : axes[index],
        heading: { x: box.x, y: box.y, text: titles[index], width: box.width - APART },
        row: rows[index] ?? undefined,
      }),
    );
    if (index === 2) marks.push(...overDifference(compared, plot, paper, hatch));
    if (bottom === null || !bar) return;
    const words = index === 0 ? PICTURE.scale(unit) : PICTURE.differenceScale(unit);
    marks.push(...scale({ ...plot, y: bottom + 4 }, panel, words, paper, size));
  });
  const { font, panel: ground } = paper;
  return {
    scene: { width, height: Math.ceil(height), font, ground, title: options.title, marks },
    plots,
  };
}

/**
 * What marks cells of the difference: cross-hatching for tokens of only one side, an outline for cells blocked in one of them.
 * @param {Compared} compared
 * @param {Place} plot
 * @param {Paper} paper
 * @param {string} hatch
 * @returns {Mark[]}
 */
function overDifference({ matrix, cells }, plot, paper, hatch) {
  const { rows, cols } = matrix;
  /** @param {number} kind @returns {(row: number, col: number) => boolean} */
  const is = (kind) => (row, col) =>
    row >= 0 && col >= 0 && row < rows && col < cols && cells[row * cols + col] === kind;
  /** @type {Mark[]} */
  const marks = [];
  if (cells.includes(CELL.alone)) {
    const side = spacing(plot.width / cols, plot.height / rows);
    const lines = ["up", "down"].flatMap((angle) =>
      clipped(angle, side, plot, { rows, cols }, is(CELL.alone)),
    );
    marks.push({ mark: "path", d: hatchPath(lines, plot), stroke: hatch, line: 0.75 });
  }
  if (cells.includes(CELL.one)) {
    marks.push({
      mark: "path",
      d: outline(matrix, plot, is(CELL.one)),
      stroke: paper.ink,
      line: 1,
    });
  }
  return marks;
}

/**
 * The outline of some cells, as one path.
 * @param {{rows: number, cols: number}} matrix
 * @param {Place} plot
 * @param {(row: number, col: number) => boolean} within
 */
export function outline({ rows, cols }, { x, y, width, height }, within) {
  const [wide, high] = [width / cols, height / rows];
  /** @param {number} col @param {number} row */
  const point = (col, row) => `${round(x + col * wide)} ${round(y + row * high)}`;
  const edges = [];
  for (let row = 0; row <= rows; row += 1) {
    for (let col = 0; col <= cols; col += 1) {
      const here = within(row, col);
      if (col < cols && here !== within(row - 1, col)) {
        edges.push(`M${point(col, row)}L${point(col + 1, row)}`);
      }
      if (row < rows && here !== within(row, col - 1)) {
        edges.push(`M${point(col, row)}L${point(col, row + 1)}`);
      }
    }
  }
  return edges.join("");
}

/**
 * A colour scale below a heatmap, with the numbers of its ends.
 * @param {Place} place
 * @param {{range: Range, table: Uint8ClampedArray}} colours
 * @param {string} words
 * @param {Paper} paper
 * @param {number} size font size
 * @returns {Mark[]}
 */
function scale({ x, y, width }, { range, table }, words, paper, size) {
  const signed = range.low < 0;
  const numbers = signed
    ? [range.low, 0, range.high].map((value, index) => ({
        place: index / 2,
        text: endOfScale(value),
      }))
    : barMarks(range);
  const text = { mark: /** @type {const} */ ("text"), size, fill: paper.faint };
  const bar = { x, y, width, height: 8 };
  return [
    { mark: "image", ...bar, pixels: { width: 256, height: 1, data: table } },
    { mark: "rect", ...bar, stroke: paper.line, line: 1 },
    ...numbers
      .filter((_, at) => width >= MIN_MIDDLE || at % (numbers.length - 1) === 0)
      .map(({ place, text: number }) => ({
        ...text,
        x: x + place * width,
        y: y + 11 + size / 2,
        text: number,
        anchor: /** @type {"start" | "middle" | "end"} */ (
          place === 0 ? "start" : place === 1 ? "end" : "middle"
        ),
      })),
    { ...text, x, y: y + 16 + 1.5 * size, text: fitted(words, size, Math.max(width, MIN_MIDDLE)) },
  ];
}

/** @param {number} value */
const round = (value) => Math.round(100 * value) / 100;

/**
 * The highlights in the three heatmaps: the current row, and the cell under the pointer.
 * @param {Place[]} plots
 * @param {{rows: number, cols: number}[]} sizes
 * @param {({row: number | null, cell: [number, number] | null})[]} highlights
 * @param {string} color
 * @returns {Mark[]}
 */
export const highlightMarks = (plots, sizes, highlights, color) =>
  plots.flatMap((plot, index) =>
    bandMarks(frameOf(plot, sizes[index]), bandsOf(highlights[index], sizes[index]), color),
  );

/** @param {Place} plot @param {{rows: number, cols: number}} size @returns {import("../../draw/viewport.js").Frame} */
export const frameOf = ({ x: left, y: top, width, height }, { rows, cols }) => ({
  left,
  top,
  width,
  height,
  part: wholeOf(rows, cols),
});
