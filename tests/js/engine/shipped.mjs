// The shipped model in node, for tests.

import { readFileSync } from "node:fs";
import { readWeights } from "../../../static/js/engine/core/checkpoint.js";
import { nativeSource } from "../../../static/js/engine/sources/native.js";

/** @param {string} name of a file of the shipped model @returns {ArrayBuffer} */
export function shippedFile(name) {
  const bytes = readFileSync(new URL(`../../../model/shipped/${name}`, import.meta.url));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/** @param {string} name */
export const shippedJson = (name) => JSON.parse(new TextDecoder().decode(shippedFile(name)));

/** The files as `nativeSource` takes them. */
export const shippedFiles = () => ({
  config: shippedJson("config.json"),
  tokenizer: shippedJson("tokenizer.json"),
  weights: readWeights(shippedFile("model.safetensors")),
});

/** @param {string} [name] */
export const shippedSource = (name = "shipped") => nativeSource(name, shippedFiles());

/** The data that a worker starts from. */
export const shipped = () => ({
  type: "native",
  name: "shipped",
  config: shippedFile("config.json"),
  tokenizer: shippedFile("tokenizer.json"),
  weights: shippedFile("model.safetensors"),
});
