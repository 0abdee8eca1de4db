// The data of the engine. Fields have the names of the API, and those of the Python classes that they mirror.

import type {
  BlockedSlice,
  Cell,
  Kind,
  Listed,
  Masks,
  ModelInfo,
  MuteEffects,
  Token,
  TokenAxis,
} from "../types.d.ts";
import type { Mask } from "./masks/mask.js";

export type { BlockedSlice, Cell, Kind, Mask, MuteEffects, Token, TokenAxis };

/** Numbers in row-major order; the engine keeps float32, as torch does. */
export interface Tensor {
  shape: number[];
  data: Float32Array;
}

/** Booleans as 0 and 1, or the bits of `blocked_by`. */
export interface Bits {
  shape: number[];
  data: Uint8Array;
}

export type AnyTensor = Tensor | Bits;

/** The masks that a reader set (model/masks/rules.py). Every field is present; null means the model's own. */
export type MaskSettings = Masks;

export type SoftmaxOver = "key" | "query";
/** Relative to the softmax. */
export type MaskApplied = "before" | "after";

/** The arguments of `attend` besides q, k and v; what is missing or null is not used. */
export interface AttentionSettings {
  /** 1 where a query may attend to a key: (1 or batch, 1 or head, query, key). */
  mask?: Bits | null;
  /** The factor of q·k; by default 1/√d_head. */
  scale?: number | null;
  /** Added after the soft cap (ALiBi, T5's relative positions): (1 or batch, 1 or head, query, key). */
  bias?: Tensor | null;
  /** c in c · tanh(x / c) (Gemma 2, section 2). */
  soft_cap?: number | null;
  /** (head): a learned logit that takes part in the softmax and attends to nothing (GPT-OSS). */
  sink?: Tensor | null;
  /** "query" normalises columns, a mistake worth seeing. */
  softmax_over?: SoftmaxOver;
  /** "after" sets blocked cells to 0 after the softmax, so their share is lost: another such mistake. */
  mask_applied?: MaskApplied;
  /** "linear": the weights of a row are in proportion to q·k itself, not to its exp; "product": they are scale · q·k · exp(bias). */
  kernel?: Kernel;
}

export type Kernel = "exp" | "linear" | "product";

export type Packing = "qkv head d_head" | "head qkv d_head" | "d_head qkv head";

/** The settings of one attention mechanism. */
export interface AttentionConfig {
  d_model: number;
  n_heads: number;
  /** Independent of d_model: n_heads · d_head need not equal it. */
  d_head: number;
  /** "none": q = k = v = x. */
  projections: "none" | "separate" | "fused";
  /** How a fused projection's output is laid out. */
  packing: Packing;
  /** How it is read; any order other than `packing` is a mistake. */
  read_as: Packing | null;
  qkv_bias: boolean;
  /** Whether there is a W_O; if not, the output is the concatenated z. */
  output: boolean;
  output_bias: boolean;
  scale: "1/sqrt(d_head)" | "1/sqrt(d_model)" | number;
  softmax_over: SoftmaxOver;
  mask_applied: MaskApplied;
  kernel: Kernel;
  soft_cap: number | null;
  /** Whether each head has a learned sink. */
  sink: boolean;
  /** Heads of keys and values (grouped queries); null: n_heads. */
  n_kv_heads: number | null;
  /** The channels off which keys and values are read; null: off x. */
  d_latent: number | null;
  /** Whether each head's z is multiplied by a number between 0 and 1, read off x. */
  gate: boolean;
  /** Whether each token says how strongly it is written down, and how much of the past it erases. */
  selective: boolean;
  /** λ: heads come in pairs, and λ times the second of each is subtracted from the first. */
  minus: number | null;
}

/** The output of one pass of attention (batch, query, d_out), and what entered `attend`, after rotary positions. */
export interface AttentionPass {
  output: Tensor;
  q: Tensor;
  k: Tensor;
  v: Tensor;
  bias: Tensor | null;
  /** (batch, head, query): the factor of z */
  gate: Tensor | null;
}

export type Positions = "none" | "learned" | "sinusoidal" | "rotary";

/** The rotation angles of q and k, each (batch, 1, pos, d_head / 2). */
export interface Rotary {
  cos: Tensor;
  sin: Tensor;
}

/** The settings of one layer. */
export interface BlockConfig {
  attention: AttentionConfig;
  /** LayerNorm before each part, or after it (and after the residual). */
  norm: "none" | "pre" | "post";
  /** Add each part's output to the stream instead of replacing it. */
  residual: boolean;
  /** Width of the feed-forward network; 0: no such network. */
  d_ff: number;
  activation: "gelu" | "relu";
}

/** A name in TENSORS (tensors.js). */
export type TensorName = string;

/** One place where attention happens, with what it recorded (model/trace/recorded.py). */
export interface Site {
  /** "layers.2", "decoder.layers.2.cross" */
  name: string;
  kind: Kind;
  layer: number;
  mask: Mask;
  n_heads: number;
  /** Fewer than n_heads with grouped queries; k and v are expanded. */
  n_kv_heads: number;
  scale: number;
  /** (batch, head, query, d_head), as it enters the dot product. */
  q: Tensor | null;
  /** (batch, head, key, d_head) */
  k: Tensor | null;
  /** (batch, head, key, d_head) */
  v: Tensor | null;
  /** (batch, head, query, key), if it is already known; a source without q, k and v has only this. */
  stored_pattern: Tensor | null;
  /** (1 or batch, 1 or head, query, key) */
  bias: Tensor | null;
  soft_cap: number | null;
  /** (head) */
  sink: Tensor | null;
  softmax_over: SoftmaxOver;
  mask_applied: MaskApplied;
  kernel: Kernel;
  /** (batch, head, query): the factor of each head's z, in gated attention */
  gate: Tensor | null;
  /** λ where heads come in pairs, the second of which is subtracted (differential attention) */
  minus: number | null;
  /** (head, d_head, d_model) */
  w_o: Tensor | null;
  muted: number[];
  query_tokens: TokenAxis;
  key_tokens: TokenAxis;
}

/** A muted head; without a kind, the head with that number in every site of the layer. */
export type MutedHead = [layer: number, head: number, kind: Kind | null];

/** How many tokens to append, and how each is chosen (model/sources/generation.py). */
export interface Generate {
  n_tokens: number;
  /** Draw from softmax(logits / temperature); otherwise take the likeliest. */
  sampled: boolean;
  temperature: number;
  /** For each text separately, whatever other texts are traced with it. */
  seed: number;
  top_k: number | null;
  top_p: number | null;
  /** The ids to append to each row, if they are already known; then the model does not run. */
  known: number[][] | null;
  /** Where rows are cut, and the first token that each gets there instead of its own. */
  start: { after: number; ids: number[] } | null;
}

/** Rows with what the model appended to them, and ln p of each token that it chose. */
export interface Generated {
  rows: Token[][];
  log_p: number[][];
}

/** The settings that a request gives to one source, such as scratch's; `name` is theirs in the API. */
export interface SourceSettings {
  name: string;
}

/** Everything that determines a trace, and nothing else (model/sources/source.py). */
export interface Inputs {
  texts: string[];
  /** Instead of texts: the token ids of each row. */
  ids?: number[][] | null;
  /** Whether the model's special tokens are added; null: to texts, but not to ids. */
  special_tokens?: boolean | null;
  /** Decoder texts, one for each text. */
  targets: string[] | null;
  /** Second segments, one for each text. */
  pairs: string[] | null;
  masks: MaskSettings;
  muted: MutedHead[];
  /** Tokens that the model appends first. */
  generate: Generate | null;
  /** The settings of a source that takes any; null means its defaults. */
  settings: SourceSettings | null;
}

/** One run of one model over a batch of texts (model/trace/trace.py). */
export interface Trace {
  model: string;
  /** Rows of equal length; shorter texts are padded. */
  tokens: Token[][];
  sites: Site[];
  target_tokens: Token[][] | null;
  /**
   * (stage, batch, pos, d_model): the residual stream before the first layer and after each, after the final norm; null
   * without a language-model head.
   */
  stages: Tensor | null;
  /** The logits of a row of `stages`. */
  unembed: ((resid: Float32Array) => Float32Array) | null;
  token_text: ((id: number) => string) | null;
  /** Tokens that typed text never has. */
  special_ids: Set<number>;
  /** The token after a position, the one there, or the class of the text; null: nothing. */
  predicts: "next" | "fill" | "class" | "tag" | null;
  /** The position of each text's first mask token. */
  read_at: (number | null)[] | null;
  /** Used for the run, if the source takes any. */
  settings: SourceSettings | null;
  /** Predictions that were recorded with the run, in the place of `stages`: those that they answer, or an error. */
  predicted?: ((asked: Predicting) => Listed[][]) | null;
  /** What the model said of a recorded run, by the name of an analysis; null: nobody asked it that. */
  answered?: Answered;
  /** Why a recorded run has no `stages`, without its full stop. */
  lacks?: string;
}

/** The answers that were recorded with a run. */
export interface Answered {
  /** null: nobody asked that. */
  to: (name: string, asked: unknown) => unknown;
  /** The analyses that it has any answer of. */
  names: ReadonlySet<string>;
}

/** What `predict` in trace.js takes. */
export interface Predicting {
  top_k: number;
  position: number | null;
  temperature: number;
  top_p: number | null;
  tokens: readonly number[];
  unedited: Trace | null;
}

/** The sizes of the small transformer (model/core/transformer.py). */
export interface TransformerConfig {
  vocab_size: number;
  n_layers: number;
  n_heads: number;
  d_model: number;
  d_head: number;
  d_mlp: number;
  norm: "none" | "pre" | "post";
  residual: boolean;
  scale: AttentionConfig["scale"];
  positions: Positions;
  causal: boolean;
  /** The context that it was trained on. */
  trained_tokens: number;
  /** The limit of a run; rotary positions extend beyond training. */
  max_tokens: number;
  n_kv_heads: number | null;
  d_latent: number | null;
  /** Of the causal mask: how many tokens a token sees, with itself. */
  window: number | null;
  sink: boolean;
  kernel: Kernel;
  gate: boolean;
  selective: boolean;
  minus: number | null;
}

/** What one pass of the small transformer gives. */
export interface TransformerPass {
  /** (batch, pos, d_model), after the final norm */
  resid: Tensor;
  /** Of each layer; empty unless recorded. */
  attention: AttentionPass[];
  /** (batch, pos, d_model) before each layer, without the final norm; empty unless recorded. */
  streams: Tensor[];
  /** (stage, batch, pos, d_model): the stream before the first layer and after each, after the final norm; null unless recorded. */
  stages: Tensor | null;
}

/** A source as GET /api/models describes a model; what it leaves out has the defaults of model/sources/source.py. */
export type SourceInfo = Partial<ModelInfo> &
  Pick<
    ModelInfo,
    "name" | "n_layers" | "n_heads" | "max_tokens" | "sites" | "tensors" | "predicts"
  >;

/** A model that can be traced (model/sources/source.py). Its methods throw a HeadlightError. */
export interface Source {
  info: SourceInfo;
  /** The vocabulary without its special tokens. */
  ordinary_ids: readonly number[];
  /** How what heads write becomes logits, if it is known. */
  outputs?: import("./analysis/copying.js").Outputs;
  /** Run the model once. `max_tokens` can lower the model's own limit. */
  trace(inputs: Inputs, limits: { max_tokens: number | null }): Trace;
  /** Run the model once on rows of ordinary ids, with its own mask. */
  traceIds(rows: readonly (readonly number[])[]): Trace;
  /** What muting each head alone, on top of `inputs`, does to a token; one record per text. */
  muteEffects(
    inputs: Inputs,
    watched: { position: number | null; token: number | null; max_tokens: number | null },
  ): MuteEffects[];
  /** The texts with the tokens that the inputs ask to generate; left out by a source that never predicts. */
  continued?(inputs: Inputs, limits: { max_tokens: number | null }): Generated;
}
