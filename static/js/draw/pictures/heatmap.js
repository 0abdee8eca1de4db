// The selected head as a saved picture: what the page shows of it, with axes and a legend.

import { boundaryLines, boxesOutside } from "../../numbers/segments.js";
import { hatchLegend, heatmapMarks, wanted } from "../heatmap.js";

/** @typedef {import("../scene.js").Mark} Mark */
/** @typedef {import("../figure.js").Paper} Paper */
/** @typedef {import("../../types.d.ts").Token} Token */
/** @typedef {{rows: number, cols: number, data: Float32Array | Uint8Array}} Matrix */

const SIDE = 620; // pixels: the longer side of the matrix
const [SMALLEST, LARGEST] = [0.25, 34]; // pixels per cell

/**
 * @param {object} options
 * @param {Matrix} options.matrix
 * @param {{rows: number, cols: number, data: Uint8Array}} options.blocked
 * @param {string[]} options.queries labels
 * @param {string[]} options.keys
 * @param {{queries: Token[], keys: Token[]}} options.tokens
 * @param {import("../../numbers/segments.js").Block | null} options.block the cells that the segment filter selects
 * @param {[number, number, number, number] | null} options.zoom the visible part: query start, stop, key start, stop
 * @param {{table: Uint8ClampedArray, range: import("../raster.js").Range, unit: string}} options.look
 * @param {{query: string, key: string}} options.texts
 * @param {Paper} options.paper
 * @param {string} options.hatch
 * @returns {import("./frame.js").Body}
 */
export function headBody(options) {
  const { look, texts, paper, hatch, tokens, block } = options;
  const part = within(options.zoom, options.matrix);
  const [top, bottom, left, right] = part;
  const matrix = cut(options.matrix, part);
  const blocked = { ...cut(options.blocked, part) };
  const queries = options.queries.slice(top, bottom);
  const keys = options.keys.slice(left, right);
  const cell = Math.max(SMALLEST, Math.min(LARGEST, SIDE / Math.max(matrix.rows, matrix.cols)));
  const size = wanted({ queries, keys }, cell);
  const place = { x: 0, y: 0, ...size, cell };
  const { marks, plot } = heatmapMarks({
    ...{ matrix, queries, keys, ...look, blocked, ...place, texts, paper, hatch, bar: true },
  });
  const [high, wide] = [plot.height / matrix.rows, plot.width / matrix.cols];
  /** @param {import("../../numbers/segments.js").Box} box in cells of the whole */
  const placed = ({ x0, x1, y0, y1 }) => {
    const x = [x0, x1].map((at) => Math.min(Math.max(at + 0.5 - left, 0), matrix.cols) * wide);
    const y = [y0, y1].map((at) => Math.min(Math.max(at + 0.5 - top, 0), matrix.rows) * high);
    return { x: plot.x + x[0], y: plot.y + y[0], width: x[1] - x[0], height: y[1] - y[0] };
  };
  const veils = boxesOutside(block, options.matrix.rows, options.matrix.cols).map(placed);
  const lines = boundaryLines(tokens.queries, tokens.keys).map(placed);
  const bottomOf = plot.y + plot.height + 10;
  const width = Math.max(size.width, 480);
  const legend = hatchLegend({
    blocked,
    x: plot.x,
    y: bottomOf,
    width: width - plot.x,
    paper,
    hatch,
  });
  return {
    width,
    height: bottomOf + legend.height,
    marks: [
      ...marks,
      ...veils
        .filter((box) => box.width > 0 && box.height > 0)
        .map((box) => ({
          ...{ mark: /** @type {const} */ ("rect"), ...box, fill: paper.panel, opacity: 0.8 },
        })),
      ...boundaries(lines.filter(inside(plot)), paper),
      ...legend.marks,
    ],
  };
}

/**
 * The zoom clipped to the matrix; all of the matrix if they do not overlap.
 * @param {[number, number, number, number] | null} zoom
 * @param {{rows: number, cols: number}} size
 * @returns {[number, number, number, number]}
 */
export function within(zoom, { rows, cols }) {
  if (!zoom) return [0, rows, 0, cols];
  const [top, bottom, left, right] = zoom;
  if (top >= rows || left >= cols) return [0, rows, 0, cols];
  return [top, Math.min(bottom, rows), left, Math.min(right, cols)];
}

/**
 * @template {Float32Array | Uint8Array} T
 * @param {{rows: number, cols: number, data: T}} matrix
 * @param {[number, number, number, number]} part
 * @returns {{rows: number, cols: number, data: T}}
 */
function cut(matrix, [top, bottom, left, right]) {
  const { rows, cols, data } = matrix;
  if (bottom - top === rows && right - left === cols) return matrix;
  const kept = /** @type {T} */ (data.slice(0, (bottom - top) * (right - left)));
  for (let row = top; row < bottom; row += 1) {
    const from = data.subarray(row * cols + left, row * cols + right);
    kept.set(from, (row - top) * (right - left));
  }
  return { rows: bottom - top, cols: right - left, data: kept };
}

/** @typedef {{x: number, y: number, width: number, height: number}} Place */

/** Whether a line crosses the cells instead of running along their edge. @param {Place} plot */
const inside =
  (plot) =>
  (/** @type {Place} */ { x, y, width }) =>
    width > 0
      ? y > plot.y + 0.1 && y < plot.y + plot.height - 0.1
      : x > plot.x + 0.1 && x < plot.x + plot.width - 0.1;

/** Dark lines on top of light ones, visible on any cell. @param {Place[]} lines @param {Paper} paper @returns {Mark[]} */
const boundaries = (lines, paper) =>
  [
    { stroke: paper.panel, line: 4 },
    { stroke: paper.ink, line: 1.5 },
  ].flatMap((how) =>
    lines.map(({ x, y, width, height }) => ({
      ...{ mark: /** @type {const} */ ("path"), d: `M${x} ${y}L${x + width} ${y + height}` },
      ...how,
    })),
  );
