// The wire types (names as in the API) and the one state that every view draws.

export interface Token {
  id: number;
  text: string;
  start: number;
  end: number;
  special: boolean;
  /** Put in to make texts of one length. */
  padding: boolean;
  /** 1: of the second segment, whose text start and end count in. */
  segment: number;
  /** Said by the model, not typed. */
  generated: boolean;
}

/** Which tokens: of the text (a single stack's, an encoder's), or of the target (a decoder's). */
export type TokenAxis = "tokens" | "target_tokens";

export type Kind = "self" | "encoder" | "decoder" | "cross";

export interface BlockedSlice {
  text: number;
  head: number | null;
  index: number;
}

export interface Site {
  name: string;
  kind: Kind;
  layer: number;
  heads: number[];
  n_kv_heads: number;
  /** scores = soft_cap(scale · q·k) + bias, and the pattern is their softmax over what is not blocked. */
  scale: number;
  soft_cap: number | null;
  has_bias: boolean;
  /** A logit for each of `heads`, which takes part in the softmax and attends to nothing. */
  sink: number[] | null;
  softmax_over: "key" | "query";
  /** The softmax. After it, what blocked cells took is lost: sums fall below 1. */
  mask_applied?: "before" | "after";
  /** Of the whole site. */
  muted: number[];
  query_tokens: TokenAxis;
  key_tokens: TokenAxis;
  blocked_rows: BlockedSlice[];
  blocked_columns: BlockedSlice[];
}

export interface Prediction {
  id: number;
  text: string;
  probability: number;
}

/** A prediction in the list of the likeliest. */
export interface Listed extends Prediction {
  /** No ordinary token: no typed text gives it. */
  special: boolean;
  /** Its probability without masks, painted cells and mutes; null unless asked for. */
  unedited: number | null;
}

/** The smallest set of likeliest tokens that hold at least top_p. */
export interface Nucleus {
  tokens: number;
  share: number;
}

/** What a head is scored by: what it can be found by, and what it is only told of. */
export type MetricName = Exclude<Find, "between"> | "entropy" | "mean_distance";

/** What the scores mean; the definitions come from the server. */
export interface Metric {
  name: MetricName;
  label: string;
  definition: string;
  source: string;
  unit: string;
}

/** A mean over some queries; null over none, with the reason in words. */
export interface Score {
  value: number | null;
  over: number;
  reason: string | null;
}

export type Scores = Record<MetricName, Score>;

/** What heads are found by: a score, or the weight from one token to another. */
export type Find = import("./state/finds.js").FindName;

export interface HeadScores {
  site: string;
  layer: number;
  head: number;
  scores: Scores;
  /** What it draws in sentences, measured when the model was trained, the strongest first; of the probe only. */
  drawn?: Drawn[];
}

/** A relation that a head draws: its name, and the mean share of attention on held-out sentences. */
export interface Drawn {
  label: string;
  value: number;
}

export interface TextScores {
  sink_share: number | null;
  heads: HeadScores[];
}

/** GET /api/models/{name}/heads: every head's scores on random tokens, twice in a row. */
export interface Probe {
  model: string;
  state: "computing" | "ready" | "failed";
  progress: { done: number; total: number };
  probe: {
    description: string;
    rows: number;
    length: number;
    copies: number;
    seed: number;
    example: string[];
  } | null;
  metrics: Metric[];
  sink_share: number | null;
  heads: HeadScores[] | null;
  error: string | null;
}

/** What the model would predict if it stopped here; layer null is before the first. */
export interface LensStage {
  name: string;
  layer: number | null;
  candidates: Prediction[];
  /** The model's own likeliest token, with the probability that it has here. */
  final: Prediction;
}

export interface Lens {
  position: number;
  stages: LensStage[];
}

/** What muting one head does to the token: ln p(muted) − ln p(as it is), in nats. */
export interface MuteEffect {
  kind: Kind;
  layer: number;
  head: number;
  change: number | null;
  reason: string | null;
}

export interface MuteEffects {
  position: number;
  token: Prediction;
  effects: MuteEffect[];
}

/** How q, k and v lie in the output of a fused projection. */
export type Packing = "qkv head d_head" | "head qkv d_head" | "d_head qkv head";

/** What there is to set of a mechanism. */
export interface Settings {
  seed: number;
  d_model: number;
  n_heads: number;
  /** Null: d_model / n_heads. */
  d_head: number | null;
  packing: Packing;
  /** Null: as it is packed; another is a mistake. */
  read_as: Packing | null;
  scale: "1/sqrt(d_head)" | "1/sqrt(d_model)" | number;
  softmax_over: "key" | "query";
  mask_applied: "before" | "after";
  /** How far past itself a token sees under the causal mask. */
  causal_diagonal: number;
  positions: "none" | "sinusoidal" | "rotary" | "learned";
  norm: "none" | "pre" | "post";
  residual: boolean;
  /** Width of the feed-forward layer; 0: there is none. */
  d_ff: number;
  n_layers: number;
  tokens: "words" | "characters";
}

/** A mechanism, and only those of its settings that the reader changed. */
export interface Scratch extends Partial<Settings> {
  mechanism: string;
  /** A safetensors file in base64, in place of weights drawn from the seed. */
  weights?: string;
}

/** What can be put together from scratch. */
export interface Mechanism {
  id: string;
  name: string;
  about: string;
  projections: "none" | "separate" | "fused";
  /** W_O. */
  output: "none" | "linear" | "linear with bias";
  cross: boolean;
  causal: boolean;
  defaults: Settings;
}

/** As they ran. */
export interface Ran extends Settings {
  mechanism: string;
  d_head: number;
  /** What differs from the mechanism's own. */
  modified: string[];
  /** Uploaded parameters, by name. */
  weights: string[] | null;
}

export interface TraceJson {
  model: string;
  /** Of the model "scratch"; null or missing for others. */
  scratch?: Ran | null;
  tokens: Token[][];
  target_tokens: Token[][] | null;
  sites: Site[];
  predictions: Listed[][] | null;
  predicted_at: number[] | null;
  nucleus: Nucleus[] | null;
  /** Of each text; null unless asked for, as the next two. */
  scores: TextScores[] | null;
  lens: Lens[] | null;
  mute_effects: MuteEffects[] | null;
}

export interface Tensor {
  shape: number[];
  data: Float32Array | Uint8Array;
}

/** One answer of the API: its JSON part, and its tensors by name ("layers.3.pattern"). */
export interface Answer {
  trace: TraceJson;
  tensors: Map<string, Tensor>;
  /** Of a long text, whose pattern is a picture (bytes, perhaps pooled): the rows whose exact numbers are there. */
  exact?: ExactRows[];
}

/** Query rows [start, stop) in float32, by the names of the tensors. */
export interface ExactRows {
  start: number;
  stop: number;
  tensors: Map<string, Tensor>;
}

/** A place that attends, as every trace of the model names it. */
export interface SiteName {
  name: string;
  kind: Kind;
  layer: number;
  n_heads: number;
}

/** GET /api/models: what there is to know of a model. */
export interface ModelInfo {
  name: string;
  description: string;
  /** Of Transformers, which can load it, too; null: none does. */
  library_class: string | null;
  n_layers: number;
  n_heads: number;
  d_model: number;
  d_head: number;
  n_parameters: number;
  max_tokens: number;
  trained_tokens: number;
  causal: boolean;
  /** The next token, the one at a place (a masked language model), or nothing. */
  predicts: "next" | "fill" | null;
  sites: SiteName[];
  tensors: string[];
  /** It is an encoder–decoder. */
  takes_targets: boolean;
  /** It takes second segments. */
  takes_pairs: boolean;
  /** Why it gives patterns only and takes no masks and mutes; "": it does all. */
  lacks: string;
  /** What the model "scratch" can be; null for others, as the limits of its numbers. */
  mechanisms: Mechanism[] | null;
  limits: Record<string, [least: number, most: number]> | null;
}

interface Loaded extends ModelInfo {
  state: "ready";
  progress: number;
  error: null;
}

/** All but its name is null until it is loaded. */
interface Unloaded extends Record<Exclude<keyof ModelInfo, "name">, null> {
  name: string;
  state: "not_loaded" | "queued" | "loading" | "failed";
  /** Of the loading, from 0 to 1. */
  progress: number;
  /** Why it failed. */
  error: string | null;
}

export type Model = Loaded | Unloaded;

/** A state of the page worth seeing; what it does not say is at its default. */
export interface Entry {
  title: string;
  texts: string[];
  layer: number;
  head: number;
  query: number;
  /** One sentence on what to look at. */
  look: string;
  /** One on what to do then, and what it does. */
  next?: string;
  /** What the head draws, and how well, where no metric names it. */
  label?: string | null;
  value?: number | null;
  shown?: number;
  masks?: Partial<Masks>;
  muted?: Mute[];
  view?: View;
  matrix?: Matrix;
  key?: number | null;
  right?: Choice["right"];
  /** The A of a comparison, where it differs from the entry. */
  against?: { masks?: Partial<Masks>; muted?: Mute[]; layer?: number; head?: number } | null;
}

export interface Boot {
  models: Model[];
  gallery: Entry[];
  limits: { texts: number; characters: number };
  plotly_url: string;
}

/** A painted cell, or many: null is all of that axis. */
export interface Cell {
  text: number | null;
  layer: number | null;
  head: number | null;
  query: number | null;
  key: number | null;
  kind: Kind | null;
}

export interface Masks {
  causal: boolean | null;
  padding: boolean;
  padding_side: "right" | "left";
  window: number | null;
  prefix: number | null;
  sinks: number | null;
  blocked: Cell[];
  /** These win over every mask. */
  allowed: Cell[];
}

/** What was done to the model; one step of undo and redo. */
export interface Edit {
  masks: Masks;
  muted: Mute[];
  scratch: Scratch;
  /** Which the painted cells are of: only where the step changed them, too. */
  texts?: Pick<Choice, "texts" | "targets" | "pairs">;
}

export interface Problem {
  /** What happened and what to do, in words for the reader. */
  message: string;
  /** Whether sending the same request again may work. */
  retry: boolean;
  /** The part of the request that does not fit, where the server names one. */
  field?: string | null;
  /** It was the reader's own wish. */
  calm?: boolean;
  /** The server asks for its password again. */
  closed?: boolean;
}

/** A muted head; without a kind it is muted in every site of its layer. */
export type Mute = [layer: number, head: number] | [layer: number, head: number, kind: Kind];

/** From a segment to a segment: "AB" is what the queries of the first see in the second. */
export type Segments = "all" | "AA" | "AB" | "BA" | "BB";

/** How the selected head is drawn. */
export type View = import("./state/views.js").ViewName;

/** What the reader chose of one view alone. */
type ViewSettings = import("./state/views.js").ViewSettings;

/** The A of a comparison, whose B is what is looked at now: all that a picture of one head depends on. */
export type Against = Pick<
  Choice,
  | "model"
  | "scratch"
  | "texts"
  | "targets"
  | "pairs"
  | "masks"
  | "muted"
  | "kind"
  | "layer"
  | "head"
  | "shown"
> & {
  /** Keys and queries of A change places: what j gives i, where B has what i gives j. */
  transposed: boolean;
};

/** One side of a comparison, A or B. */
export type Side = Omit<Against, "transposed"> & Partial<Pick<Against, "transposed">>;

export type Matrix = import("./state/matrices.js").MatrixName;

/** What the reader chose: all of it lives in the URL. */
export interface Choice extends ViewSettings {
  model: string;
  /** What the model "scratch" is made of; kept while another is looked at. */
  scratch: Scratch;
  texts: string[];
  /** Decoder texts, by the place of their text; where one is missing it is empty. */
  targets: string[];
  /** Second segments, likewise; null: there are none. */
  pairs: string[] | null;
  masks: Masks;
  muted: Mute[];
  /** Which sites are looked at. */
  kind: Kind;
  layer: number;
  head: number;
  /** Which of the texts is looked at. */
  shown: number;
  /** The query token whose row is read; null is the last real token. */
  query: number | null;
  matrix: Matrix;
  view: View;
  /** Lines: the queries whose attention is summed. */
  pinned: number[];
  /** Lines: the heads that are drawn beside the selected one, each with its layer. */
  overlay: [layer: number, head: number][];
  /** Lines: the share of each row's attention that is drawn, the strongest keys first. */
  mass: number;
  /** The key whose arithmetic is read, and to which heads are found; null is the one that gets most. */
  key: number | null;
  /** Inside: how far the computation is shown; null is to its end. */
  step: number | null;
  /** Compare: null while nothing is held. */
  against: Against | null;
  /** The predicted token that is watched, by its id; null is the likeliest. */
  token: number | null;
  temperature: number;
  top_k: number;
  /** Candidates beyond this share of the probability are cut; 1 cuts none. */
  top_p: number;
  /** The sequential scale. */
  scale: "ink" | "sea";
  log: boolean;
  /** The part of the heatmap that is seen, as [query start, stop, key start, stop]; null is all. */
  zoom: [number, number, number, number] | null;
  /** Which segment's queries and which one's keys stand out. */
  segments: Segments;
  /** What the heads are labelled and ranked by; null is each head's strongest label. */
  find: Find | null;
  /** Whose scores: random tokens, or the sentence shown. */
  by: "probe" | "sentence";
  /** Heads below this are dimmed: a score, or a share of the largest where scores are counts of tokens. */
  least: number;
  /** The open tabs. */
  left: "row" | "find";
  right: "next" | "lens" | "effects";
}

/** Where the answer to a question lies in the state; null while it has not been asked. */
export type Slot =
  | "next" // the predictions, as they are listed
  | "lens" // how the layers come to the predictions
  | "scores" // how all heads score on these texts
  | "effects" // the mute effects asked for last
  | "facts" // all heads of the selected layer, for what is measured of them
  | "reference" // the same of what they are measured against
  | ViewSlot;

/** What a view asks lies under its own name, or, where it is older than that rule or more than one, under these. */
export type ViewSlot =
  | View
  | "overlays" // Lines: the patterns of the overlaid heads
  | "other" // Compare: the head that is held
  | "whole"; // Compare: of a long text, whose `detail` is a picture, the selected head in full

export interface State extends Choice, Record<Slot, Asked | null> {
  /** Every model of the server, the default first, as far as they are known to be. */
  models: Model[];
  /** What heads draw in sentences, by "layer.head", of the model that the examples are of. */
  relations: { model: string; drawn: Record<string, Drawn[]> };
  /** A token under the pointer, in any view. */
  hover: { axis: TokenAxis; place: number } | null;
  scheme: "light" | "dark";
  status: "loading" | "ready" | "error";
  problem: Problem | null;
  /** All heads, as thumbnails. */
  grid: Answer | null;
  /** The selected head, in full. */
  detail: Answer | null;
  /** How the heads of the model score on the probe: as far as it is. */
  probe: Probe | null;
  /** The row of a long text whose exact numbers are pointed at. */
  pointed: number | null;
  /** Of a long text, whose vectors are looked at: as they are asked for. */
  vectors: string | null;
  /** For which heads a stroke on the heatmap paints; null: a drag zooms. */
  brush: "head" | "layer" | "all" | null;
  past: Edit[];
  future: Edit[];
  /** Why something cannot be had of this model, in words. */
  lacks: Partial<Record<Matrix | "lens", string>>;
}

/** One more question to the API, and its answer. */
export interface Asked {
  status: "loading" | "ready" | "error";
  /** The last answer, which stays while another is on its way. */
  answer: Answer | null;
  problem: Problem | null;
}

/** A position of a figure's switch: what it changes of the link, as a query string; "": nothing. */
export interface FigureOption {
  label: string;
  set: string;
}

export interface FigureSwitch {
  name: string;
  options: FigureOption[];
}

/** A figure of a lesson, as its JSON gives it. */
export interface Figure {
  /** A view of the inspector, as its address. */
  link: string;
  caption: string;
  switches?: FigureSwitch[];
  /** What is said below it, by the names of numbers/measures.js. */
  measures?: import("./numbers/measures.js").Measure[];
  /** Whether its text can be typed into; unless it is said, a single one can. */
  editable?: boolean | null;
}

/** What a page of lessons is given. */
export interface LessonBoot {
  models: Model[];
  limits: { texts: number; characters: number };
  figures: Record<string, Figure>;
  /** What each question shows: a figure, to which option each of its switches turns, and which answer is right. */
  questions: { figure: string | null; set: Record<string, string>; answer: number }[];
}
