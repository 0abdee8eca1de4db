// A recording as a file, such as server/export/recorded.py makes of a model's run: engine/sources/recorded.js reads both.

import { safetensorsParts } from "../files/safetensors-writer.js";

/** @typedef {import("../engine/sources/recorded.js").Recording} Recording */
/** @typedef {import("../files/safetensors-writer.js").Stored} Stored */

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

/** @param {Float32Array | Uint8Array} data */
const dtypeOf = (data) => (data instanceof Uint8Array ? "U8" : "F32");
