// Numbers to pixels: one matrix as RGBA, one pixel a cell.

/** @typedef {import("../types.d.ts").Tensor} Tensor */

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
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix
 * @param {Uint8ClampedArray} table 256 colours, of `scale`
 * @param {{low: number, high: number}} range values at the two ends of the scale
 * @returns {Uint8ClampedArray} RGBA, row by row
 */
export function paint({ data }, table, { low, high }) {
  const pixels = new Uint8ClampedArray(data.length * 4);
  const factor = 255 / (high - low);
  for (let i = 0; i < data.length; i += 1) {
    const step = Math.max(0, Math.min(255, Math.round((data[i] - low) * factor)));
    pixels[4 * i] = table[4 * step];
    pixels[4 * i + 1] = table[4 * step + 1];
    pixels[4 * i + 2] = table[4 * step + 2];
    pixels[4 * i + 3] = 255;
  }
  return pixels;
}

/**
 * A matrix with at most so many rows and columns: of the cells that share a place the one furthest from zero stays, so
 * that a single strong cell never vanishes.
 * @template {{rows: number, cols: number, data: Float32Array | Uint8Array}} M
 * @param {M} matrix
 * @param {number} most
 * @returns {M | {rows: number, cols: number, data: Float32Array}}
 */
export function shrink(matrix, most) {
  const { rows, cols, data } = matrix;
  if (Math.max(rows, cols) <= most) return matrix;
  const small = { rows: Math.min(rows, most), cols: Math.min(cols, most) };
  const kept = new Float32Array(small.rows * small.cols);
  for (let row = 0; row < rows; row += 1) {
    const start = Math.floor((row * small.rows) / rows) * small.cols;
    for (let col = 0; col < cols; col += 1) {
      const place = start + Math.floor((col * small.cols) / cols);
      const value = data[row * cols + col];
      if (Math.abs(value) > Math.abs(kept[place])) kept[place] = value;
    }
  }
  return { ...small, data: kept };
}

/**
 * The largest absolute value, so that a diverging scale has its neutral at zero. Never 0.
 * @param {ArrayLike<number>} data
 */
export function reach(data) {
  let most = 0;
  for (let i = 0; i < data.length; i += 1) most = Math.max(most, Math.abs(data[i]));
  return most || 1;
}
