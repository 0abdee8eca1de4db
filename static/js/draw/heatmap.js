// One matrix as marks of a scene: cells, tokens, axes, hatching and colour scale, with queries down and keys along the top.

import { cut, shrink } from "../numbers/matrix.js";
import { reasonOf, reasonsIn } from "../words/hatch.js";
import { axisLabels, TURN } from "./axes.js";
import { clipped, hatchPath, spacing } from "./hatchpath.js";
import { scaleMarks } from "./legends/scalebar.js";
import { bandMarks, bandsOf, lineMarks, veilMarks } from "./overlays.js";
import { paint } from "./raster.js";
import { fitted } from "./textwidth.js";
import { isWhole } from "./viewport.js";

/** @import { Mark } from "./scene.js" */
/** @import { Labels, Layout, Place } from "./axes.js" */
/** @import { Paper } from "./figure.js" */
/** @import { Range } from "./raster.js" */
/** @typedef {{rows: number, cols: number, data: Float32Array | Uint8Array}} Matrix */
/** @typedef {{rows: number, cols: number, data: Uint8Array}} Blocked */

const HEADING_SIZE = 13; // font size of a heading, unless labels are larger
const VEIL = 0.8; // opacity

/**
 * @param {object} options
 * @param {Matrix} options.matrix all of it, whatever part is shown
 * @param {Labels} options.labels
 * @param {Layout} options.layout
 * @param {Uint8ClampedArray} options.table 256 colours of the scale
 * @param {Range} options.range
 * @param {Blocked | null} options.blocked
 * @param {Paper} options.paper
 * @param {string} options.hatch a colour
 * @param {import("../words/axes.js").AxisTitles} options.titles of the axes
 * @param {{text: string, x: number, y: number, width: number}} [options.heading] at the upper left corner of the picture
 * @param {string} [options.unit] what the numbers are called, for the colour scale; without it there is none
 * @param {import("./overlays.js").Overlay} [options.overlay]
 * @param {number} [options.row] a query to mark
 * @returns {Mark[]}
 */
export function heatmapMarks(options) {
  const { layout, table, range, blocked, paper, hatch, unit, heading, overlay, row } = options;
  const { frame } = layout;
  const plot = plotOf(layout);
  const { queries, keys } = options.labels;
  const zoomed = !isWhole(frame.part, queries.length, keys.length); // otherwise the matrix may be pooled
  const matrix = zoomed ? cut(options.matrix, frame.part) : options.matrix;
  const small = shrink(matrix, Math.max(64, Math.floor(2 * Math.min(plot.width, plot.height))));
  const pixels = { width: small.cols, height: small.rows, data: paint(small, table, range) };
  const size = { rows: queries.length, cols: keys.length };
  const bands = row === undefined ? [] : bandsOf({ row }, size);
  return [
    { mark: "image", ...plot, pixels },
    ...(blocked ? hatching(zoomed ? cut(blocked, frame.part) : blocked, plot, hatch) : []),
    ...bandMarks(frame, bands, paper.ink),
    ...outlineMarks(layout, paper),
    ...axisMarks(layout, options.labels, options.titles, paper),
    ...(heading ? [headingMark(heading, Math.max(HEADING_SIZE, layout.size), paper)] : []),
    ...(unit === undefined ? [] : scaleMarks({ table, range, unit, paper, plot })),
    ...veilMarks(frame, overlay?.veils ?? [], { fill: paper.panel, opacity: VEIL }),
    ...lineMarks(frame, overlay?.lines ?? [], paper),
  ];
}

/** Where the cells are. @param {Layout} layout @returns {Place} */
export const plotOf = ({ frame: { left, top, width, height } }) => ({
  x: left,
  y: top,
  width,
  height,
});

/** A line around the cells. @param {Layout} layout @param {Paper} paper @returns {Mark[]} */
export const outlineMarks = (layout, paper) => [
  { mark: "rect", ...plotOf(layout), stroke: paper.line, line: 1 },
];

/** @param {{text: string, x: number, y: number, width: number}} heading @param {number} size @param {Paper} paper @returns {Mark} */
const headingMark = ({ text, x, y, width }, size, paper) => ({
  mark: "text",
  x,
  y: y + size / 2 + 1,
  size,
  weight: 650,
  text: fitted(text, size, width),
  fill: paper.ink,
});

/**
 * The labels of both axes, and their titles.
 * @param {Layout} layout
 * @param {Labels} labels
 * @param {import("../words/axes.js").AxisTitles} titles
 * @param {Paper} paper
 * @returns {Mark[]}
 */
export function axisMarks(layout, labels, titles, paper) {
  const { frame, flat, size } = layout;
  const { queries, keys } = axisLabels(layout, labels);
  const label = { mark: /** @type {const} */ ("text"), size, fill: paper.ink };
  const title = { ...label, fill: paper.faint };
  const [middle, end] = /** @type {const} */ (["middle", "end"]);
  const along = flat ? { anchor: middle } : { rotate: TURN };
  return [
    ...queries.map(({ x, y, text }) => ({ ...label, x, y, text, anchor: end })),
    ...keys.map(({ x, y, text }) => ({ ...label, x, y, text, ...along })),
    { ...title, x: frame.left, y: layout.titles.y, text: titles.key },
    { ...title, x: layout.titles.x, y: frame.top, text: titles.query, anchor: end, rotate: -90 },
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
  const side = spacing(wide, high);
  return reasonsIn(data).flatMap((reason) => {
    if (!reason) return [];
    /** @param {number} row @param {number} col */
    const within = (row, col) => reasonOf(data[row * cols + col]) === reason;
    const d = hatchPath(clipped(reason.angle, side, plot, { rows, cols }, within), plot);
    return d ? [{ mark: /** @type {const} */ ("path"), d, stroke: hatch, line: 1 }] : [];
  });
}
