// A linear probe from a file of the reader's own: safetensors, or JSON.

import { readSafetensors } from "../../files/safetensors.js";

/** @import { ChosenAnswer } from "../../types.d.ts" */
/** @typedef {Partial<ChosenAnswer> & {weights: number[][]}} Probe */

/** @param {File} file @returns {Promise<Probe | null>} null if it holds none */
export async function probeIn(file) {
  try {
    const isJson = /\.json$/i.test(file.name);
    return isJson ? ofJson(JSON.parse(await file.text())) : ofTensors(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** @param {ArrayBuffer} buffer @returns {Probe | null} */
function ofTensors(buffer) {
  const { metadata, tensors } = readSafetensors(buffer);
  const weights = tensors.get("weights");
  if (!weights) return null;
  const width = weights.shape[weights.shape.length - 1];
  const numbers = Array.from(weights.data, Number);
  const rows = Array.from({ length: numbers.length / width }, (_, n) =>
    numbers.slice(n * width, (n + 1) * width),
  );
  const bias = tensors.get("bias");
  const said = Object.fromEntries(
    Object.entries(metadata ?? {}).map(([key, value]) => [key, parsed(String(value))]),
  );
  return ofJson({ ...said, weights: rows, bias: bias && Array.from(bias.data, Number) });
}

/** A value of the header, which holds text alone. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {any} given @returns {Probe | null} */
function ofJson({ weights: given, bias, layer, classes, read }) {
  const weights = typeof given?.[0] === "number" ? [given] : given;
  const isList = (/** @type {unknown} */ list) =>
    Array.isArray(list) && list.length > 0 && list.every(Number.isFinite);
  if (!Array.isArray(weights) || weights.length === 0 || !weights.every(isList)) return null;
  const biases = typeof bias === "number" ? [bias] : bias;
  return {
    weights,
    ...(isList(biases) ? { bias: biases } : {}),
    ...(Number.isInteger(layer) && layer >= 0 ? { layer } : {}),
    ...(Array.isArray(classes) ? { classes: classes.map(String) } : {}),
    ...(read === "first" || read === "last" ? { read } : {}),
  };
}
