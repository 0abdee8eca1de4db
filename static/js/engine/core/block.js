// One layer: attention and a feed-forward network, each with its norm and residual, as in model/core/block.py.

import { InputError } from "../errors.js";
import { add, affine, gelu, layerNorm, relu, through } from "../tensor/tensor.js";
import { kvHeads, MultiHeadAttention, outputWidth, readWidth, valueHeads } from "./attention.js";

/** @import { AttentionPass, BlockConfig, Tensor } from "../types.d.ts" */
/** @import { Affine } from "../tensor/tensor.js" */

/**
 * The settings of one layer, checked.
 * @param {Partial<BlockConfig> & Pick<BlockConfig, "attention">} given
 * @returns {BlockConfig}
 */
export function blockConfig(given) {
  /** @type {BlockConfig} */
  const config = { norm: "pre", residual: true, d_ff: 0, activation: "gelu", ...given };
  const { d_model } = config.attention;
  if (config.d_ff < 0)
    throw new InputError(`d_ff must be at least 0; got ${config.d_ff}.`, { field: "d_ff" });
  if (config.residual && outputWidth(config.attention) !== d_model)
    throw new InputError(
      "A residual adds the output of attention to x, so both must have the same width. Without " +
        `W_O, attention gives ${readWidth(config.attention)} channels, but x has d_model = ` +
        `${d_model}. Leave the residual out, or make them equal.`,
      { field: "residual" },
    );
  return config;
}

/**
 * Communication between positions (attention), then computation at each one (feed-forward).
 *
 * With a residual, the output of each part is added to its input, x + f(x); without one, it replaces it. LayerNorm applies to the
 * input, f(norm(x)) (pre-norm: Xiong et al. 2020), or to the output, norm(x + f(x)) (post-norm: Vaswani et al. 2017).
 */
export class Block {
  /**
   * @param {BlockConfig} config
   * @param {ReadonlyMap<string, Tensor>} weights
   * @param {string} prefix of their names, such as "blocks.0."
   */
  constructor(config, weights, prefix) {
    this.config = config;
    const hasNorm = config.norm !== "none";
    this.norm_attention = hasNorm ? affine(weights, `${prefix}norm_attention`) : null;
    this.attention = new MultiHeadAttention(config.attention, weights, `${prefix}attention.`);
    this.norm_mlp = hasNorm && config.d_ff ? affine(weights, `${prefix}norm_mlp`) : null;
    this.mlp = config.d_ff
      ? [affine(weights, `${prefix}mlp.0`), affine(weights, `${prefix}mlp.2`)]
      : null;
  }

  /**
   * Attend from x to itself or to `context` (cross-attention), then the feed-forward part.
   * @param {Tensor} x (batch, query, d_model)
   * @param {Parameters<MultiHeadAttention["forward"]>[1]} [options]
   * @returns {[x: Tensor, attention: AttentionPass]}
   */
  forward(x, options) {
    const attention = this.attention.forward(this.#before(this.norm_attention, x), options);
    x = this.#after(this.norm_attention, x, attention.output);
    if (this.mlp !== null) {
      const [up, down] = this.mlp;
      const activate = this.config.activation === "gelu" ? gelu : relu;
      const made = through(activate(through(this.#before(this.norm_mlp, x), up)), down);
      x = this.#after(this.norm_mlp, x, made);
    }
    return [x, attention];
  }

  /** @param {Affine | null} norm @param {Tensor} x */
  #before(norm, x) {
    return norm !== null && this.config.norm === "pre" ? normed(x, norm) : x;
  }

  /** @param {Affine | null} norm @param {Tensor} x @param {Tensor} made */
  #after(norm, x, made) {
    const stream = this.config.residual ? add(x, made) : made;
    return norm !== null && this.config.norm === "post" ? normed(stream, norm) : stream;
  }
}

/**
 * The names and shapes of a layer's parameters, in the order of the Python module.
 * @param {BlockConfig} config
 * @returns {[name: string, shape: number[]][]}
 */
export function blockShapes({ attention, norm, d_ff }) {
  const { d_model, n_heads, d_head, projections, qkv_bias, output, output_bias } = attention;
  const [d_heads, d_out] = [n_heads * d_head, outputWidth(attention)];
  /** @type {[name: string, shape: number[]][]} */
  const shapes = [];
  /** @param {string} name @param {number[]} weight @param {boolean} [bias] */
  const has = (name, weight, bias = true) => {
    shapes.push([`${name}.weight`, weight]);
    if (bias) shapes.push([`${name}.bias`, [weight[0]]]);
  };
  if (norm !== "none") has("norm_attention", [norm === "pre" ? d_model : d_out]);
  if (attention.sink) shapes.push(["attention.sink", [n_heads]]);
  if (attention.selective) shapes.push(["attention.log_rate", [n_heads]]);
  if (projections === "fused") has("attention.w_qkv", [3 * d_heads, d_model], qkv_bias);
  if (projections === "separate") {
    const { d_latent } = attention;
    const read = d_latent ?? d_model;
    has("attention.w_q", [d_heads, d_model], qkv_bias);
    if (d_latent !== null) has("attention.w_latent", [d_latent, d_model], false);
    has("attention.w_k", [kvHeads(attention) * d_head, read], qkv_bias);
    has("attention.w_v", [valueHeads(attention) * d_head, read], qkv_bias);
  }
  if (output) has("attention.w_o", [d_model, readWidth(attention)], output_bias);
  if (attention.gate) has("attention.w_gate", [n_heads, d_model], false);
  if (attention.selective) has("attention.w_step", [n_heads, d_model]);
  if (d_ff === 0) return shapes;
  if (norm !== "none") has("norm_mlp", [d_out]);
  has("mlp.0", [d_ff, d_out]);
  has("mlp.2", [d_out, d_ff]);
  return shapes;
}

/** LayerNorm with its parameters. @param {Tensor} x @param {Affine} norm */
export const normed = (x, { weight, bias }) => layerNorm(x, weight, /** @type {Tensor} */ (bias)); // a LayerNorm always has a bias
