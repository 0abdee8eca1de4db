// The map: everything that people read in this view. Pure.

import { grouped, percent, quote } from "../../words/format.js";
import { headName, heads, layerName } from "../../words/heads.js";

/** @import { Kind, ModelInfo as Model } from "../../types.d.ts" */
/** @import { Place } from "../../draw/map/layout.js" */

/** The names of places, as they are drawn. */
export const NAMES = {
  sentence: "Sentence",
  source: "Source",
  target: "Target",
  embedding: "embedding",
  memory: "to cross-attention",
  output: "a new vector",
  unembedding: "unembedding",
  prediction: "prediction",
};

/** What stands beside a layer that has two kinds of attention. @type {Record<Kind, string>} */
const PARTS = { self: "", encoder: "", decoder: "self", cross: "cross" };

export const WORDING = {
  /** @param {number} layer */
  layer: (layer) => `layer ${layer}`,
  /** @param {Kind} kind */
  part: (kind) => PARTS[kind],
  heads,
};

/** @param {number | null} d_ff null: the server does not know */
export const feedName = (d_ff) => (d_ff === null ? "rest of layer" : "feed-forward");

/** @param {{token: string, probability: number}} likeliest */
export const resultLabel = ({ token, probability }) => `${quote(token)} ${percent(probability)}`;

/** The whole drawing. @param {{name: string, n_layers: number, n_heads: number}} model */
export const mapLabel = ({ name, n_layers, n_heads }) =>
  n_layers === 1
    ? `Map of ${name}: 1 layer of ${heads(n_heads)}`
    : `Map of ${name}: ${n_layers} layers of ${heads(n_heads)}`;

export const TOOLS = {
  play: { text: "Play", name: "Send the token through the model" },
  pause: { text: "Pause", name: "Pause" },
  step: { text: "Next step", name: "Take the token one step further" },
  back: "Back along the path",
  on: "Forward along the path",
  label: "The path of the token",
  hint: "Arrow keys walk the map, Enter goes to a place, Space sends the token through.",
  views: "See this head in",
  sentence: "Edit the sentence",
  prediction: "See all predictions",
};

/** @param {number} n from 1 @param {number} of */
export const progress = (n, of) => `step ${n} of ${of}`;

/** The legend below the map. */
export const LEGEND = {
  here: "where you are",
  muted: "muted",
  adds: "adds to the stream",
  replaces: "replaces the vector, because this model has no residual stream",
  norm: "norm",
  arc: "arc: the lower head reads what the upper one wrote; wider is stronger",
  below: "dashed arc: its number is below 0",
  /** @param {string} view */
  readByView: (view) => `what ${view} reads`,
  /** @param {string} view @param {string} tab */
  readByBoth: (view, tab) => `what ${view} and ${tab} read`,
};

/** Composition as arcs. */
export const ARCS = {
  through: "Composition",
  throughs: /** @type {const} */ ([
    ["off", "off", "Draw no arcs"],
    ["q", "Q", "Draw which earlier head each head reads through its queries"],
    ["k", "K", "Draw which earlier head each head reads through its keys"],
    ["v", "V", "Draw which earlier head’s result each head moves"],
  ]),
  title: "Who reads whom",
  matrix: "All pairs as a matrix",
  computing: "Computing which head reads which…",
  none: "No head reads an earlier one here.",
  /** @param {number} most @param {number} own @param {boolean} dashed whether any number is below 0 */
  drawn: (most, own, dashed) => {
    const arcs = `Arcs lead from a head down to one that reads what it wrote: the ${most} strongest of all, and the ${own} strongest into the selected head.`;
    const point = "Point at one to read it; click to choose the later head.";
    return dashed
      ? `${arcs} A dashed one has a number below 0: what the earlier head wrote works against the later one. ${point}`
      : `${arcs} ${point}`;
  },
  /** @param {string} model */
  unknown: (model) => `${model} shows its patterns only, so what its heads read is not known.`,
};

/** What a head adds to the stream. */
export const WRITTEN = "z · W_O";

/** Where the server does not know what a checkpoint is made of. */
export const UNKNOWN =
  "The server knows the layers, heads and sizes of this checkpoint, but not where its norms stand. Some models run the two parts of a layer side by side; the map always draws one after the other.";

/** Where a file holds attention alone. */
export const ATTENTION_ONLY =
  "The file holds only the attention of this model. Around it the map draws what transformers usually have.";

/** What a place is called for screen readers. @param {Place} place @param {{muted: boolean, reads: boolean}} marks */
export function placeLabel({ kind, site, at, head, label }, { muted, reads }) {
  const name = {
    sentence: label,
    token: `token ${at}, ${label}`,
    head: `${layerName({ kind: site, layer: at })}, head ${head}`,
    heads: `${layerName({ kind: site, layer: at })}, ${label}`,
    feed: `${label} of layer ${at}`,
    embedding: label,
    memory: label,
    output: label,
    unembedding: label,
    prediction: `prediction ${label}`,
  }[kind];
  return [name, ...(muted ? ["muted"] : []), ...(reads ? ["read by the page"] : [])].join(", ");
}

/** The title of what is said about a place. @param {Place} place */
export const titleOf = ({ kind, site, at, head, label }) =>
  ({
    sentence: label,
    token: quote(label),
    embedding: "Embedding",
    output: "A new vector",
    head: headName({ kind: site, layer: at }, head),
    heads: layerName({ kind: site, layer: at }),
    feed: label === feedName(null) ? `Rest of layer ${at}` : `Feed-forward network of layer ${at}`,
    memory: "To cross-attention",
    unembedding: "Unembedding",
    prediction: "Prediction",
  })[kind];

/**
 * What the sentences are made of.
 * @typedef {object} Facts
 * @property {Model} model
 * @property {string} token the selected one
 * @property {number} tokens how many run through it
 */
/** @typedef {{token: string, share: number, exact: boolean} | null} Read */

/** @param {{share: number, exact: boolean}} look */
const share = ({ share, exact }) => (exact ? percent(share) : `${Math.round(100 * share)}%`);

export const SENTENCES = {
  /** @param {number} n */
  sentence: (n) =>
    n === 1
      ? "The tokenizer turns it into 1 token, which runs through the model."
      : `The tokenizer turns it into ${n} tokens. All of them run through the model side by side; the map follows one.`,
  /** @param {string} token @param {number} at @param {number} n */
  token: (token, at, n) => `${token} is token ${at} of ${n}, counted from 0.`,
  /** @param {Facts} facts */
  embedding: ({ model: { vocab_size, d_model }, token }) =>
    vocab_size > 0
      ? `A table with a row of ${d_model} numbers for each of the ${grouped(vocab_size)} tokens of the vocabulary. The row of ${token} starts its residual stream.`
      : `${token} gets a vector of ${d_model} numbers, drawn at random from the seed. Equal words get equal vectors.`,
  /** The attention of a layer. @param {string} title @param {number} n heads @param {string} token @param {boolean} residual */
  attention: (title, n, token, residual) => {
    const all = heads(n);
    return residual
      ? `${title}: ${all} look at the tokens and fetch something for ${token}. Their results are added to the stream.`
      : `${title}: ${all} look at the tokens and fetch something for ${token}. Their results replace its vector.`;
  },
  /** @param {number} head @param {{token: string, share: number, exact: boolean}} look */
  strongest: (head, look) =>
    look.exact
      ? `Head ${head} looks at ${look.token} with ${share(look)} of its attention.`
      : `Head ${head} looks at ${look.token} with about ${share(look)} of its attention.`,
  /** @param {string} token @param {{token: string, share: number, exact: boolean}} look */
  look: (token, look) =>
    look.exact
      ? `Here ${token} gives ${look.token} ${share(look)} of its attention.`
      : `Here ${token} gives ${look.token} about ${share(look)} of its attention.`,
  /** @param {number} n muted heads */
  muted: (n) =>
    n === 1 ? "1 of them is muted and adds nothing." : `${n} of them are muted and add nothing.`,
  mutedHead: "It is muted, so its z is 0 and it adds nothing.",
  /** The sizes of a head. @param {Model} model @param {number} n heads of its layer */
  head: ({ d_head, d_model }, n) =>
    n === 1
      ? `Its q, k and v have ${d_head} numbers each, computed from the ${d_model} numbers of the stream.`
      : `Its q, k and v have ${d_head} numbers each, computed from the ${d_model} numbers of the stream. The layer has ${n} heads: ${n} × ${d_head} = ${n * d_head}.`,
  /** @param {Model} model */
  output: ({ d_model, residual }) =>
    residual
      ? `W_O turns its z into ${d_model} numbers again, and these are added to the stream: z · W_O.`
      : `W_O turns its z into ${d_model} numbers again: z · W_O.`,
  untold:
    "The file holds only the attention of this model, so nothing else is known of this place.",
  noOutput: "This mechanism has no W_O: z itself leaves the head.",
  /** @param {string} n */
  folded: (n) => `${n}. Choose this layer to see them one by one.`,
  /** @param {Facts} facts */
  feed: ({ model: { d_ff, d_model, residual }, token }) =>
    residual
      ? `It works on ${token} alone: ${d_model} numbers become ${d_ff}, and ${d_model} again. They are added to the stream.`
      : `It works on ${token} alone: ${d_model} numbers become ${d_ff}, and ${d_model} again. They replace its vector.`,
  rest: "Everything in the layer besides attention: usually a feed-forward network that works on each token alone. The server does not know how wide it is.",
  memory:
    "The source has been read. In each layer of the decoder, cross-attention makes its keys and values from it.",
  /** @param {Facts} facts */
  outcome: ({ model: { d_model }, token }) =>
    `What comes out is a new vector of ${d_model} numbers for ${token}. This model does not predict a token.`,
  /** @param {Facts} facts */
  unembedding: ({ model: { vocab_size, d_model } }) =>
    `It turns the ${d_model} numbers of the stream into one score for each of the ${grouped(vocab_size)} tokens of the vocabulary.`,
  /** @param {{read: string, token: string, probability: number, fills: boolean}} likeliest */
  prediction: ({ read, token, probability, fills }) =>
    fills
      ? `Softmax turns the scores into probabilities. At ${read}, the likeliest token is ${quote(token)} with ${percent(probability)}.`
      : `Softmax turns the scores into probabilities. After ${read}, the likeliest token is ${quote(token)} with ${percent(probability)}.`,
  noPrediction: "Softmax turns the scores into probabilities.",
  /** @param {number} n */
  parameters: (n) => `The whole model has ${grouped(n)} parameters.`,
};

/** A view of a head, and what it reads. @param {string} label @param {string} names */
export const viewLabel = (label, names) => `${label}: ${names}`;

/** The columns of the saved table. */
export const COLUMNS = [
  "attention",
  "layer",
  "head",
  "muted",
  "strongest key",
  "key id",
  "key token",
  "key piece",
  "weight",
];
