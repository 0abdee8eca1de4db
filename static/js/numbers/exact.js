// A head of a long text: first a picture made of bytes, then exact numbers, row by row. Pure.

/** @import { Answer, ExactRows, Tensor } from "../types.d.ts" */

const BLOCK = 16; // rows fetched together, so that the next token's row is mostly there already
const PATTERN = /\.pattern$/;

/**
 * The picture as numbers from 0 to 1, none of them exact yet.
 * @param {Answer} answer
 * @returns {Answer}
 */
export function pictured({ trace, tensors }) {
  const shown = new Map(tensors);
  for (const [name, { shape, data }] of tensors) {
    if (!PATTERN.test(name)) continue;
    const shares = new Float32Array(data.length);
    for (let i = 0; i < data.length; i += 1) shares[i] = data[i] / 255; // `Float32Array.from` is fifty times slower
    shown.set(name, { shape, data: shares });
    shown.set(`picture.${name}`, { shape, data: shares }); // for drawing: exact rows would look the same
  }
  return { trace, tensors: shown, exact: [] };
}

/** Add the selected matrix in full. @param {Answer} detail @param {Answer} matrix @returns {Answer} */
export function withMatrix(detail, matrix) {
  const tensors = new Map(detail.tensors);
  for (const [name, tensor] of matrix.tensors) {
    tensors.set(name.endsWith(".blocked_by") ? `whole.${name}` : name, tensor); // that of the picture may be pooled
  }
  return { ...detail, tensors };
}

/**
 * Add exact rows, also to the pattern, unless that is pooled.
 * @param {Answer} detail
 * @param {Answer} rows
 * @param {number} start
 * @returns {Answer}
 */
export function withRows(detail, { tensors }, start) {
  const all = new Map(detail.tensors);
  let stop = start;
  for (const [name, { shape, data }] of tensors) {
    stop = start + shape[2];
    const whole = all.get(name);
    if (!PATTERN.test(name) || !whole || whole.shape[3] !== shape[3]) continue;
    const patched = new Float32Array(whole.data);
    const [batch, , n, cols] = whole.shape;
    if (stop > n) continue; // only the queries are pooled
    for (let text = 0; text < batch; text += 1) {
      const from = text * shape[2] * cols;
      patched.set(data.subarray(from, from + shape[2] * cols), (text * n + start) * cols);
    }
    all.set(name, { shape: whole.shape, data: patched });
  }
  const others = (detail.exact ?? []).filter((block) => block.start !== start);
  return { ...detail, tensors: all, exact: [...others, { start, stop, tensors }] };
}

/** Add complete tensors. @param {Answer} detail @param {Answer} more @returns {Answer} */
export const withTensors = (detail, more) => ({
  ...detail,
  tensors: new Map([...detail.tensors, ...more.tensors]),
});

/**
 * The block of rows that is fetched together with a row.
 * @param {number} row
 * @param {number} n
 * @returns {[start: number, stop: number]}
 */
export function blockWith(row, n) {
  const start = BLOCK * Math.floor(row / BLOCK);
  return [start, Math.min(n, start + BLOCK)];
}

/** Whether the exact numbers of a row have arrived. @param {Answer} detail @param {number} row */
export const isExact = ({ exact }, row) =>
  exact === undefined || exact.some(({ start, stop }) => row >= start && row < stop);
