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
 * The visible part of a cell; null if none of it is visible.
 * @param {Frame} frame
 * @param {number} query
 * @param {number} key
 */
export function boxIn({ left, top, width, height, part: [q0, q1, k0, k1] }, query, key) {
  /** @param {number} place @param {number} start @param {number} stop @param {number} length */
  const span = (place, start, stop, length) => {
    const edges = [place, place + 1].map((edge) => ((edge - start) / (stop - start)) * length);
    return [Math.max(0, edges[0]), Math.min(length, edges[1])];
  };
  const [x0, x1] = span(key, k0, k1, width);
  const [y0, y1] = span(query, q0, q1, height);
  if (!(x1 > x0 && y1 > y0)) return null;
  return { x: left + x0, y: top + y0, width: x1 - x0, height: y1 - y0 };
}

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
  const [q0, q1, k0, k1] = zoom ?? [0, rows, 0, cols];
  const seen = /** @type {Part} */ ([q0, Math.min(q1, rows), k0, Math.min(k1, cols)]);
  return seen[0] < seen[1] && seen[2] < seen[3] ? seen : [0, rows, 0, cols];
}

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
  return bottom - top === rows && right - left === cols ? null : [top, bottom, left, right];
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
