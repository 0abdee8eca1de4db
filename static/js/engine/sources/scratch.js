// The source that runs mechanisms from scratch, with the parameters of each request. As model/sources/scratch.py.

import { kvHeads } from "../core/attention.js";
import { blockShapes } from "../core/block.js";
import { InputError, sentence, UnavailableError } from "../errors.js";
import { siteMask } from "../masks/mask.js";
import { described } from "../scratch/described.js";
import { configure } from "../scratch/mechanisms.js";
import { MAX_TOKENS, ScratchNetwork } from "../scratch/network.js";
import { PAD_ID, tokenize } from "../scratch/words.js";
import { sizeOf } from "../tensor/tensor.js";
import { givenBy, recordedBy } from "../trace/tensors.js";
import { checkCells, checkLength, checkText, checkUnmixed, mutedHeads, padded } from "./inputs.js";
import { realPositions } from "./native.js";

/** @import { AttentionPass, Inputs, Site, Tensor, Token, Trace } from "../types.d.ts" */
/** @import { ScratchConfig } from "../scratch/mechanisms.js" */

const MAX_NETWORKS = 4; // kept
const MAX_NUMBER = 1e30; // larger ones are refused, before they overflow float32

/**
 * A source that runs every mechanism of mechanisms.js. It has no vocabulary and predicts nothing.
 * @param {string} [name]
 * @returns {import("../types.d.ts").Source}
 */
export const scratchSource = (name = "scratch") => new ScratchSource(name);

class ScratchSource {
  /** The latest last. @type {ScratchNetwork[]} */
  #networks = [];

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.info = { ...infoOf(name, configure()), ...described() };
    /** @type {number[]} */
    this.ordinary_ids = [];
  }

  /**
   * Number the words, draw the weights, and run the layers once, recording q, k and v.
   * @param {Inputs} inputs
   * @param {{max_tokens?: number | null}} [limits]
   * @returns {Trace}
   * @throws {InputError} the texts, weights or settings do not suit the mechanism
   */
  trace(inputs, { max_tokens = null } = {}) {
    const isOurs = inputs.settings?.name === "scratch"; // checkUnmixed refuses those of other sources
    const config = isOurs ? /** @type {ScratchConfig} */ (inputs.settings) : configure();
    const info = infoOf(this.name, config);
    checkUnmixed(inputs, info, "scratch");
    if (inputs.ids) throw this.#withoutIds();
    checkCells(inputs.masks, info);
    if (config.mechanism.cross && inputs.targets === null)
      throw new InputError(
        "Cross-attention looks from one text into another. Expected `targets`, one for each text, " +
          "which the queries come from; got none.",
        { field: "targets" },
      );
    return this.#run(config, inputs, info, read(inputs, config, info, max_tokens));
  }

  /**
   * @param {ScratchConfig} config
   * @param {Inputs} inputs
   * @param {ReturnType<typeof infoOf>} info
   * @param {ReturnType<typeof read>} texts
   * @returns {Trace}
   */
  #run(config, inputs, info, { tokens, targets, words }) {
    const network = this.#network(config);
    const context = embedded(network, words, tokens);
    const queries = targets ?? tokens;
    const x = targets === null ? context : embedded(network, words, targets);
    const real_keys = {
      shape: [tokens.length, tokens[0].length],
      data: Uint8Array.from(tokens.flat(), ({ padding }) => Number(!padding)),
    };
    const { n_heads } = info;
    const masks = info.sites.map(({ layer, kind }) =>
      siteMask(inputs.masks, {
        layer,
        kind,
        n_query: queries[0].length,
        n_key: tokens[0].length,
        n_heads,
        real_keys,
        causal: config.mechanism.causal,
        diagonal: config.parameters.causal_diagonal,
        window: config.parameters.window,
      }),
    );
    const muted = mutedHeads(inputs.muted, info);
    const passes = network.forward(
      x,
      targets === null ? null : context,
      queries.map(realPositions),
      { masks: masks.map((mask) => (mask.isOpen ? null : mask.allows())), muted },
    );
    checkSizes(passes, network);
    const sites = passes.map((pass, layer) => {
      const silent = muted.data.subarray(layer * n_heads, (layer + 1) * n_heads);
      return /** @type {Site} */ ({
        name: info.sites[layer].name,
        kind: info.sites[layer].kind,
        layer,
        mask: masks[layer],
        n_heads,
        n_kv_heads: kvHeads(network.config.block.attention),
        q: pass.q,
        k: pass.k,
        v: pass.v,
        stored_pattern: null,
        bias: pass.bias,
        gate: pass.gate,
        minus: network.config.parameters.minus,
        w_o: network.w_o[layer],
        muted: [...silent.keys()].filter((head) => silent[head] === 1),
        query_tokens: targets === null ? "tokens" : "target_tokens",
        key_tokens: "tokens",
        ...network.blocks[layer].attention.settings(),
      });
    });
    return {
      model: this.name,
      tokens,
      sites,
      target_tokens: targets,
      stages: null,
      unembed: null,
      token_text: null,
      special_ids: new Set(),
      predicts: null,
      read_at: null,
      settings: config,
    };
  }

  /** The network of equal settings, if it is among the latest. @param {ScratchConfig} config */
  #network(config) {
    const known = this.#networks.find((network) => isEqual(network.config, config));
    const network = known ?? new ScratchNetwork(config);
    this.#networks = [...this.#networks.filter((each) => each !== known), network];
    this.#networks = this.#networks.slice(-MAX_NETWORKS);
    return network;
  }

  #withoutIds() {
    return new UnavailableError(`${this.name} has no vocabulary, so it takes no ids. Send texts.`, {
      field: "ids",
    });
  }

  /** Always refused, because each request numbers its words anew. @returns {never} */
  traceIds() {
    throw this.#withoutIds();
  }

  /** Always refused, because there is no prediction that could change. @returns {never} */
  muteEffects() {
    throw new UnavailableError(
      `${this.name} has no language-model head, so muting changes no prediction.`,
      { field: "analyse.mute_effects" },
    );
  }
}

/**
 * The padded tokens of texts and targets, and the words that their ids stand for.
 * @param {Inputs} inputs
 * @param {ScratchConfig} config
 * @param {ReturnType<typeof infoOf>} info
 * @param {number | null} max_tokens
 * @returns {{tokens: Token[][], targets: Token[][] | null, words: string[]}}
 */
function read(inputs, config, info, max_tokens) {
  const n = inputs.texts.length;
  const texts = [...inputs.texts, ...(inputs.targets ?? [])];
  const places = texts.map((_, at) =>
    at < n
      ? { what: sentence("Text {n}", { n: at + 1 }), field: `texts.${at}` }
      : { what: sentence("Target {n}", { n: at - n + 1 }), field: `targets.${at - n}` },
  );
  for (const [at, text] of texts.entries()) checkText(text, places[at].field);
  const { rows, words } = tokenize(texts, config.parameters.tokens);
  for (const [at, row] of rows.entries()) checkLength(row, info, { ...places[at], max_tokens });
  const side = inputs.masks.padding_side;
  const targets = rows.length > n ? padded(rows.slice(n), PAD_ID, side) : null;
  return { tokens: padded(rows.slice(0, n), PAD_ID, side), targets, words };
}

/** @param {ScratchNetwork} network @param {readonly string[]} words @param {readonly Token[][]} rows */
const embedded = (network, words, rows) =>
  network.embed(
    words,
    rows.map((row) => row.map(({ id }) => id)),
    rows.map(realPositions),
  );

/** The description of a mechanism with these parameters. @param {string} name @param {ScratchConfig} config */
function infoOf(name, { mechanism, parameters, block }) {
  const { n_layers, n_heads } = parameters;
  const { d_model, d_head } = block.attention;
  const perLayer = blockShapes(block).reduce((sum, [, shape]) => sum + sizeOf(shape), 0);
  const { cross } = mechanism;
  return {
    name,
    description: "Mechanisms from scratch, with weights drawn from a seed or uploaded.",
    weights: null,
    revision: null, // they are drawn or uploaded
    licence: "CC0-1.0",
    n_layers,
    n_heads,
    d_model,
    d_head,
    vocab_size: 0,
    n_parameters: n_layers * perLayer,
    max_tokens: MAX_TOKENS,
    trained_tokens: MAX_TOKENS,
    causal: mechanism.causal,
    predicts: null,
    sites: Array.from({ length: n_layers }, (_, layer) => ({
      name: `layers.${layer}${cross ? ".cross" : ""}`,
      kind: /** @type {"cross" | "self"} */ (cross ? "cross" : "self"),
      layer,
      n_heads,
    })),
    tensors: givenBy(recordedBy(block.attention)),
    d_ff: block.d_ff,
    norm: block.norm,
    residual: block.residual,
    takes_targets: cross,
    takes_pairs: false,
    takes_messages: false,
    classes: [],
  };
}

/** Refuse numbers that might overflow float32; only uploaded weights make them so large. @param {readonly AttentionPass[]} passes @param {ScratchNetwork} network */
function checkSizes(passes, network) {
  for (const [layer, { q, k, v, output }] of passes.entries()) {
    const [a, b, c] = [q, k, v].map(longest);
    const w_o = network.w_o[layer];
    const moved = w_o === null ? c : c * norm(w_o.data);
    const { scale } = network.blocks[layer].attention.settings();
    const largest = output.data.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
    if ([a, b, a * b, a * b * scale, moved, largest].every((size) => size < MAX_NUMBER)) continue;
    throw new InputError(
      "With these weights the numbers grow beyond the range of float32. Make the weights smaller, " +
        "use fewer layers, or add a norm.",
      { code: "overflow", field: "scratch.weights" },
    );
  }
}

/** The length of the longest vector along the last axis; NaN if any is. @param {Tensor} x */
function longest({ shape, data }) {
  const d = shape[shape.length - 1];
  let found = 0;
  for (let start = 0; start < data.length; start += d)
    found = Math.max(found, norm(data.subarray(start, start + d)));
  return found;
}

/** The length of a vector; infinite where float32 cannot hold its square, as in torch. @param {Float32Array} x */
const norm = (x) => Math.sqrt(Math.fround(x.reduce((sum, value) => sum + value * value, 0)));

/** @param {ScratchConfig} a @param {ScratchConfig} b */
function isEqual(a, b) {
  const [bytes, others] = [a.weights ?? [], b.weights ?? []];
  return (
    a.mechanism.id === b.mechanism.id &&
    JSON.stringify(a.parameters) === JSON.stringify(b.parameters) &&
    (a.weights === null) === (b.weights === null) &&
    bytes.length === others.length &&
    bytes.every((/** @type {number} */ byte, /** @type {number} */ at) => byte === others[at])
  );
}
