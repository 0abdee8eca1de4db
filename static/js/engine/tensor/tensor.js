// Operations on tensors, which are {shape, data} in row-major order. Numbers are stored as float32, as torch does, and summed as
// double. None of these changes its arguments.

import { CheckpointError } from "../errors.js";
import { dots, transposed } from "./products.js";

/** @import { Bits, Tensor } from "../types.d.ts" */

/** The number of cells. @param {readonly number[]} shape */
export const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/** @param {number[]} shape @returns {Tensor} */
export const zeros = (shape) => ({ shape, data: new Float32Array(sizeOf(shape)) });

/** A tensor from nested lists of numbers. @param {any} list @returns {Tensor} */
export function fromLists(list) {
  const shape = [];
  for (let inner = list; Array.isArray(inner); inner = inner[0]) shape.push(inner.length);
  return { shape, data: Float32Array.from(list.flat(Infinity)) };
}

/** The same cells in another shape. @template {Tensor | Bits} T @param {T} x @param {number[]} shape @returns {T} */
export const reshape = (x, shape) => /** @type {T} */ ({ shape, data: x.data });

/** Whether no number is NaN or infinite. @param {Tensor | Bits} x */
export const allFinite = (x) => {
  // a sum is finite only if all of its numbers are, and a sum of float32 in double cannot overflow
  let sum = 0;
  for (const value of x.data) sum += value;
  return Number.isFinite(sum);
};

/** a + b, of equal shapes. @param {Tensor} a @param {Tensor} b @returns {Tensor} */
export const add = (a, b) => ({
  shape: a.shape,
  data: a.data.map((value, index) => value + b.data[index]),
});

/** @param {Tensor} x @returns {Tensor} */
export const relu = (x) => ({ shape: x.shape, data: x.data.map((value) => Math.max(value, 0)) });

/** x · Φ(x), by the error function and not by tanh (Hendrycks and Gimpel 2016). @param {Tensor} x @returns {Tensor} */
export const gelu = (x) => ({
  shape: x.shape,
  data: x.data.map((value) => 0.5 * value * (1 + erf(value * Math.SQRT1_2))),
});

// ln(erfc(x) · (2 + x) / 2) + x² as a polynomial of t = 2 / (2 + x), highest power first: our least-squares fit at 200 Chebyshev
// nodes of t for x from 0 to 6.2. erf is within 1e-9 of the true value everywhere.
const ERFC = [
  0.01585880441266287, -0.2826800700318108, 1.5024295045922675, -3.924232340879543,
  5.788103934962275, -4.971796807142382, 2.5599466637545647, -1.0971532840731788,
  0.33754611509067883, 0.3337462395236172, 1.0039074513782724, -1.2656762121614422,
];

/** The error function. @param {number} x */
export function erf(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  const t = 2 / (2 + size);
  let power = 0;
  for (let index = 0; index < ERFC.length; index++) power = power * t + ERFC[index];
  const rest = t * Math.exp(power - size * size);
  return x < 0 ? rest - 1 : 1 - rest;
}

/** Softmax over the last axis. @param {Tensor} x @returns {Tensor} */
export function softmax(x) {
  const n = x.shape[x.shape.length - 1];
  const data = new Float32Array(x.data.length);
  for (let start = 0; start < data.length; start += n) {
    let largest = -Infinity;
    let sum = 0;
    for (let at = start; at < start + n; at++) largest = Math.max(largest, x.data[at]);
    for (let at = start; at < start + n; at++) sum += Math.exp(x.data[at] - largest);
    for (let at = start; at < start + n; at++) data[at] = Math.exp(x.data[at] - largest) / sum;
  }
  return { shape: x.shape, data };
}

/**
 * (x − mean) / √(variance + eps) · weight + bias, over the last axis (Ba et al. 2016).
 * @param {Tensor} x
 * @param {Tensor} weight (d)
 * @param {Tensor} bias (d)
 * @returns {Tensor}
 */
export function layerNorm(x, weight, bias, eps = 1e-5) {
  const d = weight.data.length;
  const data = new Float32Array(x.data.length);
  for (let start = 0; start < data.length; start += d) {
    let sum = 0;
    let squares = 0;
    for (let at = 0; at < d; at++) sum += x.data[start + at];
    const mean = sum / d;
    for (let at = 0; at < d; at++) squares += (x.data[start + at] - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / d + eps);
    for (let at = 0; at < d; at++)
      data[start + at] = (x.data[start + at] - mean) * factor * weight.data[at] + bias.data[at];
  }
  return { shape: x.shape, data };
}

/**
 * x · weightᵀ + bias, over the last axis, with weight (out, in) as in torch's nn.Linear.
 * @param {Tensor} x (…, in)
 * @param {Tensor} weight (out, in)
 * @param {Tensor | null} [bias] (out)
 * @returns {Tensor} (…, out)
 */
export function linear(x, weight, bias = null) {
  const [out, inner] = weight.shape;
  const result = zeros([...x.shape.slice(0, -1), out]);
  const rows = inner === 0 ? 0 : x.data.length / inner;
  dots(x.data, weight.data, result.data, rows, out, inner);
  if (bias) {
    const { data } = result;
    for (let row = 0; row < data.length; row += out)
      for (let at = 0; at < out; at++) data[row + at] += bias.data[at];
  }
  return result;
}

/**
 * The matrix product over the last two axes; the axes before them must be equal, or `b` has none.
 * @param {Tensor} a (…, row, inner)
 * @param {Tensor} b (…, inner, column) or (inner, column)
 * @returns {Tensor} (…, row, column)
 */
export function matmul(a, b) {
  const [rows, inner] = a.shape.slice(-2);
  const columns = b.shape[b.shape.length - 1];
  const result = zeros([...a.shape.slice(0, -1), columns]);
  const n = sizeOf(a.shape.slice(0, -2));
  const step = b.shape.length === 2 ? 0 : inner * columns;
  for (let each = 0; each < n; each++)
    dots(
      a.data.subarray(each * rows * inner, (each + 1) * rows * inner),
      transposed(b.data.subarray(each * step, each * step + inner * columns), inner, columns),
      result.data.subarray(each * rows * columns, (each + 1) * rows * columns),
      rows,
      columns,
      inner,
    );
  return result;
}

/**
 * The part from `start` to before `stop` along one axis.
 * @template {Tensor | Bits} T
 * @param {T} x
 * @param {number} axis
 * @param {number} start
 * @param {number} stop
 * @returns {T}
 */
export function narrow(x, axis, start, stop) {
  if (start === 0 && stop === x.shape[axis]) return x;
  return gather(
    x,
    axis,
    Array.from({ length: stop - start }, (_, index) => start + index),
  );
}

/**
 * The parts at these indices along one axis, in their order.
 * @template {Tensor | Bits} T
 * @param {T} x
 * @param {number} axis
 * @param {readonly number[]} indices
 * @returns {T}
 */
export function gather(x, axis, indices) {
  const inner = sizeOf(x.shape.slice(axis + 1));
  const outer = sizeOf(x.shape.slice(0, axis));
  const data = emptyLike(x, outer * indices.length * inner);
  let to = 0;
  for (let each = 0; each < outer; each++)
    for (const index of indices) {
      const from = (each * x.shape[axis] + index) * inner;
      data.set(x.data.subarray(from, from + inner), to);
      to += inner;
    }
  return /** @type {T} */ ({ shape: x.shape.with(axis, indices.length), data });
}

/**
 * Tensors joined along one axis; their other axes are equal.
 * @template {Tensor | Bits} T
 * @param {readonly T[]} tensors
 * @param {number} axis
 * @returns {T}
 */
export function concat(tensors, axis) {
  const [first] = tensors;
  const inner = sizeOf(first.shape.slice(axis + 1));
  const outer = sizeOf(first.shape.slice(0, axis));
  const size = tensors.reduce((sum, each) => sum + each.shape[axis], 0);
  const data = emptyLike(first, outer * size * inner);
  let to = 0;
  for (let each = 0; each < outer; each++)
    for (const { shape, data: from } of tensors) {
      const n = shape[axis] * inner;
      data.set(from.subarray(each * n, (each + 1) * n), to);
      to += n;
    }
  return /** @type {T} */ ({ shape: first.shape.with(axis, size), data });
}

/** Zeros of the same kind. @param {Tensor | Bits} x @param {number} size */
export const emptyLike = (x, size) =>
  x.data instanceof Uint8Array ? new Uint8Array(size) : new Float32Array(size);

/**
 * The tensor with axes 1 and 2 exchanged.
 * @param {Tensor} x (batch, a, b, inner)
 * @returns {Tensor} (batch, b, a, inner)
 */
export function swapMiddle(x) {
  const [batch, a, b, inner] = x.shape;
  const data = new Float32Array(x.data.length);
  let from = 0;
  for (let each = 0; each < batch; each++)
    for (let i = 0; i < a; i++)
      for (let j = 0; j < b; j++, from += inner)
        data.set(x.data.subarray(from, from + inner), ((each * b + j) * a + i) * inner);
  return { shape: [batch, b, a, inner], data };
}

/** "batch pos (head d_head) -> batch head pos d_head". @param {Tensor} x @param {number} n_heads */
export function splitHeads(x, n_heads) {
  const [batch, pos, d] = x.shape;
  return swapMiddle(reshape(x, [batch, pos, n_heads, d / n_heads]));
}

/** "batch head pos d_head -> batch pos (head d_head)". @param {Tensor} z */
export function mergeHeads(z) {
  const [batch, head, pos, d_head] = z.shape;
  return reshape(swapMiddle(z), [batch, pos, head * d_head]);
}

/** @typedef {{weight: Tensor, bias: Tensor | null}} Affine */

/**
 * Parameters by the name of the Python module: "w_o" is the weight "w_o.weight" and, if there is one, the bias "w_o.bias".
 * @param {ReadonlyMap<string, Tensor>} weights
 * @param {string} name
 * @returns {Affine}
 */
export function affine(weights, name) {
  const weight = weights.get(`${name}.weight`);
  if (!weight) throw new CheckpointError(`The weights have no ${name}.weight.`);
  return { weight, bias: weights.get(`${name}.bias`) ?? null };
}

/** x · weightᵀ + bias. @param {Tensor} x @param {Affine} layer */
export const through = (x, { weight, bias }) => linear(x, weight, bias);
