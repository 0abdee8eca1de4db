// What lies over the cells of a heatmap, the same for its three painters: a veil over the cells that the filter leaves out, the line
// where a second segment begins, and bands along what is read or pointed at. Pure.

import { boundaryLines, boxesOutside } from "../numbers/segments.js";
import { placeOf } from "./viewport.js";

/** @import { Mark } from "./scene.js" */
/** @import { Place } from "./axes.js" */
/** @import { Frame } from "./viewport.js" */
/** @import { Box } from "../numbers/segments.js" */
/** @typedef {{veils: Box[], lines: Box[]}} Overlay */
/**
 * @typedef {object} Pointed what the reader reads or points at, in cells
 * @property {number | null} row the current row
 * @property {number | null} [query] under the pointer in another view
 * @property {number | null} [key]
 * @property {[query: number, key: number] | null} [cell] where the arrow keys or the pointer are
 */
/** @typedef {typeof BANDS[number]} BandName */

/** The current row; the row and the column that are pointed at; the cell. From bottom to top. */
export const BANDS = /** @type {const} */ (["row", "query", "key", "cell"]);

/** Both lines of a boundary, from bottom to top: a light one under a dark one is visible on any cell. */
export const BOUNDARY = /** @type {const} */ ([
  { ink: "panel", width: 4 },
  { ink: "ink", width: 1.5 },
]);

/**
 * @param {{queries: import("../types.d.ts").Token[], keys: import("../types.d.ts").Token[]}} tokens
 * @param {import("../numbers/segments.js").Block | null} block the cells that the filter selects
 * @returns {Overlay}
 */
export const overlayOf = ({ queries, keys }, block) => ({
  veils: boxesOutside(block, queries.length, keys.length),
  lines: boundaryLines(queries, keys),
});

/**
 * @param {Pointed} pointed
 * @param {{rows: number, cols: number}} size of the whole matrix
 * @returns {{name: BandName, box: Box}[]}
 */
export function bandsOf({ row, query = null, key = null, cell = null }, { rows, cols }) {
  /** @param {BandName} name @param {number} query @param {number} key @param {number} high @param {number} wide */
  const band = (name, query, key, high, wide) => ({
    name,
    box: { x0: key - 0.5, x1: key + wide - 0.5, y0: query - 0.5, y1: query + high - 0.5 },
  });
  const isRow = query === row && cell === null; // it is marked already
  return [
    ...(row === null ? [] : [band("row", row, 0, 1, cols)]),
    ...(query === null || isRow ? [] : [band("query", query, 0, 1, cols)]),
    ...(key === null ? [] : [band("key", 0, key, rows, 1)]),
    ...(cell === null ? [] : [band("cell", ...cell, 1, 1)]),
  ];
}

const LINE = { row: 1.5, query: 0.75, key: 0.75, cell: 2 }; // widths in pixels

/** @param {Frame} frame @param {{name: BandName, box: Box}[]} bands @param {string} stroke @returns {Mark[]} */
export const bandMarks = (frame, bands, stroke) =>
  bands.flatMap(({ name, box }) => {
    const place = placeOf(frame, box);
    return place
      ? [{ mark: /** @type {const} */ ("rect"), ...place, stroke, line: LINE[name] }]
      : [];
  });

/** @param {Frame} frame @param {Box[]} veils @param {{fill: string, opacity?: number}} look @returns {Mark[]} */
export const veilMarks = (frame, veils, look) =>
  veils.flatMap((box) => {
    const place = placeOf(frame, box);
    return place ? [{ mark: /** @type {const} */ ("rect"), ...place, ...look }] : [];
  });

/** @param {Frame} frame @param {Box[]} lines @param {import("./figure.js").Paper} paper @returns {Mark[]} */
export function lineMarks(frame, lines, paper) {
  const { left, top, width, height, part } = frame;
  const [q0, q1, k0, k1] = part;
  const paths = lines.flatMap(({ x0, x1, y0 }) => {
    const upright = x0 === x1;
    const share = upright ? (x0 + 0.5 - k0) / (k1 - k0) : (y0 + 0.5 - q0) / (q1 - q0);
    if (share <= 0 || share >= 1) return []; // out of sight, or along the edge
    const [x, y] = [left + share * width, top + share * height];
    return upright ? [`M${x} ${top}L${x} ${top + height}`] : [`M${left} ${y}L${left + width} ${y}`];
  });
  return BOUNDARY.flatMap(({ ink, width: line }) =>
    paths.map((d) => ({ mark: /** @type {const} */ ("path"), d, stroke: paper[ink], line })),
  );
}
