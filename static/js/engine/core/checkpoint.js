// A native checkpoint: config.json, tokenizer.json and model.safetensors, as model/core/checkpoint.py reads them from a folder. The numbers
// may be float16 and may lie in byte planes, as server/pages/export/compact.py writes them for pages that carry their model.

import { FileError } from "../../files/errors.js";
import { outOfPlanes } from "../../files/planes.js";
import { readSafetensors } from "../../files/safetensors.js";
import { CheckpointError, InputError } from "../errors.js";
import { allFinite } from "../tensor/tensor.js";
import { transformerConfig, weightShapes } from "./transformer.js";

/** @import { Tensor, TransformerConfig } from "../types.d.ts" */

/**
 * The weights in a safetensors file, as float32.
 * @param {ArrayBuffer} file
 * @returns {Map<string, Tensor>}
 * @throws {CheckpointError} the file is damaged, or holds other numbers
 */
export function readWeights(file) {
  try {
    const weights = new Map();
    for (const [name, { shape, data }] of readSafetensors(outOfPlanes(file)).tensors) {
      if (!(data instanceof Float32Array))
        throw new CheckpointError(`${name} of the weights has no floating-point numbers.`);
      weights.set(name, { shape, data });
    }
    return weights;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new CheckpointError(`The weights cannot be read: ${error.message}`);
  }
}

/**
 * The configuration of a checkpoint, with weights that match it.
 * @param {any} config the parsed config.json
 * @param {ReadonlyMap<string, Tensor>} weights
 * @returns {TransformerConfig}
 * @throws {CheckpointError} the weights do not match the configuration, or are not finite
 */
export function checkedConfig(config, weights) {
  const sizes = config?.transformer;
  if (sizes === null || typeof sizes !== "object")
    throw new CheckpointError("config.json is not a native configuration: it has no transformer.");
  let checked;
  try {
    checked = transformerConfig(sizes);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new CheckpointError(`config.json is not a native configuration: ${error.message}`);
  }
  const shapes = weightShapes(checked);
  for (const [name, shape] of shapes) {
    const found = weights.get(name);
    if (String(found?.shape) !== String(shape))
      throw new CheckpointError(
        `The weights do not match their config.json: expected ${name} with the shape ` +
          `[${shape.join(", ")}]; got ${found ? `[${found.shape.join(", ")}]` : "none"}.`,
      );
    if (!allFinite(/** @type {Tensor} */ (found)))
      throw new CheckpointError(`The weights have numbers that are not finite, in ${name}.`);
  }
  for (const name of weights.keys())
    if (!shapes.has(name))
      throw new CheckpointError(`The weights do not match their config.json: ${name} is unknown.`);
  return checked;
}
