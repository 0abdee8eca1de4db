// A long text's head: first a picture in bytes, into which exact numbers come by the row. Pure.

/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").ExactRows} ExactRows */
/** @typedef {import("../types.d.ts").Tensor} Tensor */

const BLOCK = 16; // rows that come together, so that a step to the next token mostly finds its row
const PATTERN = /\.pattern$/;

/**
 * The picture as numbers from 0 to 1, none of which is exact yet.
 * @param {Answer} answer
 * @returns {Answer}
 */
export function pictured({ trace, tensors }) {
  const found = new Map(tensors);
  for (const [name, { shape, data }] of tensors) {
    if (!PATTERN.test(name)) continue;
    const shares = new Float32Array(data.length);
    for (let i = 0; i < data.length; i += 1) shares[i] = data[i] / 255; // `from` takes fifty times as long
    found.set(name, { shape, data: shares });
    found.set(`picture.${name}`, { shape, data: shares }); // what is drawn: exact rows would look the same
  }
  return { trace, tensors: found, exact: [] };
}

/** With what is looked at instead of the pattern, in full. @param {Answer} detail @param {Answer} matrix @returns {Answer} */
export function withMatrix(detail, matrix) {
  const tensors = new Map(detail.tensors);
  for (const [name, tensor] of matrix.tensors) {
    tensors.set(name.endsWith(".blocked_by") ? `whole.${name}` : name, tensor); // the picture's own may be pooled
  }
  return { ...detail, tensors };
}

/**
 * With some rows more, which also take their places in the picture, unless that is pooled.
 * @param {Answer} detail
 * @param {Answer} rows
 * @param {number} start
 * @returns {Answer}
 */
export function withRows(detail, { tensors }, start) {
  const found = new Map(detail.tensors);
  let stop = start;
  for (const [name, { shape, data }] of tensors) {
    stop = start + shape[2];
    const whole = found.get(name);
    if (!PATTERN.test(name) || !whole || whole.shape[3] !== shape[3]) continue;
    const patched = new Float32Array(whole.data);
    const [batch, , n, cols] = whole.shape;
    if (stop > n) continue; // pooled along the queries alone
    for (let text = 0; text < batch; text += 1) {
      const from = text * shape[2] * cols;
      patched.set(data.subarray(from, from + shape[2] * cols), (text * n + start) * cols);
    }
    found.set(name, { shape: whole.shape, data: patched });
  }
  const others = (detail.exact ?? []).filter((block) => block.start !== start);
  return { ...detail, tensors: found, exact: [...others, { start, stop, tensors }] };
}

/** With tensors more, whole. @param {Answer} detail @param {Answer} more @returns {Answer} */
export const withTensors = (detail, more) => ({
  ...detail,
  tensors: new Map([...detail.tensors, ...more.tensors]),
});

/**
 * The rows that come with a row.
 * @param {number} row
 * @param {number} n
 * @returns {[start: number, stop: number]}
 */
export function blockWith(row, n) {
  const start = BLOCK * Math.floor(row / BLOCK);
  return [start, Math.min(n, start + BLOCK)];
}

/** Whether a row's numbers are there. @param {Answer} detail @param {number} row */
export const isExact = ({ exact }, row) =>
  exact === undefined || exact.some(({ start, stop }) => row >= start && row < stop);
