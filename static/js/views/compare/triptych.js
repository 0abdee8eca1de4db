// A, B and B − A side by side, as one scene. A and B share a scale; that of the difference is symmetric about zero. Pure.

import { layoutIn } from "../../draw/axes.js";
import { marks as barMarks } from "../../draw/bar.js";
import { clipped, hatchPath, spacing } from "../../draw/hatchpath.js";
import { heatmapMarks, plotOf } from "../../draw/heatmap.js";
import { bandMarks, bandsOf } from "../../draw/overlays.js";
import { fitted } from "../../draw/textwidth.js";
import { wholeOf } from "../../draw/viewport.js";
import { reach } from "../../numbers/matrix.js";
import { CELL } from "./difference.js";
import { endOfScale, PICTURE } from "./words.js";

/** @typedef {import("./difference.js").Compared} Compared */
/** @typedef {import("./difference.js").Side} Side */
/** @typedef {import("../../draw/figure.js").Paper} Paper */
/** @typedef {import("../../draw/axes.js").Place} Place */
/** @typedef {import("../../draw/raster.js").Range} Range */
/** @typedef {import("../../draw/scene.js").Mark} Mark */
/** @typedef {import("../../draw/scene.js").Scene} Scene */

const MIN_WIDE = 540; // pixels: in a narrower picture, the three are below each other
const GAP = 12;
const MAX_HEIGHT = 420; // pixels of the cells of a heatmap
const MAX_WIDTH = 460; // pixels of a heatmap below another one, labels included
const SCALE = 46; // pixels: the height of a colour scale with its numbers
const MIN_MIDDLE = 150; // pixels: a shorter scale only has numbers at its ends
const SIZE = 11;
const LINE = 18;

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
 * @returns {Triptych}
 */
export function triptych(options) {
  const { a, b, compared, titles, range, unit, tables, paper, hatch, axes, width } = options;
  const { heading = [], rows = [] } = options;
  const columns = width >= MIN_WIDE ? 3 : 1;
  const each = columns === 3 ? Math.floor((width - 2 * GAP) / 3) : Math.min(width, MAX_WIDTH);
  const most = reach(compared.matrix.data);
  const symmetric = { low: -most, high: most };
  const panels = [
    { ...a, range, table: tables.side },
    { ...b, range, table: tables.side },
    { ...compared, range: symmetric, table: tables.difference },
  ];
  /** @type {Mark[]} */
  const marks = heading.map((text, place) => ({
    ...{
      mark: "text",
      x: 0,
      y: LINE * (place + 0.5),
      size: place ? SIZE + 1 : 15,
      fill: paper.ink,
    },
    ...{ text: fitted(text, place ? SIZE + 1 : 15, width), weight: place ? 400 : 650 },
  }));
  const top = heading.length ? heading.length * LINE + GAP : 0;
  /** @type {Place[]} */
  const plots = [];
  let y = top;
  // all in one row; or A and B, their common scale, and the difference below it
  for (const group of columns === 3 ? [[0, 1, 2]] : [[0, 1], [2]]) {
    let lowest = y;
    for (const place of group) {
      const { queries, keys, ...panel } = panels[place];
      const at = { x: columns === 3 ? place * (each + GAP) : 0, y: columns === 3 ? y : lowest };
      const labels = { queries, keys };
      const height = heightOf(at, each, labels);
      const box = { ...at, width: each, height };
      const layout = layoutIn(box, labels, { heading: true, scale: false });
      const plot = plotOf(layout);
      plots.push(plot);
      marks.push(
        ...heatmapMarks({
          ...{ ...panel, labels, layout, paper, hatch, titles: axes[place] },
          heading: { ...at, text: titles[place], width: each },
          row: rows[place] ?? undefined,
        }),
      );
      if (place === 2) marks.push(...overDifference(compared, plot, paper, hatch));
      lowest = Math.max(lowest, at.y + height + (columns === 3 ? 0 : GAP));
    }
    for (const place of group.filter((one) => one !== 1)) {
      const { range: ends, table } = panels[place];
      const words = place === 0 ? PICTURE.scale(unit) : PICTURE.differenceScale(unit);
      marks.push(...scale({ ...plots[place], y: lowest + 4 }, ends, table, words, paper));
    }
    y = lowest + SCALE;
  }
  const { font, panel: ground } = paper;
  return {
    scene: { width, height: Math.ceil(y), font, ground, title: options.title, marks },
    plots,
  };
}

/**
 * The height that makes cells square, if possible: a layout that is high enough tells how much room the labels take.
 * @param {{x: number, y: number}} at
 * @param {number} width
 * @param {import("../../draw/axes.js").Labels} labels
 */
function heightOf(at, width, labels) {
  const box = { ...at, width, height: 1.5 * width };
  const { frame } = layoutIn(box, labels, { heading: true, scale: false });
  const shape = labels.queries.length / Math.max(1, labels.keys.length);
  return (
    frame.top - at.y + Math.min(MAX_HEIGHT, frame.width * Math.max(0.4, Math.min(1.5, shape))) + 6
  );
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
 * @param {Range} range
 * @param {Uint8ClampedArray} table
 * @param {string} words
 * @param {Paper} paper
 * @returns {Mark[]}
 */
function scale({ x, y, width }, range, table, words, paper) {
  const signed = range.low < 0;
  const numbers = signed
    ? [range.low, 0, range.high].map((value, place) => ({
        place: place / 2,
        text: endOfScale(value),
      }))
    : barMarks(range);
  const text = { mark: /** @type {const} */ ("text"), size: SIZE, fill: paper.faint };
  const bar = { x, y, width, height: 8 };
  return [
    { mark: "image", ...bar, pixels: { width: 256, height: 1, data: table } },
    { mark: "rect", ...bar, stroke: paper.line, line: 1 },
    ...numbers
      .filter((_, at) => width >= MIN_MIDDLE || at % (numbers.length - 1) === 0)
      .map(({ place, text: number }) => ({
        ...text,
        x: x + place * width,
        y: y + 17,
        text: number,
        anchor: /** @type {"start" | "middle" | "end"} */ (
          place === 0 ? "start" : place === 1 ? "end" : "middle"
        ),
      })),
    { ...text, x, y: y + 33, text: fitted(words, SIZE, Math.max(width, MIN_MIDDLE)) },
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
  plots.flatMap((plot, place) =>
    bandMarks(frameOf(plot, sizes[place]), bandsOf(highlights[place], sizes[place]), color),
  );

/** @param {Place} plot @param {{rows: number, cols: number}} size @returns {import("../../draw/viewport.js").Frame} */
export const frameOf = ({ x: left, y: top, width, height }, { rows, cols }) => ({
  ...{ left, top, width, height, part: wholeOf(rows, cols) },
});
