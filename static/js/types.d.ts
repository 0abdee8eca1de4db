// What the page's modules share: the wire types that wire.d.ts has not, and the one state that every view draws. `make lint` writes wire.d.ts
// from the server's description of its API.

import type * as wire from "./wire.d.ts";

export type * from "./wire.d.ts";
export type Prediction = wire.Candidate;
export type VocabularyToken = wire.Word;
export type Circuits = wire.CircuitsResponse;
export type MethodCurve = wire.Curve;
export type MethodCurves = wire.Curves;
export type MethodAgreement = wire.Agreement;
export type Explanations = wire.ExplanationsAnswer;
export type VectorEffect = wire.VectorEffect;
export type FarLinks = wire.FarLinksOfText;
export type FarLink = wire.Link;
export type SpaceOfHead = wire.SpaceOfHead;
export type SpacePoint = wire.SpacePoint;

/** The tokens of the text (of a single stack or an encoder), or those of the target (of a decoder). */
export type TokenAxis = "tokens" | "target_tokens";

export type Kind = wire.Site["kind"];
export type Metric = wire.Metric;
export type MetricName = Metric["name"];
/** The settings of a mechanism. */
export type Settings = wire.Parameters;
/** The settings that the server used. */
export type Ran = wire.AppliedScratch;
export type Packing = Settings["packing"];
/** What the server takes as a setting. */
export type Setting = wire.Setting & { name: keyof Settings };
export type Mechanism = Omit<wire.Mechanism, "id"> & { id: string };
/** One or more painted cells: null stands for all of an axis. */
export type Cell = Required<wire.PaintedCell>;
export type Masks = Required<Omit<wire.Masks, "blocked" | "allowed">> & {
  blocked: Cell[];
  allowed: Cell[];
};
/** GET /api/models/{name}/heads: every head's scores on random tokens, twice in a row. */
export type Probe = Omit<wire.HeadsResponse, "heads"> & { heads: HeadScores[] | null };
export type TextScores = Omit<wire.TextScores, "heads"> & { heads: HeadScores[] };

/** An answer without its tensors. Recorded runs and tensors of your own lack what they do not say. */
export type TraceJson = Omit<Partial<wire.TraceResponse>, keyof Told | "scores"> &
  Told & { scores: TextScores[] | null };
type Told = Pick<
  wire.TraceResponse,
  | "model"
  | "tokens"
  | "target_tokens"
  | "sites"
  | "predictions"
  | "predicted_at"
  | "nucleus"
  | "lens"
  | "mute_effects"
> &
  Partial<Pick<wire.TraceResponse, "mute_estimates" | "decided">>;

/** What muting each head does; of a model of many heads, an effect that was not measured has only an estimate. */
export type Muted = wire.MuteEffect & { estimate?: number | null };
export type Mutes = Omit<wire.MuteEffects, "effects"> & {
  effects: Muted[];
  agreement?: number | null;
};

/** GET /api/models: a description of a model. Once it is loaded, only some of it can be null. */
export type ModelInfo = { [K in Always]-?: NonNullable<wire.Model[K]> } & Required<
  Pick<wire.Model, Unknown>
> &
  Pick<wire.Model, Optional> & {
    /** The only inputs that it shows, if it cannot be run; null or missing: it takes any. */
    recorded?: Recorded | null;
    /** The analyses that a recording holds answers of. */
    answers?: string[];
    tensors: string[];
    mechanisms: Mechanism[] | null;
    /** What it predicts by itself, while it is asked something else. */
    itself?: wire.Model["predicts"];
  };
type Optional =
  | "film"
  | "step"
  | "sister"
  | "weights"
  | "revision"
  | "edited_at"
  | "edited_at_reason";
type Unknown =
  | "library_class"
  | "trained_on"
  | "unknown_id"
  | "predicts"
  | "d_ff"
  | "norm"
  | "settings";
type Always = Exclude<
  keyof wire.Model,
  | Optional
  | Unknown
  | "state"
  | "progress"
  | "error"
  | "licence"
  | "takes_scratch"
  | "limits"
  | "tensors"
  | "mechanisms"
>;

/** Copying is measured on the probe and in a dossier, not on a sentence. */
export type Scores = Record<Exclude<MetricName, "copying">, wire.Score> & { copying?: wire.Score };

/** What ranks the heads: a score, or the weight from one token to another. */
export type Find = import("./state/finds.js").FindName;

export interface HeadScores {
  site: string;
  layer: number;
  head: number;
  scores: Scores;
  /** Relations between words that it draws, measured when the model was trained, the strongest first; in the probe only. */
  drawn?: Drawn[];
}

/** A relation that a head draws: its name, what the head does, and the mean share of attention on held-out sentences. */
export interface Drawn {
  label: string;
  does: string;
  value: number;
}

/** The dossier of a model, or why there is none. */
export type DossierAsked = import("./asking/measured.js").Measured<wire.Dossier>;

/** What was measured at each kept step of a training run. */
export type Film = wire.FilmResponse;

/** The film of a model, by the name of the model that the training led to, or why there is none. */
export type FilmAsked = import("./asking/measured.js").Measured<Film>;

/** What to read of a head over the vocabulary. */
export interface CircuitsQuery {
  kind: Kind;
  layer: number;
  head: number;
  /** The id of a token whose partners are read. */
  token?: number;
  /** Whether to look for the strongest pairs, which takes longest. */
  pairs: boolean;
}

/** Circuits of a head, or why there are none. */
export interface CircuitsAsked {
  /** The head, and the token if there is one, as JSON. */
  of: string;
  status: "loading" | "ready" | "error";
  answer: Circuits | null;
  /** Beside an answer: why its strongest pairs are missing. */
  problem: { message: string; retry: boolean } | null;
}

/** A mechanism, with only the settings that the reader changed. */
export interface Scratch extends Partial<Settings> {
  mechanism: string;
  /** A safetensors file in base64, in place of weights drawn from the seed. */
  weights?: string;
}

export interface Tensor {
  shape: number[];
  data: Float32Array | Uint8Array;
}

/** One answer of the API: its JSON part, and its tensors by name ("layers.3.pattern"). */
export interface Answer {
  trace: TraceJson;
  tensors: Map<string, Tensor>;
  /** For a long text, whose pattern is a picture (bytes, possibly pooled): the rows whose exact numbers have arrived. */
  exact?: ExactRows[];
}

/** Query rows [start, stop) in float32, by tensor name. */
export interface ExactRows {
  start: number;
  stop: number;
  tensors: Map<string, Tensor>;
}

/** The inputs of a recorded run: what a choice is fixed to. */
export type Recorded = Pick<
  Choice,
  "texts" | "targets" | "pairs" | "special_tokens" | "masks" | "muted"
>;

interface Loaded extends ModelInfo {
  state: "ready";
  progress: number;
  error: null;
}

/** Everything but its name is null until it is loaded. */
interface Unloaded extends Record<Exclude<keyof ModelInfo, "name">, null> {
  name: string;
  state: "not_loaded" | "queued" | "loading" | "failed";
  /** The loading progress, from 0 to 1. */
  progress: number;
  /** Why it failed. */
  error: string | null;
}

export type Model = Loaded | Unloaded;

/** An example: a state of the page worth seeing; what it leaves out is at its default. */
export interface Entry {
  /** Whose example it is; without it, the first model's. */
  model?: string;
  title: string;
  texts: string[];
  layer: number;
  head: number;
  query: number;
  /** One sentence on what to look at. */
  look: string;
  /** One sentence on what to do next, and what it does. */
  next?: string;
  /** The action that it suggests, if it is one. */
  tries?: string;
  /** The key of that action. */
  shortcut?: string;
  /** The relation that the head draws, and how strongly, if no metric names it. */
  label?: string | null;
  /** What the head does, in words that complete "this head …". */
  does?: string | null;
  value?: number | null;
  shown?: number;
  masks?: Partial<Masks>;
  muted?: Mute[];
  view?: View;
  matrix?: Matrix;
  key?: number | null;
  right?: Choice["right"];
  /** Side A of a comparison, where it differs from the entry. */
  against?: {
    masks?: Partial<Masks>;
    muted?: Mute[];
    layer?: number;
    head?: number;
    model?: string;
  } | null;
}

export interface Boot {
  models: Model[];
  gallery: Entry[];
  /** The model of the reader's language, which an empty address shows. */
  opens?: string | null;
  limits: Limits;
  engine: EngineBoot;
  /** Null: the page draws without it. */
  plotly_url: string | null;
  lessons: LessonName[];
  /** The pages of the documentation; without a server there are none. */
  help?: { title: string; about: string; href: string }[];
  /** The origins of other pages that may show this one in a frame; null: the page is a file, and all may. */
  frame_ancestors: string[] | null;
  /** In a live class: the script of it, and the address at which people join. */
  class: { script: string; join: string } | null;
}

/** What a page's requests may hold. */
export interface Limits {
  texts: number;
  characters: number;
  tokens: number;
}

/** What a page needs to compute by itself. */
export interface EngineBoot {
  /** Computes unless the address says otherwise. */
  usual: "server" | "page";
  /** The models that the page can run. */
  models: string[];
  /** There is no server: the page answers everything. */
  only?: boolean;
  /** The addresses of their files, by name: `shipped/config.json`. */
  files: Record<string, string>;
}

/** A lesson that the page can lead back to. */
export interface LessonName {
  slug: string;
  /** Its place in our course; null: a teacher's own lesson. */
  number: number | null;
}

/** One step of undo and redo. */
export interface Step {
  before: Choice;
  after: Choice;
  /** Whether the reader edited the model: its masks, its mutes or its settings. */
  edits: boolean;
}

/** What a link asks for that this server does not have: a model, or else the head that it names. */
export interface Missing {
  model: string | null;
  /** What the link says. */
  asked: Choice;
}

/** What did not fit a model: how many mutes, painted cells and heads of a set; whether masks; and what is shown no more. */
export interface Lost {
  mutes: number;
  cells: number;
  overlay: number;
  rules: boolean;
  place: Choice | null;
  matrix: Matrix | null;
  against: Against | null;
  /** Whether the server has the model of `against`. */
  isKnown: boolean;
  now: Choice;
  model: Model;
}

export interface Problem {
  /** What happened and what to do, for the reader. */
  message: string;
  /** Whether the same request may succeed later. */
  retry: boolean;
  /** The invalid part of the request, if the server names it. */
  field?: string | null;
  /** Which error it is, if it is one of the server's: docs/errors.md explains each. */
  code?: string | null;
  /** The reader caused it on purpose, so it is not an error. */
  calm?: boolean;
  /** The server asks for its password again. */
  closed?: boolean;
}

/** A muted head; without a kind it is muted in every site of its layer. */
export type Mute = [layer: number, head: number] | [layer: number, head: number, kind: Kind];

/** A change of what a part of the model gives during a run, as the API takes it. What a kind does not take is left out. */
export interface Intervention {
  kind:
    | "zero"
    | "mean"
    | "resample"
    | "patch"
    | "scale"
    | "add"
    | "freeze_pattern"
    | "freeze_values";
  at: "head" | "mlp" | "resid_pre" | "resid_mid" | "resid_post";
  layer: number;
  /** Left out: every head of the layer. */
  head?: number;
  site?: Kind;
  text?: number;
  /** In the padded text; left out: all. */
  positions?: number[];
  factor?: number;
  texts?: string[];
  source?: string;
  minus?: string;
  /** Its id, or its text. */
  token?: number | string;
  vector?: number[];
  pairs?: [source: number, to: number][];
}

/** From segment to segment: "AB" is what queries of the first see in the second. */
export type Segments = "all" | "AA" | "AB" | "BA" | "BB";

/** A panel on the right. */
export type Panel = import("./state/panels.js").PanelName;

/** How the selected head is drawn. */
export type View = import("./state/views.js").ViewName;

/** The settings of each source that has some, by its name. */
type SourceSettings = import("./sources/sources.js").SourceSettings;

/** The settings that belong to a single view. */
export type ViewSettings = import("./state/views.js").ViewSettings;

/** Side A of a comparison (B is the current selection): everything that a picture of one head depends on. */
export type Against = Pick<
  Choice,
  | "model"
  | keyof SourceSettings
  | "texts"
  | "targets"
  | "pairs"
  | "special_tokens"
  | "masks"
  | "muted"
  | "interventions"
  | "kind"
  | "layer"
  | "head"
  | "shown"
> & {
  /** Keys and queries of A are exchanged: what j gives i, beside what i gives j in B. */
  transposed: boolean;
};

/** What is read in the place of what a model predicts, as the API takes it; `texts` and `scale` of a similarity, the rest of a probe. */
export interface ChosenAnswer {
  kind: "probe" | "similarity" | "entropy" | "loss";
  texts?: string[];
  scale?: number;
  read?: "mean" | "last" | "first";
  layer?: number;
  weights?: number[][];
  bias?: number[];
  classes?: string[];
}

/** One side of a comparison, A or B. */
export type Side = Omit<Against, "transposed"> & Partial<Pick<Against, "transposed">>;

export type Matrix = import("./state/matrices.js").MatrixName;

/** Everything that the reader chose; all of it is stored in the URL. */
export interface Choice extends ViewSettings, SourceSettings {
  model: string;
  texts: string[];
  /** The decoder text of each text; a missing one is empty. */
  targets: string[];
  /** The second segment of each text; null: there are none. */
  pairs: string[] | null;
  /** Whether the model's own special tokens, such as [BOS] or [CLS], are added to the texts. */
  special_tokens: boolean;
  masks: Masks;
  muted: Mute[];
  /** In the order in which they act. */
  interventions: Intervention[];
  /** The selected kind of sites. */
  kind: Kind;
  layer: number;
  head: number;
  /** The index of the selected text. */
  shown: number;
  /** The selected query; null: the last real token. */
  query: number | null;
  /** What computes for the models that the page can run; "default": as the server's setting says. */
  engine: "default" | "server" | "page";
  /** How much of the page is shown. */
  depth: "full" | "start" | "present" | "embed";
  /** Whether the tour runs. */
  tour: boolean;
  matrix: Matrix;
  view: View;
  /** Lines: the queries whose attention is summed. */
  pinned: number[];
  /** Lines: the heads that are drawn together with the selected one, each with its layer. */
  overlay: [layer: number, head: number][];
  /** The numbers of a dossier along the axes of its picture. */
  across: string;
  up: string;
  /** Patching: the sentence that values come from; "": none yet. */
  clean: string;
  /** Lines: the share of each row's attention that is drawn, the strongest keys first. */
  mass: number;
  /** Paths: the weakest edge that is drawn, as a share of the strongest. */
  weakest: number;
  /** The selected key, for the arithmetic of Inside and for finding heads; null: the one with the largest weight. */
  key: number | null;
  /** Why here: the parts that are switched off, as codes of the address. */
  off: string[];
  /** Inside: the step up to which the computation is shown; null: all of it. */
  step: number | null;
  /** Compare: side A; null: nothing is held. */
  against: Against | null;
  /** What is read in the place of what the model predicts; null: nothing else. */
  answer: ChosenAnswer | null;
  /** The id of the watched prediction; null: the most likely token. */
  token: number | null;
  /** Attribution: the id of a token whose logit is subtracted from that of the watched one; null: none. */
  versus: number | null;
  /** Circuits: the id of the token of the vocabulary whose partners are listed; null: none. */
  vocab: number | null;
  /** Attribution: the order of the parts. */
  waterfall: "written" | "size";
  /** Attribution: the heads that the source tokens are seen through. */
  through: "all" | "head";
  temperature: number;
  top_k: number;
  /** Candidates beyond this total probability are cut; 1: none. */
  top_p: number;
  /** The sequential scale. */
  scale: "ink" | "sea";
  /** How the range of the picture is spread over the scale. */
  steps: import("./draw/color.js").Steps;
  /** Whether q, k and v stand beside the heatmap. */
  qkv: boolean;
  /** Of a pattern: the model's tokens, or words. */
  units: "pieces" | "words";
  /** What lines and heatmaps do with special tokens; "renormalised": rows without them are scaled to sum to 1. */
  specials: "shown" | "hidden" | "renormalised";
  /** Whether the stages are read through a tuned lens. */
  tuned: boolean;
  /** The visible part of the heatmap, as [query start, stop, key start, stop]; null: all. */
  zoom: [number, number, number, number] | null;
  /** Which block of two segments is highlighted. */
  segments: Segments;
  /** What labels and ranks the heads; null: each head's strongest label. */
  find: Find | null;
  /** Where a head should look, in the cells of the shown text: painted by the reader, to find heads that do. */
  picture: [query: number, key: number][];
  /** Where the scores come from: the probe's random tokens, or the current sentence. */
  by: "probe" | "sentence";
  /** Heads below this threshold are dimmed: a score or, if scores count tokens, a share of the largest. */
  least: number;
  /** The open tabs. */
  left: "row" | "find";
  right: Panel;
  /** Far links: from how many tokens on a link is far; null: about a tenth of the text. */
  far_least: number | null;
  /** Far links: of all heads, or of the selected one. */
  far_in: "all" | "head";
  /** Far links: whether links to the first token and to special tokens count. */
  far_first: boolean;
  /** The space of queries and keys: of the text, or of everyday sentences. */
  space_of: "text" | "everyday";
  /** What its colours say. */
  space_by: "side" | "position" | "token" | "role";
  /** Space: the main components, or the neighbours of t-SNE. */
  space_plane: "pca" | "tsne";
  /** The first digits of the hash of the weights that the link was made with; null: it does not say, or the page has said so. */
  weights: string | null;
  /** The lesson from which the reader came, as in its address; null: none. */
  lesson: string | null;
  /** Whether the page hides what would give the answer away. */
  quiz: boolean;
  /** Whether a quiz has no button that reveals it. */
  closed: boolean;
}

/** The keys of the state that store answers to questions; null: not asked yet. */
export type Slot =
  | Panel // a panel stores its answer under its own name
  | "scores" // the scores of all heads on these texts
  | "match" // how well each head matches the reader's picture
  | "muting" // the watched prediction with the selected head also muted, or, if it is muted, without that
  | "facts" // all heads of the selected layer, for measurements
  | "reference" // the same tensors of the reference
  | "decided" // when each prediction was decided; with a tuned lens also its stages
  | ViewSlot;

/** A view stores its answer under its own name, except for these. */
export type ViewSlot =
  | View
  | "composition" // Paths: how much heads read each other
  | "overlays" // Lines: the patterns of the overlaid heads
  | "other" // Compare: the held head
  | "patched" // Patching: all cells measured, which takes longer
  | "curves" // Explanations: the same with their curves, which take longer
  | "other_attention" // Explanations: another attention pattern with nearly the same answer
  | "whole"; // Compare: the selected head in full, if the text is long and `detail` is a picture

export interface State extends Choice, Record<Slot, Asked | null> {
  /** Every model of the server, the default first, with its loading progress. */
  models: Model[];
  /** The relations that heads draw, by their model and "layer.head", as its examples tell. */
  relations: Record<string, Record<string, Drawn[]>>;
  /** The cell of the heatmap under the pointer, or where the arrow keys are. */
  cell: [query: number, key: number] | null;
  /** A token under the pointer, in any view; its role where the view tells queries from keys. */
  hover: { axis: TokenAxis; place: number; role?: "query" | "key" } | null;
  scheme: "light" | "dark";
  status: "loading" | "ready" | "error";
  problem: Problem | null;
  /** The thumbnails of all heads. */
  grid: Answer | null;
  /** The selected head, in full. */
  detail: Answer | null;
  /** The scores of the model's heads on the probe, or its progress. */
  probe: Probe | null;
  /** What the heads of the model do over many texts, once its tab was opened. */
  corpus: DossierAsked | null;
  /** What was measured at the steps of the model's training, once that panel was opened. */
  trained: FilmAsked | null;
  /** The selected head read over the vocabulary, and the partners of the chosen token. */
  vocabulary: { head: CircuitsAsked | null; token: CircuitsAsked | null };
  /** The row of a long text under the pointer, whose exact numbers are needed. */
  pointed: number | null;
  /** Whether the reader has changed nothing for a while. */
  rested: boolean;
  /** For a long text: the request for q, k and v, as JSON, once they are needed. */
  vectors: string | null;
  /** Explanations: the request for another attention pattern, as JSON, once the reader asks for it. */
  searched: string | null;
  /** Explanations: whether the areas under all curves are looked at. */
  areas: boolean;
  /** The heads that a stroke on the heatmap paints; null: dragging zooms. */
  brush: "head" | "layer" | "all" | "picture" | null;
  /** Whether the arithmetic of the selected cell stands below the picture. */
  drawer: boolean;
  /** Whether Compare shows A in the place of B, for as long as a key or a button is held. */
  flipped: boolean;
  /** The panel whose part has come last; null: none has. */
  came: Panel | null;
  /** The steps that can be undone, and those that can be redone. */
  past: Step[];
  future: Step[];
  /** Nothing is drawn, and the address stays, while the reader has not chosen what to show instead. */
  missing: Missing | null;
  /** Another number after each change that Back of the browser takes back. */
  moment: number;
  /** Why this model does not provide something, in words. */
  lacks: Partial<Record<Matrix | "lens", string>>;
  /** How many tokens the server runs again for a request; null: it has refused none for this yet. */
  most_runs: number | null;
}

/** A question to the API, and its answer. */
export interface Asked {
  status: "loading" | "ready" | "error";
  /** The last answer, which stays until the next one arrives. */
  answer: Answer | null;
  problem: Problem | null;
}

/** An option of a figure's switch: its changes of the link, as a query string; "": none. */
export interface FigureOption {
  label: string;
  set: string;
}

export interface FigureSwitch {
  name: string;
  options: FigureOption[];
}

/** A figure of a lesson, as described in its JSON file. */
export interface Figure {
  /** A view of the inspector, as its address. */
  link: string;
  caption: string;
  switches?: FigureSwitch[];
  /** The measures below it, by their names in numbers/measures.js. */
  measures?: import("./numbers/measures.js").Measure[];
  /** Whether its text can be edited; by default, if there is a single one. */
  editable?: boolean | null;
}

/** The boot data of a lesson page. */
export interface LessonBoot {
  /** Its name in the address. */
  slug: string;
  models: Model[];
  limits: Limits;
  engine: EngineBoot;
  figures: Record<string, Figure>;
  /** What readers can change and run, by name. `recorded`: what it made, where it can't be run again. */
  programs: Record<
    string,
    { code: string; checked: boolean; hints: string[]; recorded: wire.ProgramAnswer | null }
  >;
  /** Whether the server runs them. */
  runs: boolean;
  /** For each question: its figure, the option that each switch is set to, and what is right: an option, a number, or the order of its parts. */
  questions: {
    figure: string | null;
    set: Record<string, string>;
    answer: number | null;
    number: number | null;
    within: number;
  }[];
  /** For somebody in a live class: the script of it. */
  class: { script: string } | null;
}
