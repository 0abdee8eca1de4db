// The dtypes of safetensors: how many bytes a number has, and how numbers are read. All numbers become float32, except single bytes.

import { halves } from "./halves.js";

/** @typedef {Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>} Numbers */
/** @typedef {{bytes: number, read: (bytes: ArrayBuffer) => Numbers}} Dtype `bytes`: of one number; `read` may keep the buffer */

/** @type {Readonly<Record<string, Dtype>>} */
export const DTYPES = {
  F16: { bytes: 2, read: (bytes) => halves(new Uint16Array(bytes)) },
  F32: { bytes: 4, read: (bytes) => new Float32Array(bytes) },
  F64: { bytes: 8, read: (bytes) => Float32Array.from(new Float64Array(bytes)) },
  BF16: { bytes: 2, read: (bytes) => brains(new Uint16Array(bytes)) },
  I8: { bytes: 1, read: (bytes) => Float32Array.from(new Int8Array(bytes)) },
  I16: { bytes: 2, read: (bytes) => Float32Array.from(new Int16Array(bytes)) },
  I32: { bytes: 4, read: (bytes) => Float32Array.from(new Int32Array(bytes)) },
  I64: { bytes: 8, read: (bytes) => longs(new BigInt64Array(bytes)) },
  U8: { bytes: 1, read: (bytes) => new Uint8Array(bytes) },
  U16: { bytes: 2, read: (bytes) => Float32Array.from(new Uint16Array(bytes)) },
  U32: { bytes: 4, read: (bytes) => Float32Array.from(new Uint32Array(bytes)) },
  U64: { bytes: 8, read: (bytes) => longs(new BigUint64Array(bytes)) },
  BOOL: { bytes: 1, read: (bytes) => new Uint8Array(bytes) },
};

/** bfloat16 is the upper half of float32. @param {Uint16Array} bits */
function brains(bits) {
  const whole = Uint32Array.from(bits, (half) => half << 16);
  return new Float32Array(whole.buffer);
}

/** @param {BigInt64Array | BigUint64Array} numbers */
function longs(numbers) {
  const found = new Float32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) found[i] = Number(numbers[i]);
  return found;
}
