// The source that runs our own transformer, as model/sources/native.py.

import { kvHeads } from "../core/attention.js";
import { checkedConfig } from "../core/checkpoint.js";
import { Tokenizer } from "../core/tokenizer.js";
import { layerConfig, Transformer } from "../core/transformer.js";
import { CheckpointError, InputError, sentence, TextError } from "../errors.js";
import { siteMask } from "../masks/mask.js";
import { maskSettings, within } from "../masks/rules.js";
import { gather, narrow, reshape } from "../tensor/tensor.js";
import { givenBy, recordedBy } from "../trace/tensors.js";
import { lastReal, residAt } from "../trace/trace.js";
import { generate, more } from "./generation.js";
import {
  checkCells,
  checkIds,
  checkLength,
  checkUnmixed,
  mutedHeads,
  padded,
  spelled,
} from "./inputs.js";
import { muteEffects } from "./muting.js";

/** @import { Mask } from "../masks/mask.js" */
/** @import { Bits, Inputs, MaskSettings, MutedHead, Site, Tensor, Token, Trace } from "../types.d.ts" */

/**
 * The input of the layers: token rows of one length, with their masks and muted heads.
 * @typedef {object} Batch
 * @property {Token[][]} tokens
 * @property {number[][]} positions (batch, pos)
 * @property {Mask[]} masks one per layer
 * @property {Bits} muted (1, layer, head)
 */

/**
 * A source that runs a checkpoint made by `headlight train`: one causal stack with a language-model head.
 * @param {string} name
 * @param {object} files
 * @param {any} files.config the parsed config.json
 * @param {any} files.tokenizer the parsed tokenizer.json
 * @param {ReadonlyMap<string, Tensor>} files.weights as `readWeights` of weights.js gives them
 * @returns {import("../types.d.ts").Source}
 * @throws {CheckpointError} the files are damaged, or belong to different checkpoints
 */
export const nativeSource = (name, files) => new NativeSource(name, files);

class NativeSource {
  /** @param {string} name @param {Parameters<typeof nativeSource>[1]} files */
  constructor(name, { config: raw, tokenizer, weights }) {
    const config = checkedConfig(raw, weights);
    this.model = new Transformer(config, weights);
    this.tokenizer = new Tokenizer(tokenizer);
    if (this.tokenizer.vocab_size > config.vocab_size)
      throw new CheckpointError(
        `The tokenizer has ${this.tokenizer.vocab_size} tokens but the model embeds ` +
          `${config.vocab_size}, so they belong to different checkpoints.`,
      );
    this.info = {
      name,
      description: String(raw.description ?? ""),
      licence: String(raw.licence ?? ""),
      n_layers: config.n_layers,
      n_heads: config.n_heads,
      d_model: config.d_model,
      d_head: config.d_head,
      vocab_size: config.vocab_size,
      n_parameters: [...weights.values()].reduce((sum, { data }) => sum + data.length, 0),
      max_tokens: config.max_tokens,
      trained_tokens: config.trained_tokens,
      trained_on: raw.trained_on || null,
      weights: raw.sha256?.["model.safetensors"] ?? null,
      causal: config.causal,
      predicts: /** @type {const} */ ("next"),
      sites: this.model.blocks.map((_, layer) => ({
        name: `layers.${layer}`,
        kind: /** @type {const} */ ("self"),
        layer,
        n_heads: config.n_heads,
      })),
      tensors: givenBy(recordedBy(layerConfig(config).attention)),
      d_ff: config.d_mlp,
      norm: this.model.blocks[0].config.norm,
      residual: this.model.blocks[0].config.residual,
      takes_targets: false,
      takes_pairs: false,
      takes_messages: false,
      classes: [],
    };
    this.special = new Set([this.tokenizer.pad_id, this.tokenizer.bos_id]);
    this.ordinary_ids = Array.from({ length: this.tokenizer.vocab_size }, (_, id) => id).filter(
      (id) => !this.special.has(id),
    );
    this.outputs = { gain: this.model.norm.weight.data, unembedding: this.model.embedding.token };
    // made once: traces share them
    this.w_o = this.model.blocks.map(({ attention }) => attention.w_o_by_head);
  }

  /**
   * Tokenize, pad, and run the model once, recording q, k and v.
   * @param {Inputs} inputs
   * @param {{max_tokens?: number | null}} [limits]
   */
  trace(inputs, { max_tokens = null } = {}) {
    return this.#record(this.#read(inputs, max_tokens));
  }

  /**
   * Run [BOS] and the ids of each row, padded on the right, as if they were texts.
   * @param {readonly (readonly number[])[]} rows
   */
  traceIds(rows) {
    if (!rows.length) throw new InputError("Expected at least one row of ids; got none.");
    return this.#record(this.#batch(rows.map((ids, row) => this.#spell(ids, row))));
  }

  /**
   * Run the inputs as they are, then again with each head muted, many heads in one pass. A pass begins at the layer of its heads.
   * @param {Inputs} inputs
   * @param {{position?: number | null, token?: number | null, max_tokens?: number | null}} [watched]
   */
  muteEffects(inputs, { position = null, token = null, max_tokens = null } = {}) {
    const batch = this.#read(inputs, max_tokens);
    const pass = this.#pass(batch, true);
    const matrices = matricesOf(batch);
    /** @type {import("./muting.js").Run} */
    const run = (text, at, muted, layer) => {
      const rows = Array.from({ length: muted.shape[0] }, () => batch.tokens[text]);
      const texts = rows.map(() => text);
      const { resid } = this.model.forward(idsOf(rows), {
        positions: rows.map(() => batch.positions[text]),
        masks: matrices.map((matrix) => matrix && narrow(matrix, 0, text, text + 1)),
        muted,
        from: { layer, stream: gather(pass.streams[layer], 0, texts) },
      });
      return reshape(gather(resid, 1, [at]), [rows.length, resid.shape[2]]);
    };
    const { vocab_size } = this.tokenizer;
    const watched = { position, token, vocab_size };
    return muteEffects(this.#traceOf(batch, pass), this.info.sites, batch.muted, run, watched);
  }

  /** Run the model once and keep the inputs of attention. @param {Batch} batch @returns {Trace} */
  #record(batch) {
    return this.#traceOf(batch, this.#pass(batch, true));
  }

  /** @param {Batch} batch @param {import("../types.d.ts").TransformerPass} pass @returns {Trace} */
  #traceOf(batch, { attention, stages }) {
    const sites = attention.map((part, layer) => this.#site(batch, layer, part));
    return {
      model: this.info.name,
      tokens: batch.tokens,
      sites,
      target_tokens: null,
      stages,
      unembed: (resid) => this.model.unembed(resid),
      token_text: (id) => this.tokenizer.tokenText(id),
      special_ids: this.special,
      predicts: "next",
      read_at: null,
      settings: null,
    };
  }

  /** @param {Batch} batch @param {boolean} record */
  #pass(batch, record) {
    return this.model.forward(idsOf(batch.tokens), {
      positions: batch.positions,
      masks: matricesOf(batch),
      muted: batch.muted.data.includes(1) ? batch.muted : null,
      record,
    });
  }

  /**
   * The texts with the tokens to generate, and ln p of each.
   * @param {Inputs} inputs
   * @param {{max_tokens?: number | null}} [limits]
   */
  continued(inputs, { max_tokens = null } = {}) {
    return this.#grown(this.#typed(inputs, max_tokens), inputs);
  }

  /**
   * The typed texts as a batch, with the tokens to generate already appended.
   * @param {Inputs} inputs
   * @param {number | null} max_tokens
   * @returns {Batch}
   */
  #read(inputs, max_tokens) {
    const rows = this.#typed(inputs, max_tokens);
    const { masks, muted, generate: grows } = inputs;
    return this.#batch(grows ? this.#grown(rows, inputs).rows : rows, masks, muted);
  }

  /** The tokens of the typed texts, checked, with room for those to generate. @param {Inputs} inputs @param {number | null} max_tokens */
  #typed(inputs, max_tokens) {
    checkUnmixed(inputs, this.info);
    return this.#rows(inputs, (row, n, field) =>
      checkLength(row, this.info, {
        what: sentence("Text {n}", { n: n + 1 }),
        field,
        max_tokens,
        more: more(inputs.generate, row.length),
      }),
    );
  }

  /** @param {Token[][]} rows @param {Inputs} inputs */
  #grown(rows, inputs) {
    return generate(
      rows,
      /** @type {import("../types.d.ts").Generate} */ (inputs.generate),
      (/** @type {Token[][]} */ extended) => {
        const longest = Math.max(...extended.map((row) => row.length));
        return this.#logitsAfter(
          this.#batch(extended, within(inputs.masks, longest), inputs.muted),
        );
      },
      { spell: (id) => this.tokenizer.tokenText(id) },
    );
  }

  /**
   * The tokens of each text or row of ids, checked one after another.
   * @param {Inputs} inputs
   * @param {(row: Token[], n: number, field: string) => void} check
   */
  #rows({ texts, ids, special_tokens }, check) {
    const BOS = 1; // the only special token that is added
    if (ids) {
      const added = special_tokens === true ? this.tokenizer.encode("") : [];
      return ids.map((row, n) => {
        const field = `ids.${n}`;
        checkIds(row, this.tokenizer.vocab_size, this.info, field);
        const tokens = [
          ...added,
          ...spelled(row, (id) => this.tokenizer.tokenText(id), this.special),
        ];
        check(tokens, n, field);
        return tokens;
      });
    }
    return texts.map((text, n) => {
      const field = `texts.${n}`;
      const tokens = this.#encode(text, field).slice(special_tokens === false ? BOS : 0);
      check(tokens, n, field);
      return tokens;
    });
  }

  /** @param {string} text @param {string} field */
  #encode(text, field) {
    try {
      return this.tokenizer.encode(text);
    } catch (error) {
      if (error instanceof TextError) error.field = field;
      throw error;
    }
  }

  /** The logits after the last real token of each row. @param {Batch} batch @returns {Tensor} (row, vocab_size) */
  #logitsAfter(batch) {
    const { resid } = this.#pass(batch, false);
    const stage = reshape(resid, [1, ...resid.shape]);
    const last = batch.tokens.map((row, text) => residAt(stage, 0, text, lastReal(row)));
    const { vocab_size, d_model } = this.model.config;
    const rows = new Float32Array(last.length * d_model);
    last.forEach((row, text) => {
      rows.set(row, text * d_model);
    });
    return { shape: [last.length, vocab_size], data: this.model.unembed(rows) };
  }

  /** The tokens of a row of ids, as if their texts had been typed. @param {readonly number[]} ids @param {number} row */
  #spell(ids, row) {
    for (const id of ids) {
      if (!(id >= 0 && id < this.tokenizer.vocab_size) || this.special.has(id))
        throw new InputError(
          `Row ${row + 1} has the id ${id}; expected ids of ${this.info.name}'s vocabulary ` +
            "without its special tokens.",
        );
    }
    const tokens = [
      ...this.tokenizer.encode(""),
      ...spelled(ids, (id) => this.tokenizer.tokenText(id), this.special),
    ];
    checkLength(tokens, this.info, { what: sentence("Row {n}", { n: row + 1 }), field: null });
    return tokens;
  }

  /**
   * @param {Token[][]} rows
   * @param {MaskSettings} [settings]
   * @param {readonly MutedHead[]} [muted]
   * @returns {Batch}
   */
  #batch(rows, settings = maskSettings(), muted = []) {
    const tokens = padded(rows, this.tokenizer.pad_id, settings.padding_side);
    return {
      tokens,
      positions: tokens.map(realPositions),
      masks: this.#masks(settings, tokens),
      muted: mutedHeads(muted, this.info),
    };
  }

  /** @param {MaskSettings} settings @param {Token[][]} tokens */
  #masks(settings, tokens) {
    const { n_heads, causal, window: own } = this.model.config;
    const window = causal ? own : null;
    const n = tokens[0].length;
    checkCells(settings, this.info);
    const real_keys = {
      shape: [tokens.length, n],
      data: Uint8Array.from(tokens.flat(), ({ padding }) => Number(!padding)),
    };
    /** @param {number} layer */
    const ofLayer = (layer) =>
      siteMask(settings, { layer, n_query: n, n_key: n, n_heads, real_keys, causal, window });
    // all layers share one mask unless a cell is painted in a single layer
    const painted = [...settings.blocked, ...settings.allowed];
    const shared = painted.every(({ layer }) => layer === null) ? ofLayer(0) : null;
    return this.model.blocks.map((_, layer) => shared ?? ofLayer(layer));
  }

  /**
   * @param {Batch} batch
   * @param {number} layer
   * @param {import("../types.d.ts").AttentionPass} recorded
   * @returns {Site}
   */
  #site(batch, layer, { q, k, v, bias, gate }) {
    const { n_heads } = this.info;
    const { attention } = this.model.blocks[layer];
    const muted = batch.muted.data.subarray(layer * n_heads, (layer + 1) * n_heads);
    return {
      name: `layers.${layer}`,
      kind: "self",
      layer,
      mask: batch.masks[layer],
      n_heads,
      n_kv_heads: kvHeads(attention.config),
      q,
      k,
      v,
      stored_pattern: null,
      bias,
      gate,
      minus: attention.config.minus,
      w_o: this.w_o[layer],
      muted: [...muted.keys()].filter((head) => muted[head]),
      query_tokens: "tokens",
      key_tokens: "tokens",
      ...attention.settings(),
    };
  }
}

/** (batch, pos) @param {readonly Token[][]} tokens */
const idsOf = (tokens) => tokens.map((row) => row.map(({ id }) => id));

/** The masks as the model takes them; layers that share a mask share its matrix. @param {Batch} batch */
const matricesOf = ({ masks }) => masks.map((mask) => (mask.isOpen ? null : mask.allows()));

/** Positions counted from the first real token, so that padding on the left shifts nothing. @param {readonly Token[]} row */
export function realPositions(row) {
  const first = row.findIndex(({ padding }) => !padding);
  return row.map((_, at) => Math.max(0, at - first));
}
