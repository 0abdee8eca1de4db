// Which part of a matrix is on screen, and where: converts pixels to cells and back. Cell n spans n to n + 1.

/** @typedef {[queryStart: number, queryStop: number, keyStart: number, keyStop: number]} Part a part of a matrix, in cells */
/**
 * @typedef {object} Frame a part of a matrix and its position, in pixels
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {Part} part
 */

/**
 * The cell at a point; null outside the picture.
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 * @returns {[query: number, key: number] | null}
 */
export function cellIn({ left, top, width, height, part }, x, y) {
  const [right, down] = [(x - left) / width, (y - top) / height];
  if (!(right >= 0 && right < 1 && down >= 0 && down < 1)) return null;
  const [q0, q1, k0, k1] = part;
  return [Math.floor(q0 + down * (q1 - q0)), Math.floor(k0 + right * (k1 - k0))];
}

/**
 * The visible part of a box; null if none of it is visible.
 * @param {Frame} frame
 * @param {import("../numbers/segments.js").Box} box
 */
export function placeOf({ left, top, width, height, part: [q0, q1, k0, k1] }, { x0, x1, y0, y1 }) {
  /** @param {number[]} edges @param {number} start @param {number} stop @param {number} length */
  const span = (edges, start, stop, length) =>
    edges.map((edge) =>
      Math.max(0, Math.min(length, ((edge + 0.5 - start) / (stop - start)) * length)),
    );
  const [west, east] = span([x0, x1], k0, k1, width);
  const [north, south] = span([y0, y1], q0, q1, height);
  if (!(east > west && south > north)) return null;
  return { x: left + west, y: top + north, width: east - west, height: south - north };
}

/**
 * The visible part of a cell; null if none of it is visible.
 * @param {Frame} frame
 * @param {number} query
 * @param {number} key
 */
export const boxIn = (frame, query, key) =>
  placeOf(frame, { x0: key - 0.5, x1: key + 0.5, y0: query - 0.5, y1: query + 0.5 });

const MIN_CELLS = 4; // per side, at the closest zoom
const STEP = 1.6; // zoom factor of the keys + and −

/**
 * The visible part of a matrix of this size: the zoom, clipped, or all of it.
 * @param {Part | null} zoom
 * @param {number} rows
 * @param {number} cols
 * @returns {Part}
 */
export function partOf(zoom, rows, cols) {
  const [q0, q1, k0, k1] = zoom ?? wholeOf(rows, cols);
  const seen = /** @type {Part} */ ([q0, Math.min(q1, rows), k0, Math.min(k1, cols)]);
  return seen[0] < seen[1] && seen[2] < seen[3] ? seen : wholeOf(rows, cols);
}

/** @param {number} rows @param {number} cols @returns {Part} */
export const wholeOf = (rows, cols) => [0, rows, 0, cols];

/** Whether a part is the whole matrix. @param {Part} part @param {number} rows @param {number} cols */
export const isWhole = ([q0, q1, k0, k1], rows, cols) => q1 - q0 === rows && k1 - k0 === cols;

/**
 * A part as the state stores it, in whole cells; null: all.
 * @param {Part} part
 * @param {number} rows
 * @param {number} cols
 * @returns {Part | null}
 */
export function zoomOf([q0, q1, k0, k1], rows, cols) {
  const [top, bottom] = span(q0, q1, rows);
  const [left, right] = span(k0, k1, cols);
  return isWhole([top, bottom, left, right], rows, cols) ? null : [top, bottom, left, right];
}

/** Round to whole cells, at least a few, within the axis. @param {number} start @param {number} stop @param {number} n */
function span(start, stop, n) {
  const size = Math.min(n, Math.max(MIN_CELLS, Math.round(stop - start)));
  const first = Math.max(0, Math.min(n - size, Math.round(start)));
  return [first, first + size];
}

/**
 * Zoom in or out about a fixed point.
 * @param {Part} part
 * @param {number} factor above 1: zoom in
 * @param {[query: number, key: number]} [about] in cells; the centre by default
 * @returns {Part}
 */
export function nearer([q0, q1, k0, k1], factor, about = [(q0 + q1) / 2, (k0 + k1) / 2]) {
  const [q, k] = about;
  return [
    q - (q - q0) / factor,
    q + (q1 - q) / factor,
    k - (k - k0) / factor,
    k + (k1 - k) / factor,
  ];
}

/**
 * Move a part within the matrix.
 * @param {Part} part
 * @param {number} down in cells
 * @param {number} right
 * @param {number} rows
 * @param {number} cols
 * @returns {Part}
 */
export function moved([q0, q1, k0, k1], down, right, rows, cols) {
  const dq = Math.max(-q0, Math.min(rows - q1, down));
  const dk = Math.max(-k0, Math.min(cols - k1, right));
  return [q0 + dq, q1 + dq, k0 + dk, k1 + dk];
}

/**
 * A part moved so that it shows a cell.
 * @param {Part} part
 * @param {[query: number, key: number]} cell
 * @returns {Part}
 */
export function showing([q0, q1, k0, k1], [query, key]) {
  /** @param {number} start @param {number} stop @param {number} place */
  const by = (start, stop, place) => Math.min(0, place - start) + Math.max(0, place + 1 - stop);
  const [down, right] = [by(q0, q1, query), by(k0, k1, key)];
  return [q0 + down, q1 + down, k0 + right, k1 + right];
}

/**
 * The zoom after a key press: + and − zoom about the centre, 0 shows everything, arrows move by a quarter of the visible part.
 * @param {string} key
 * @param {Part | null} zoom
 * @param {number} rows
 * @param {number} cols
 * @returns {Part | null}
 */
export function zoomBy(key, zoom, rows, cols) {
  const part = partOf(zoom, rows, cols);
  const [down, right] = [(part[1] - part[0]) / 4, (part[3] - part[2]) / 4];
  /** @type {Record<string, Part>} */
  const to = {
    "+": nearer(part, STEP),
    "-": nearer(part, 1 / STEP),
    ArrowUp: moved(part, Math.min(-1, -down), 0, rows, cols),
    ArrowDown: moved(part, Math.max(1, down), 0, rows, cols),
    ArrowLeft: moved(part, 0, Math.min(-1, -right), rows, cols),
    ArrowRight: moved(part, 0, Math.max(1, right), rows, cols),
  };
  return to[key] ? zoomOf(to[key], rows, cols) : null;
}
