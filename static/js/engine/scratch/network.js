// A mechanism with untrained weights: drawn from a seed, or uploaded by the reader. As model/scratch/network.py.
//
// The random weights keep numbers in a reasonable range: word vectors are N(0, 1) and matrices are N(0, 1/fan_in) (LeCun et al.
// 1998, "Efficient BackProp", section 4.6), so q and k have unit variance and q·k has the variance d_head.

import LIMITS from "../../facts/limits.json" with { type: "json" };
import { packedStrides } from "../core/attention.js";
import { Block, blockShapes } from "../core/block.js";
import { alibi, rowsOf, sinusoidal, stretched } from "../core/embedding.js";
import { InputError } from "../errors.js";
import { endSlice } from "../slices.js";
import { Generator } from "../tensor/random.js";
import { add, narrow, reshape, sizeOf, zeros } from "../tensor/tensor.js";
import { readWeights } from "./uploads.js";
import { wordVector } from "./words.js";

/** @import { AttentionPass, Bits, Tensor } from "../types.d.ts" */
/** @import { ScratchConfig } from "./mechanisms.js" */

export const MAX_TOKENS = LIMITS.scratch_tokens; // per text
const EMBEDDING = "embedding.weight";

/** The layers of one mechanism. Uploaded tensors are matched to its parameters by name. */
export class ScratchNetwork {
  /** @param {ScratchConfig} config */
  constructor(config) {
    this.config = config;
    const { n_layers } = config.parameters;
    const uploaded = config.weights === null ? new Map() : readWeights(config.weights);
    const weights = drawn(config);
    load(weights, uploaded, config.parameters.d_model);
    this.blocks = Array.from(
      { length: n_layers },
      (_, layer) => new Block(config.block, weights, `layers.${layer}.`),
    );
    // made once: traces share them
    this.w_o = this.blocks.map(({ attention }) => attention.w_o_by_head);
    this.positions = weights.get("positions.weight") ?? null;
    /** @type {Tensor | null} */
    this.embedding = uploaded.get(EMBEDDING) ?? null;
  }

  /**
   * The inputs of attention at each layer; x and context already include positions.
   * @param {Tensor} x (batch, query, d_model)
   * @param {Tensor | null} context (batch, key, d_model)
   * @param {readonly (readonly number[])[]} positions (batch, query)
   * @param {object} edits
   * @param {readonly (Bits | null)[]} edits.masks one per layer
   * @param {Bits} edits.muted (1, layer, head)
   * @returns {AttentionPass[]}
   */
  forward(x, context, positions, { masks, muted }) {
    const { positions: kind, n_heads, rope_scaling, rope_factor } = this.config.parameters;
    const { d_head } = this.config.block.attention;
    const angles =
      kind === "rotary" ? stretched(positions, d_head, rope_scaling, rope_factor) : null;
    const bias = kind === "alibi" ? alibi(positions, n_heads) : null;
    return this.blocks.map((block, layer) => {
      const mutedHere = reshape(narrow(muted, 1, layer, layer + 1), [1, n_heads]);
      const options = { context, mask: masks[layer], rotary: angles, bias, muted: mutedHere };
      const [stream, attention] = block.forward(x, options);
      x = stream;
      endSlice();
      return attention;
    });
  }

  /**
   * The vectors of the words, plus those of their positions where positions are added.
   * @param {readonly string[]} words by id
   * @param {readonly (readonly number[])[]} ids (batch, pos)
   * @param {readonly (readonly number[])[]} positions (batch, pos)
   * @returns {Tensor} (batch, pos, d_model)
   * @throws {InputError} an uploaded embedding has too few rows
   */
  embed(words, ids, positions) {
    const x = rowsOf(this.#vectors(words), ids);
    if (this.config.parameters.positions === "sinusoidal")
      return add(x, sinusoidal(positions, this.config.parameters.d_model));
    return this.positions === null ? x : add(x, rowsOf(this.positions, positions));
  }

  /** One row per id. A word has the same vector in every text; padding is all zeros. @param {readonly string[]} words */
  #vectors(words) {
    const { d_model, seed } = this.config.parameters;
    if (this.embedding === null) {
      const table = zeros([words.length, d_model]);
      for (let id = 1; id < words.length; id++)
        table.data.set(wordVector(words[id], seed, d_model), id * d_model);
      return table;
    }
    const [n] = this.embedding.shape;
    if (n < words.length)
      throw new InputError(
        `${EMBEDDING} has ${n} rows; these texts need ${words.length}: row 0 for padding, then one ` +
          "for each different token, in the order of first appearance.",
        { field: "scratch.weights" },
      );
    return this.embedding;
  }
}

/**
 * Draw all weights as after torch.manual_seed(seed): each randn(out, in) / √in, in this order. For each layer W_q, W_k, W_v, W_O and
 * its bias (and before W_k that of a latent), that of a gate, that of the steps of a state space with its bias, then the two matrices of the feed-forward network, each with its bias; after all layers the
 * learned positions, as randn. A fused projection holds the same three matrices, laid out as its packing says.
 * @param {ScratchConfig} config
 * @returns {Map<string, Tensor>} by the names of the Python module, in its order
 */
function drawn({ parameters, block }) {
  const generator = new Generator(BigInt(parameters.seed));
  /** @type {Map<string, Tensor>} */
  const weights = new Map();
  let fan_in = 1; // of a bias, that of the matrix before it
  for (let layer = 0; layer < parameters.n_layers; layer++)
    for (const [name, shape] of blockShapes(block)) {
      const tensor = zeros(shape);
      if (shape.length === 2) fan_in = shape[1];
      weights.set(`layers.${layer}.${name}`, tensor);
      const isFused = name === "attention.w_qkv.weight";
      if (name.startsWith("norm")) tensor.data.fill(name.endsWith("weight") ? 1 : 0);
      else if (name === "attention.sink") tensor.data.fill(parameters.sink ?? 0);
      else if (name === "attention.log_rate") tensor.data.set(halved(shape[0]));
      else if (isFused) pack(matrices(generator, shape), tensor, block.attention);
      else tensor.data.set(scaled(generator, shape, fan_in));
    }
  if (parameters.positions === "learned") {
    const shape = [MAX_TOKENS, parameters.d_model];
    weights.set("positions.weight", { shape, data: generator.randn(sizeOf(shape)) });
  }
  return weights;
}

/** The logarithms of 1, 1/2, 1/4, … @param {number} n */
const halved = (n) => Float32Array.from({ length: n }, (_, head) => -Math.LN2 * head);

/** randn / √fan_in, in float32. @param {Generator} generator @param {readonly number[]} shape @param {number} fan_in */
function scaled(generator, shape, fan_in) {
  const root = Math.fround(Math.sqrt(fan_in));
  return generator.randn(sizeOf(shape)).map((value) => value / root);
}

/** W_q, W_k and W_v of a fused projection. @param {Generator} generator @param {number[]} fused its shape */
const matrices = (generator, [rows, d_model]) =>
  [0, 1, 2].map(() => scaled(generator, [rows / 3, d_model], d_model));

/**
 * "qkv (head d_head) d_model -> (packing) d_model"
 * @param {readonly Float32Array[]} qkv
 * @param {Tensor} to
 * @param {import("../types.d.ts").AttentionConfig} attention
 */
function pack(qkv, to, { packing, n_heads, d_head, d_model }) {
  const strides = packedStrides(packing, n_heads, d_head);
  for (const [which, matrix] of qkv.entries())
    for (let row = 0; row < n_heads * d_head; row++) {
      const [head, channel] = [Math.floor(row / d_head), row % d_head];
      const at = which * strides.qkv + head * strides.head + channel * strides.d_head;
      to.data.set(matrix.subarray(row * d_model, (row + 1) * d_model), at * d_model);
    }
}

/**
 * Replace drawn tensors with the uploaded ones.
 * @param {Map<string, Tensor>} own
 * @param {ReadonlyMap<string, Tensor>} uploaded
 * @param {number} d_model
 */
function load(own, uploaded, d_model) {
  for (const [name, tensor] of uploaded) {
    const expected = name === EMBEDDING ? null : own.get(name)?.shape;
    if (expected === undefined)
      throw new InputError(
        `There is no parameter '${name.slice(0, 80)}' here. The mechanism has ${EMBEDDING} and ` +
          `${[...own.keys()].join(", ") || "no others"}.`,
        { field: "scratch.weights" },
      );
    const { shape } = tensor;
    const fits = expected === null ? shape[1] === d_model : shown(shape) === shown(expected);
    if (!fits)
      throw new InputError(
        `${name} should have the shape ${expected === null ? `(tokens, ${d_model})` : shown(expected)}; ` +
          `in the file it has ${shown(shape)}. Change the sizes or the file.`,
        { field: "scratch.weights" },
      );
    if (name !== EMBEDDING) own.set(name, tensor);
  }
}

/** A shape as Python writes it. @param {readonly number[]} shape */
const shown = (shape) => (shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`);
