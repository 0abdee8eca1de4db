// Parameters by the names of the Python modules: "w_o" is the weight "w_o.weight" and, if there is one, the bias "w_o.bias".

import { CheckpointError } from "../errors.js";
import { linear } from "../tensor/tensor.js";

/** @import { Tensor } from "../types.d.ts" */
/** @typedef {{weight: Tensor, bias: Tensor | null}} Affine */

/**
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
