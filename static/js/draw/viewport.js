// Which part of a matrix is on screen, and where: from pixels to cells and back. Cell n spans n to n + 1.

/** @typedef {[queryStart: number, queryStop: number, keyStart: number, keyStop: number]} Part of a matrix, in cells */
/**
 * @typedef {object} Frame a part of a matrix and where it lies, in pixels
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {Part} part
 */

/**
 * The cell at a point; null beside the picture.
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
 * What is seen of a cell; null where nothing of it is.
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

const FEWEST = 4; // cells across, that a zoom stops at
const STEP = 1.6; // of the keys + and −

/**
 * The part that is seen of a matrix of this size: a zoom, as far as it fits; else all.
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
 * A part as the state keeps it: whole cells; null is all.
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

/** Whole cells within a text, at least a few. @param {number} start @param {number} stop @param {number} n */
function span(start, stop, n) {
  const size = Math.min(n, Math.max(FEWEST, Math.round(stop - start)));
  const first = Math.max(0, Math.min(n - size, Math.round(start)));
  return [first, first + size];
}

/**
 * Nearer, or further away, about a place that stays where it is.
 * @param {Part} part
 * @param {number} factor above 1: nearer
 * @param {[query: number, key: number]} [about] in cells; the middle, unless it is said
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
 * The same size, elsewhere within the matrix.
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
 * What a key does to the zoom: + and − by a step about the middle, 0 back to all, arrows by a quarter of what is seen.
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
