// The small transformer: pre-norm blocks, a GELU MLP four times as wide, tied embeddings. As model/core/transformer.py.

import { InputError } from "../errors.js";
import { endSlice } from "../slices.js";
import { affine, concat, linear, narrow, reshape } from "../tensor/tensor.js";
import { attentionConfig } from "./attention.js";
import { Block, blockConfig, blockShapes, normed } from "./block.js";
import { checkPositions, Embedding, rotary } from "./embedding.js";

/** @import { AttentionPass, Bits, Tensor, TransformerConfig, TransformerPass } from "../types.d.ts" */

const POSITIONS = ["none", "learned", "sinusoidal", "rotary"];

/** @type {Omit<TransformerConfig, "vocab_size">} */
const DEFAULTS = {
  n_layers: 3,
  n_heads: 8,
  d_model: 128,
  d_head: 16,
  d_mlp: 512,
  positions: "rotary",
  causal: true,
  trained_tokens: 64,
  max_tokens: 1024,
  norm: "pre",
  residual: true,
  scale: "1/sqrt(d_head)",
  n_kv_heads: null,
  d_latent: null,
  window: null,
  sink: false,
  kernel: "exp",
  gate: false,
  selective: false,
  minus: null,
};

/**
 * The sizes of a transformer, checked.
 * @param {Partial<TransformerConfig> & Pick<TransformerConfig, "vocab_size">} given
 * @returns {TransformerConfig}
 */
export function transformerConfig(given) {
  const config = { ...DEFAULTS, ...given };
  const { vocab_size, n_layers, n_heads, d_model, d_head, max_tokens } = config;
  const sizes = { vocab_size, n_layers, n_heads, d_model, d_head, max_tokens };
  for (const [field, size] of Object.entries(sizes))
    if (!(size >= 1)) throw new InputError(`${field} must be at least 1; got ${size}.`, { field });
  if (!POSITIONS.includes(config.positions))
    throw new InputError(
      `positions must be one of ${POSITIONS.join(", ")}; got '${config.positions}'.`,
      { field: "positions" },
    );
  checkPositions(config.positions, d_model, d_head);
  layerConfig(config); // checks the width of the feed-forward part
  return config;
}

/** The settings of each layer. @param {TransformerConfig} config */
export function layerConfig(config) {
  const { d_model, n_heads, d_head, d_mlp, norm, residual, scale } = config;
  const { n_kv_heads, d_latent, sink, kernel, gate, selective, minus } = config;
  const isShared = [n_kv_heads, d_latent, minus].some((each) => each !== null);
  const attention = attentionConfig({
    d_model,
    n_heads,
    d_head,
    projections: isShared ? "separate" : "fused",
    packing: "qkv head d_head",
    scale,
    n_kv_heads,
    d_latent,
    sink,
    kernel,
    gate,
    selective,
    minus,
  });
  return blockConfig({ attention, norm, residual, d_ff: d_mlp });
}

/**
 * The names and shapes of all weights.
 * @param {TransformerConfig} config
 * @returns {Map<string, number[]>}
 */
export function weightShapes(config) {
  const { vocab_size, n_layers, d_model, max_tokens } = config;
  const layer = blockShapes(layerConfig(config));
  const shapes = new Map([["embedding.token.weight", [vocab_size, d_model]]]);
  if (config.positions === "learned") shapes.set("embedding.learned.weight", [max_tokens, d_model]);
  for (let index = 0; index < n_layers; index++)
    for (const [name, shape] of layer) shapes.set(`blocks.${index}.${name}`, shape);
  return shapes.set("norm.weight", [d_model]).set("norm.bias", [d_model]);
}

/** A single stack with tied embeddings: logits = resid · W_Eᵀ (Press & Wolf 2017). */
export class Transformer {
  /**
   * @param {TransformerConfig} config
   * @param {ReadonlyMap<string, Tensor>} weights by the names of the Python module
   */
  constructor(config, weights) {
    this.config = config;
    this.embedding = new Embedding(config.positions, weights, "embedding.");
    const layer = layerConfig(config);
    this.blocks = Array.from(
      { length: config.n_layers },
      (_, index) => new Block(layer, weights, `blocks.${index}.`),
    );
    this.norm = affine(weights, "norm");
  }

  /**
   * Run the stack.
   * @param {readonly (readonly number[])[]} ids (batch, pos)
   * @param {object} [options]
   * @param {readonly (readonly number[])[] | null} [options.positions] the tokens' positions; null counts from 0
   * @param {readonly (Bits | null)[] | null} [options.masks] one per layer, (1 or batch, 1 or head, pos, pos): 1 may attend; null
   *   uses the model's own (causal or none)
   * @param {Bits | null} [options.muted] (1 or batch, layer, head): 1 where a head is muted, for all rows or per row
   * @param {boolean} [options.record] keep each layer's q, k, v and the stream around it
   * @param {{layer: number, stream: Tensor}} [options.from] the first layer to run, and the stream before it, if both are known from
   *   another pass over these ids
   * @returns {TransformerPass}
   */
  forward(ids, { positions = null, masks = null, muted = null, record = false, from } = {}) {
    const n = ids[0].length;
    const at = positions ?? ids.map((row) => row.map((_, position) => position));
    const own = masks === null ? this.ownMask(n) : null;
    const angles = this.config.positions === "rotary" ? rotary(at, this.config.d_head) : null;
    let x = from?.stream ?? this.embedding.forward(ids, at); // batch pos d_model
    const stages = record ? [normed(x, this.norm)] : [];
    /** @type {AttentionPass[]} */
    const recorded = [];
    const streams = [];
    for (let layer = from?.layer ?? 0; layer < this.blocks.length; layer++) {
      if (record) streams.push(x);
      const [stream, attention] = this.blocks[layer].forward(x, {
        mask: masks === null ? own : masks[layer],
        rotary: angles,
        muted: muted && ofLayer(muted, layer),
      });
      x = stream;
      endSlice();
      if (!record) continue;
      stages.push(normed(x, this.norm));
      recorded.push(attention);
    }
    if (!record) return { resid: normed(x, this.norm), attention: [], streams, stages: null };
    const each = stages.map((stage) => reshape(stage, [1, ...stage.shape]));
    return {
      resid: stages[stages.length - 1],
      attention: recorded,
      streams,
      stages: concat(each, 0),
    };
  }

  /** The mask that the model was trained with. @param {number} n @returns {Bits | null} (1, 1, pos, pos) */
  ownMask(n) {
    if (!this.config.causal) return null;
    const data = new Uint8Array(n * n);
    const seen = this.config.window ?? n;
    for (let query = 0; query < n; query++)
      data.fill(1, query * n + Math.max(0, query + 1 - seen), query * n + query + 1);
    return { shape: [1, 1, n, n], data };
  }

  /**
   * Logits of the next token.
   * @param {Float32Array} resid one row of the stream after the final norm, or several after one another
   * @returns {Float32Array}
   */
  unembed(resid) {
    const { d_model } = this.config;
    const rows = { shape: [resid.length / d_model, d_model], data: resid };
    return linear(rows, this.embedding.token).data;
  }
}

/** @param {Bits} muted (1 or batch, layer, head) @param {number} layer @returns {Bits} (1 or batch, head) */
function ofLayer(muted, layer) {
  const [batch, , n_heads] = muted.shape;
  return reshape(narrow(muted, 1, layer, layer + 1), [batch, n_heads]);
}
