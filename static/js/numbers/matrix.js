// One matrix of a tensor: read without copying, transposed, cut, pooled. Pure.

/** @import { Tensor } from "../types.d.ts" */

/**
 * One matrix of a (batch, head, row, col) tensor, without copying.
 * @param {Tensor} tensor
 * @param {number} text
 * @param {number} place which of the heads that were sent
 * @returns {{rows: number, cols: number, data: Float32Array | Uint8Array}}
 */
export function matrixOf({ shape, data }, text, place) {
  const [, heads, rows, cols] = shape;
  const size = rows * cols;
  const start = (text * heads + place) * size;
  return { rows, cols, data: data.subarray(start, start + size) };
}

/**
 * The transpose.
 * @template {Float32Array | Uint8Array} D
 * @param {{rows: number, cols: number, data: D}} matrix
 * @returns {{rows: number, cols: number, data: D}}
 */
export function transposed({ rows, cols, data }) {
  const turned = /** @type {D} */ (data.slice());
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) turned[col * rows + row] = data[row * cols + col];
  }
  return { rows: cols, cols: rows, data: turned };
}

/**
 * A part of a matrix.
 * @template {Float32Array | Uint8Array} D
 * @param {{rows: number, cols: number, data: D}} matrix
 * @param {[rowStart: number, rowStop: number, colStart: number, colStop: number]} part
 * @returns {{rows: number, cols: number, data: D}}
 */
export function cut({ rows, cols, data }, [top, bottom, left, right]) {
  const size = { rows: bottom - top, cols: right - left };
  if (size.rows === rows && size.cols === cols) return { rows, cols, data };
  const kept = /** @type {D} */ (data.slice(0, size.rows * size.cols));
  for (let row = 0; row < size.rows; row += 1) {
    const from = (top + row) * cols;
    kept.set(data.subarray(from + left, from + right), row * size.cols);
  }
  return { ...size, data: kept };
}

/**
 * Pool a matrix to at most so many rows and columns. Of the cells that are merged, the one furthest from zero is kept, so that
 * a single strong cell never vanishes.
 * @template {{rows: number, cols: number, data: Float32Array | Uint8Array}} M
 * @param {M} matrix
 * @param {number} max
 * @param {number} [maxCols] if the limit for columns differs
 * @returns {M | {rows: number, cols: number, data: Float32Array}}
 */
export function shrink(matrix, max, maxCols = max) {
  const { rows, cols, data } = matrix;
  if (rows <= max && cols <= maxCols) return matrix;
  const small = { rows: Math.min(rows, max), cols: Math.min(cols, maxCols) };
  const kept = new Float32Array(small.rows * small.cols);
  const places = Int32Array.from({ length: cols }, (_, col) =>
    Math.floor((col * small.cols) / cols),
  );
  for (let row = 0; row < rows; row += 1) {
    const start = Math.floor((row * small.rows) / rows) * small.cols;
    for (let col = 0; col < cols; col += 1) {
      const place = start + places[col];
      const value = data[row * cols + col];
      if (Math.abs(value) > Math.abs(kept[place])) kept[place] = value;
    }
  }
  return { ...small, data: kept };
}

/** The length of a vector. @param {ArrayLike<number>} vector */
export const norm = (vector) =>
  Math.sqrt(Array.from(vector).reduce((sum, number) => sum + number * number, 0));

/**
 * The largest absolute value, for a scale that is symmetric about zero. Never 0.
 * @param {ArrayLike<number>} data
 */
export function reach(data) {
  let max = 0;
  for (let i = 0; i < data.length; i += 1) max = Math.max(max, Math.abs(data[i]));
  return max || 1;
}
