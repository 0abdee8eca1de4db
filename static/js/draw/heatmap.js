// One matrix as marks of a scene: cells, tokens, axes, hatching and colour scale, with queries down and keys along the top.

import { shrink } from "../numbers/matrix.js";
import { REASONS } from "../state/masks.js";
import { shorten } from "../words/format.js";
import { reasonOf, reasonsIn } from "../words/hatch.js";
import { ticks } from "./figure.js";
import { clipped, hatchPath } from "./hatchpath.js";
import { paint } from "./raster.js";
import { scaleMarks } from "./scalebar.js";

/** @typedef {import("./scene.js").Mark} Mark */
/** @typedef {import("./figure.js").Paper} Paper */
/** @typedef {import("./raster.js").Range} Range */
/** @typedef {{rows: number, cols: number, data: Float32Array | Uint8Array}} Matrix */
/** @typedef {{rows: number, cols: number, data: Uint8Array}} Blocked */
/** @typedef {{x: number, y: number, width: number, height: number}} Place */

const LABEL = 12; // characters of a token on an axis
const SIZE = 11; // font size of labels, in pixels
const TITLE = 13;
const TURN = -60; // degrees: labels along the top are rotated
const SLOPE = { right: Math.cos(Math.PI / 3), down: Math.sin(Math.PI / 3) };
const AXIS = 18; // pixels for an axis title
const BAR = 62; // pixels for the colour scale with its numbers
const TILE = 9; // pixels after which the hatching repeats

/**
 * The approximate width of a text, without measuring a font. @param {string} text @param {number} size
 */
export function widthOf(text, size) {
  let ems = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    ems += point >= 0x1100 ? 1.05 : /[A-Zmw@%\d]/.test(character) ? 0.68 : 0.58; // East Asian and emoji are square
  }
  return ems * size;
}

/** A text, cut with an ellipsis if it does not fit. @param {string} text @param {number} size @param {number} width */
export function fitted(text, size, width) {
  if (widthOf(text, size) <= width + 0.01) return text; // the width may be the text's own, rounded
  let [taken, kept] = [widthOf("…", size), ""];
  for (const character of text) {
    taken += widthOf(character, size);
    if (kept && taken > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/**
 * @param {object} options
 * @param {Matrix} options.matrix
 * @param {string[]} options.queries
 * @param {string[]} options.keys
 * @param {Uint8ClampedArray} options.table 256 colours of the scale
 * @param {Range} options.range
 * @param {Blocked | null} options.blocked
 * @param {number} options.x
 * @param {number} options.y
 * @param {number} options.width in total, with labels, axes and scale
 * @param {number} options.height
 * @param {Paper} options.paper
 * @param {string} options.hatch a colour
 * @param {string} options.unit what the numbers are called
 * @param {string} [options.title]
 * @param {{query: string, key: string}} [options.texts] which text each axis is of: "" or "target "
 * @param {boolean} [options.bar] whether to draw the colour scale
 * @param {number} [options.row] a query to mark
 * @param {number} [options.cell] the side of a square cell, if there is room
 * @returns {{marks: Mark[], plot: Place}} `plot` is where the cells are
 */
export function heatmapMarks(options) {
  const { matrix, table, range, blocked, paper, hatch, unit, title, bar = true, row } = options;
  const labels = { queries: short(options.queries), keys: short(options.keys) };
  const { plot, room } = plotIn(options, labels);
  const small = shrink(matrix, Math.max(64, Math.floor(2 * Math.min(plot.width, plot.height))));
  /** @type {Mark[]} */
  const marks = [
    {
      mark: "image",
      ...plot,
      pixels: { width: small.cols, height: small.rows, data: paint(small, table, range) },
    },
  ];
  if (blocked) marks.push(...hatching(blocked, plot, hatch));
  if (row !== undefined && row < matrix.rows) {
    const height = plot.height / matrix.rows;
    const band = { x: plot.x, y: plot.y + row * height, width: plot.width, height };
    marks.push({ mark: "rect", ...band, stroke: paper.ink, line: 1.5 });
  }
  marks.push({ mark: "rect", ...plot, stroke: paper.line, line: 1 });
  marks.push(...axes(options, labels, plot, room));
  if (title !== undefined) {
    const text = fitted(title, TITLE, options.width);
    const place = { x: options.x, y: options.y + TITLE / 2 + 1 };
    marks.push({ mark: "text", ...place, text, size: TITLE, fill: paper.ink, weight: 650 });
  }
  if (bar) marks.push(...scaleMarks({ table, range, unit, paper, plot }));
  return { marks, plot };
}

/** @param {string[]} labels */
const short = (labels) => labels.map((text) => shorten(text, LABEL));

/** @param {string[]} labels */
const widest = (labels) => labels.reduce((most, text) => Math.max(most, widthOf(text, SIZE)), 0);

/**
 * The space that labels and axes leave for the cells; labels shrink before cells do.
 * @param {Place & {title?: string, bar?: boolean, cell?: number}} box
 * @param {{queries: string[], keys: string[]}} labels
 * @returns {{plot: Place, room: {left: number, top: number}}} `room` is the space of a label
 */
function plotIn({ x, y, width, height, title, bar = true, cell = 0 }, { queries, keys }) {
  const left = Math.min(widest(queries), width / 4);
  const flat = areFlat(keys, cell ? cell * keys.length : width - left - BAR);
  const top = flat ? SIZE : Math.min(widest(keys) * SLOPE.down, height / 3);
  const over = flat ? 0 : (top / SLOPE.down) * SLOPE.right; // the last label leans out to the right
  const down = (title === undefined ? 0 : TITLE + 8) + AXIS + top + 10;
  const across = AXIS + left + 6;
  const free = {
    width: Math.max(8, width - across - Math.max(bar ? BAR : 6, over + 2)),
    height: Math.max(8, height - down - 6),
  };
  const plot = {
    x: x + across,
    y: y + down,
    width: cell ? Math.min(free.width, cell * keys.length) : free.width,
    height: cell ? Math.min(free.height, cell * queries.length) : free.height,
  };
  return { plot, room: { left, top: flat ? width : top / SLOPE.down } };
}

/**
 * The space that a heatmap with cells of this size needs.
 * @param {{queries: string[], keys: string[], title?: string}} labels
 * @param {number} cell
 */
export function wanted({ queries, keys, title }, cell) {
  const [left, top] = [widest(short(queries)), widest(short(keys))];
  const width = Math.max(4 * left, AXIS + left + 6 + cell * keys.length + Math.max(BAR, top));
  const above = (title === undefined ? 0 : TITLE + 8) + AXIS + top + 16;
  return { width, height: Math.max(3 * top, above + cell * queries.length) };
}

/** Whether labels along the top fit without rotation. @param {string[]} keys @param {number} width */
const areFlat = (keys, width) => widest(keys) + 6 <= width / Math.max(1, keys.length);

/**
 * @param {Place & {paper: Paper, texts?: {query: string, key: string}, title?: string}} options
 * @param {{queries: string[], keys: string[]}} labels
 * @param {Place} plot
 * @param {{left: number, top: number}} room
 * @returns {Mark[]}
 */
function axes({ x, y, paper, texts, title }, { queries, keys }, plot, room) {
  const of = texts ?? { query: "", key: "" };
  const flat = areFlat(keys, plot.width);
  const [high, wide] = [plot.height / queries.length, plot.width / keys.length];
  const quiet = { mark: /** @type {const} */ ("text"), size: SIZE, fill: paper.faint };
  const dark = { mark: /** @type {const} */ ("text"), size: SIZE, fill: paper.ink };
  const above = y + (title === undefined ? 0 : TITLE + 8) + AXIS / 2;
  return [
    ...ticks(queries, plot.height).tickvals.map((place) => ({
      ...dark,
      x: plot.x - 5,
      y: plot.y + (place + 0.5) * high,
      text: fitted(queries[place], SIZE, room.left),
      anchor: /** @type {const} */ ("end"),
    })),
    ...ticks(keys, plot.width).tickvals.map((place) => ({
      ...dark,
      x: plot.x + (place + 0.5) * wide,
      y: plot.y - (flat ? SIZE / 2 + 3 : 6),
      text: fitted(keys[place], SIZE, room.top),
      ...(flat ? { anchor: /** @type {const} */ ("middle") } : { rotate: TURN }),
    })),
    { ...quiet, x: plot.x, y: above, text: `${of.key}keys →` },
    {
      ...quiet,
      x: x + AXIS / 2 - 1,
      y: plot.y,
      text: `← ${of.query}queries`, // rotated, so that its arrow points down
      anchor: "end",
      rotate: -90,
    },
  ];
}

/**
 * The hatching of blocked cells, clipped to the cells.
 * @param {Blocked} blocked
 * @param {Place} plot
 * @param {string} hatch
 * @returns {Mark[]}
 */
function hatching(blocked, plot, hatch) {
  const { rows, cols, data } = blocked;
  const [wide, high] = [plot.width / cols, plot.height / rows];
  // at least one stroke in every cell that is large enough to be distinguished
  const side = Math.max(4, Math.min(TILE, wide, high));
  return reasonsIn(data).flatMap((reason) => {
    if (!reason) return [];
    /** @param {number} row @param {number} col */
    const within = (row, col) => reasonOf(data[row * cols + col]) === reason;
    const d = hatchPath(clipped(reason.angle, side, plot, { rows, cols }, within), plot);
    return d ? [{ mark: /** @type {const} */ ("path"), d, stroke: hatch, line: 1 }] : [];
  });
}

/**
 * A legend of the hatching, in lines that wrap.
 * @param {{blocked: Blocked, x: number, y: number, width: number, paper: Paper, hatch: string}} options
 * @returns {{marks: Mark[], height: number}}
 */
export function hatchLegend({ blocked, x, y, width, paper, hatch }) {
  const [line, side] = [18, 12];
  /** @type {Mark[]} */
  const marks = [];
  let [right, down] = [0, 0];
  for (const reason of REASONS.filter((one) => reasonsIn(blocked.data).includes(one))) {
    const text = `blocked: ${reason.words}`;
    const needed = side + 6 + widthOf(text, SIZE) + 16;
    if (right > 0 && right + needed > width) [right, down] = [0, down + line];
    const box = { x: x + right, y: y + down + 3, width: side, height: side };
    const lines = clipped(reason.angle, side / 2, box, { rows: 1, cols: 1 }, () => true);
    marks.push(
      { mark: "path", d: hatchPath(lines, box), stroke: hatch, line: 1 },
      { mark: "rect", ...box, stroke: paper.line, line: 1 },
      {
        mark: "text",
        x: box.x + side + 6,
        y: box.y + side / 2,
        text,
        size: SIZE,
        fill: paper.faint,
      },
    );
    right += needed;
  }
  return { marks, height: marks.length > 0 ? down + line : 0 };
}
