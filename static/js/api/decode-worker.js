// The worker that reads large answers: bytes in, numbers out, both transferred without copying.

import { readSafetensors } from "../files/safetensors.js";

addEventListener("message", ({ data: { id, buffer } }) => {
  try {
    const found = readSafetensors(buffer);
    const buffers = [...found.tensors.values()].map(({ data }) => data.buffer);
    postMessage({ id, found }, { transfer: /** @type {ArrayBuffer[]} */ (buffers) });
  } catch (error) {
    postMessage({ id, problem: error instanceof Error ? error.message : String(error) });
  }
});
