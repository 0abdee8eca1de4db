// The wire types (names as in the API) and the one state that every view draws.

export interface Token {
  id: number;
  text: string;
  start: number;
  end: number;
  special: boolean;
}

export interface BlockedSlice {
  text: number;
  head: number | null;
  index: number;
}

export interface Site {
  name: string;
  kind: "self" | "encoder" | "decoder" | "cross";
  layer: number;
  heads: number[];
  n_kv_heads: number;
  scale: number;
  query_tokens: "tokens" | "target_tokens";
  key_tokens: "tokens" | "target_tokens";
  blocked_rows: BlockedSlice[];
}

export interface Prediction {
  id: number;
  text: string;
  probability: number;
}

export interface TraceJson {
  model: string;
  pad_id: number;
  tokens: Token[][];
  target_tokens: Token[][] | null;
  sites: Site[];
  predictions: Prediction[][] | null;
}

export interface Tensor {
  shape: number[];
  data: Float32Array | Uint8Array;
}

/** One answer of the API: its JSON part, and its tensors by name ("layers.3.pattern"). */
export interface Answer {
  trace: TraceJson;
  tensors: Map<string, Tensor>;
}

export interface Model {
  name: string;
  description: string;
  n_layers: number;
  n_heads: number;
  d_model: number;
  d_head: number;
  max_tokens: number;
  trained_tokens: number;
  causal: boolean | null;
  predicts: boolean;
  n_parameters: number;
  state: string;
}

export interface Boot {
  models: Model[];
  limits: { texts: number; characters: number };
  plotly_url: string;
}

export interface Masks {
  causal: boolean | null;
  padding: boolean;
  padding_side: "right" | "left";
  window: number | null;
}

export interface Problem {
  /** What happened and what to do, in words for the reader. */
  message: string;
  /** Whether sending the same request again may work. */
  retry: boolean;
}

export type Matrix = "pattern" | "scores";

/** What the reader chose: all of it lives in the URL. */
export interface Choice {
  model: string;
  texts: string[];
  masks: Masks;
  /** Muted heads, as [layer, head]. */
  muted: [number, number][];
  layer: number;
  head: number;
  /** Which of the texts is looked at. */
  shown: number;
  /** The query token whose row is read; null is the last real token. */
  query: number | null;
  matrix: Matrix;
}

export interface State extends Choice {
  /** A token under the pointer, in any view. */
  hover: number | null;
  scheme: "light" | "dark";
  status: "loading" | "ready" | "error";
  problem: Problem | null;
  /** All heads, as thumbnails. */
  grid: Answer | null;
  /** The selected head, in full. */
  detail: Answer | null;
}
