// The shipped model as the data that a worker starts from.

import { readFileSync } from "node:fs";

/** @param {string} name @returns {ArrayBuffer} */
function bytes(name) {
  const { buffer, byteOffset, byteLength } = readFileSync(
    new URL(`../../../model/shipped/${name}`, import.meta.url),
  );
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

export const shipped = () => ({
  ...{ type: "native", name: "shipped", config: bytes("config.json") },
  ...{ tokenizer: bytes("tokenizer.json"), weights: bytes("model.safetensors") },
});
