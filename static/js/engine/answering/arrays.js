// Numbers in the type that a request asks for, and the forms in which they travel. Mirrors `to_array` in server/api/looks.py.

import { halved, halves } from "../../files/halves.js";
import { InputError } from "../errors.js";

/** @import { AnyTensor } from "../types.d.ts" */
/** @import { Stored } from "../../files/safetensors-writer.js" */
/** @typedef {"float32" | "float16" | "uint8"} DType */

/**
 * A copy of the numbers in the requested type; the trace keeps its own.
 * @param {AnyTensor} tensor
 * @param {DType} dtype
 * @param {string} field of the request, for the error
 * @returns {Stored}
 * @throws {InputError} a number is too large for float16 (code "dtype_overflow")
 */
export function toArray({ shape, data }, dtype, field) {
  if (data instanceof Uint8Array) return { dtype: "U8", shape, data: data.slice() };
  if (dtype === "uint8") {
    // rounds halves to even, and keeps numbers of a reader's own file that are not shares within 0 to 255
    const shares = Uint8ClampedArray.from(data, (share) => Math.fround(255 * share));
    return { dtype: "U8", shape, data: new Uint8Array(shares.buffer) };
  }
  if (dtype === "float32") return { dtype: "F32", shape, data: data.slice() };
  const bits = halved(data);
  if (bits.some((each) => (each & 0x7c00) === 0x7c00)) {
    throw new InputError(
      "float16 holds numbers up to 65,504, and some here are larger. Ask for float32.",
      { code: "dtype_overflow", field: `${field}.dtype` },
    );
  }
  return { dtype: "F16", shape, data: bits };
}

/** As the page reads it from a safetensors file. @param {Stored} array @returns {AnyTensor} */
export function asTensor({ dtype, shape, data }) {
  if (dtype === "F16") return { shape, data: halves(/** @type {Uint16Array} */ (data)) };
  return /** @type {AnyTensor} */ ({ shape, data });
}

/**
 * As nested lists, for JSON. A float32 becomes the shortest decimal number that names it, as the server writes it.
 * @param {Stored} array
 * @returns {any}
 */
export function nested(array) {
  const { shape, data } = asTensor(array);
  const numbers = data instanceof Uint8Array ? data : Array.from(data, shortest);
  /** @param {number} axis @param {number} start @param {number} stop @returns {any[]} */
  const lists = (axis, start, stop) => {
    if (axis === shape.length - 1) return Array.from(numbers.slice(start, stop));
    const size = (stop - start) / (shape[axis] || 1);
    return Array.from({ length: shape[axis] }, (_, i) =>
      lists(axis + 1, start + i * size, start + (i + 1) * size),
    );
  };
  return lists(0, 0, numbers.length);
}

/** @param {number} float32 */
export function shortest(float32) {
  for (let digits = 6; digits < 9; digits++) {
    const written = Number(float32.toPrecision(digits));
    if (Math.fround(written) === float32) return written;
  }
  return Number(float32.toPrecision(9));
}
