// A recording as a file, such as server/pages/export/recorded.py makes of a model's run: engine/sources/recorded.js reads both.

import { FileError } from "../files/errors.js";
import { halved } from "../files/halves.js";
import { packed } from "../files/letters.js";
import { inPlanes } from "../files/planes.js";
import { readSafetensors } from "../files/safetensors.js";
import { safetensorsParts } from "../files/safetensors-writer.js";
import { megabytes, PAGE, SMALLER } from "./limits.js";

/** @import { Recording } from "../engine/sources/recorded.js" */
/** @import { Stored } from "../files/safetensors-writer.js" */

/**
 * A Blob, so that it travels between threads without a copy, and does not stay in memory.
 * @param {Recording} recording
 */
export function recordingFile({ trace, tensors, inputs, info = {} }) {
  const stored = new Map(
    Array.from(tensors, ([name, { shape, data }]) => [name, { dtype: dtypeOf(data), shape, data }]),
  );
  const metadata = {
    trace: JSON.stringify(trace),
    model: JSON.stringify(info),
    request: JSON.stringify(inputs),
  };
  return new Blob(safetensorsParts(metadata, /** @type {Map<string, Stored>} */ (stored)));
}

/**
 * The file of a recording as a page carries it. Many numbers are rounded to float16, but those of a tensor with some that are too large
 * for it.
 * @param {Blob} file
 * @returns {Promise<{text: Blob, rounded: boolean}>} `text`: it can stand in a page
 * @throws {FileError} if it is too large for a page
 */
export async function packedRecording(file) {
  const { metadata, tensors } = readSafetensors(await file.arrayBuffer());
  const rounded = bytesIn(tensors) > PAGE.exact;
  checkSize(bytesIn(tensors, 2)); // it will not be less, and rounding takes seconds
  const stored = new Map(
    Array.from(tensors, ([name, tensor]) => [name, rounded ? shorter(tensor) : tensor]),
  );
  checkSize(bytesIn(stored));
  const parts = inPlanes(metadata, /** @type {Map<string, Stored>} */ (stored));
  return { text: new Blob([await packed(new Blob(parts))]), rounded };
}

/** @param {number} bytes @throws {FileError} */
function checkSize(bytes) {
  if (bytes <= PAGE.bytes) return;
  throw new FileError(
    `The numbers take ${megabytes(bytes)}; a page holds at most ${megabytes(PAGE.bytes)}. ${SMALLER}`,
  );
}

/** @param {Map<string, {data: {byteLength: number, BYTES_PER_ELEMENT: number}}>} tensors @param {number} most bytes of a number, if it is stored in more */
const bytesIn = (tensors, most = 8) =>
  Array.from(
    tensors.values(),
    ({ data: { byteLength, BYTES_PER_ELEMENT: each } }) =>
      (byteLength / each) * Math.min(each, most),
  ).reduce((a, b) => a + b, 0);

const INFINITE = 0x7c00; // the bits of the exponent

/** @param {{shape: number[], dtype: string, data: Float32Array | Uint8Array}} tensor @returns {{shape: number[], dtype: string, data: Float32Array | Uint8Array | Uint16Array}} */
function shorter(tensor) {
  if (tensor.data instanceof Uint8Array) return tensor;
  const data = halved(tensor.data);
  return data.some((bits) => (bits & INFINITE) === INFINITE)
    ? tensor
    : { shape: tensor.shape, dtype: "F16", data };
}

/** @param {Float32Array | Uint8Array} data */
const dtypeOf = (data) => (data instanceof Uint8Array ? "U8" : "F32");
