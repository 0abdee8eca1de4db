// The map: everything that people read in this view. Pure.

import { commas, gettext, ngettext, sentences } from "../../language/gettext.js";
import { fixed, percentage } from "../../language/language.js";
import { percent, quote } from "../../words/format.js";
import { headName, heads, layerName } from "../../words/heads.js";

/** @import { Kind, ModelInfo as Model } from "../../types.d.ts" */
/** @import { Place } from "../../draw/map/layout.js" */

/** The names of places, as they are drawn. */
export const NAMES = {
  sentence: gettext("Sentence"),
  source: gettext("Source"),
  target: gettext("Target"),
  embedding: gettext("embedding"),
  memory: gettext("to cross-attention"),
  output: gettext("a new vector"),
  unembedding: gettext("unembedding"),
  prediction: gettext("prediction"),
};

/** What stands beside a layer that has two kinds of attention. @type {Record<Kind, string>} */
const PARTS = { self: "", encoder: "", decoder: gettext("self"), cross: gettext("cross") };

export const WORDING = {
  /** @param {number} layer */
  layer: (layer) => gettext("layer {layer}", { layer }),
  /** @param {Kind} kind */
  part: (kind) => PARTS[kind],
  heads,
};

/** @param {number | null} d_ff null: the server does not know */
export const feedName = (d_ff) =>
  d_ff === null ? gettext("rest of layer") : gettext("feed-forward");

/** @param {{token: string, probability: number}} likeliest */
export const resultLabel = ({ token, probability }) => `${quote(token)} ${percent(probability)}`;

/** The whole drawing. @param {{name: string, n_layers: number, n_heads: number}} model */
export const mapLabel = ({ name, n_layers, n_heads }) =>
  ngettext(
    "Map of {name}: {n} layer of {heads}",
    "Map of {name}: {n} layers of {heads}",
    n_layers,
    { name, heads: heads(n_heads) },
  );

export const TOOLS = {
  play: { text: gettext("Play"), name: gettext("Send the token through the model") },
  pause: { text: gettext("Pause"), name: gettext("Pause") },
  step: { text: gettext("Next step"), name: gettext("Take the token one step further") },
  back: gettext("Back along the path"),
  on: gettext("Forward along the path"),
  label: gettext("The path of the token"),
  hint: gettext("Arrow keys walk the map, Enter goes to a place, Space sends the token through."),
  views: gettext("See this head in"),
  sentence: gettext("Edit the sentence"),
  prediction: gettext("See all predictions"),
};

/** @param {number} n from 1 @param {number} of */
export const progress = (n, of) => gettext("step {n} of {of}", { n, of });

/** The legend below the map. */
export const LEGEND = {
  here: gettext("where you are"),
  muted: gettext("muted"),
  adds: gettext("adds to the stream"),
  replaces: gettext("replaces the vector, because this model has no residual stream"),
  norm: gettext("normalisation"),
  arc: gettext("arc: the lower head reads what the upper one wrote; wider is stronger"),
  below: gettext("dashed arc: its number is below 0"),
  /** @param {string} view */
  readByView: (view) => gettext("what {view} reads", { view }),
  /** @param {string} view @param {string} tab */
  readByBoth: (view, tab) => gettext("what {view} and {tab} read", { view, tab }),
};

/** Composition as arcs. */
export const ARCS = {
  through: gettext("Composition"),
  throughs: /** @type {const} */ ([
    ["off", gettext("off"), gettext("Draw no arcs")],
    ["q", "Q", gettext("Draw which earlier head each head reads through its queries")],
    ["k", "K", gettext("Draw which earlier head each head reads through its keys")],
    ["v", "V", gettext("Draw which earlier head’s result each head moves")],
  ]),
  title: gettext("Who reads whom"),
  matrix: gettext("All pairs as a matrix"),
  computing: gettext("Computing which head reads which …"),
  none: gettext("No head reads an earlier one here."),
  /** @param {number} most @param {number} own @param {boolean} dashed whether any number is below 0 */
  drawn: (most, own, dashed) => {
    const arcs = gettext(
      "Arcs lead from a head down to one that reads what it wrote: the {most} strongest of all, and the {own} strongest into the selected head.",
      { most, own },
    );
    const point = gettext("Point at one to read it; click to choose the later head.");
    return dashed
      ? gettext(
          "{arcs} A dashed one has a number below 0: what the earlier head wrote works against the later one. {point}",
          { arcs, point },
        )
      : sentences([arcs, point]);
  },
  /** @param {string} model */
  unknown: (model) =>
    gettext("{model} shows its patterns only, so what its heads read is not known.", { model }),
};

/** What a head adds to the stream. */
export const WRITTEN = "z · W_O";

/** Where the server does not know what a checkpoint is made of. */
export const UNKNOWN = gettext(
  "The server knows the layers, heads and sizes of this checkpoint, but not where its norms stand. Some models run the two parts of a layer side by side; the map always draws one after the other.",
);

/** Where a file holds attention alone. */
export const ATTENTION_ONLY = gettext(
  "The file holds only the attention of this model. Around it the map draws what transformers usually have.",
);

/** What a place is called for screen readers. @param {Place} place @param {{muted: boolean, reads: boolean}} marks */
export function placeLabel({ kind, site, at, head, label }, { muted, reads }) {
  const name = {
    sentence: label,
    token: gettext("token {at}, {label}", { at, label }),
    head: gettext("{value}, head {head}", { value: layerName({ kind: site, layer: at }), head }),
    heads: `${layerName({ kind: site, layer: at })}, ${label}`,
    feed: gettext("{label} of layer {at}", { label, at }),
    embedding: label,
    memory: label,
    output: label,
    unembedding: label,
    prediction: gettext("prediction {label}", { label }),
  }[kind];
  return commas([name, muted && gettext("muted"), reads && gettext("read by the page")]);
}

/** The title of what is said about a place. @param {Place} place */
export const titleOf = ({ kind, site, at, head, label }) =>
  ({
    sentence: label,
    token: quote(label),
    embedding: gettext("Embedding"),
    output: gettext("A new vector"),
    head: headName({ kind: site, layer: at }, head),
    heads: layerName({ kind: site, layer: at }),
    feed:
      label === feedName(null)
        ? gettext("Rest of layer {at}", { at })
        : gettext("Feed-forward network of layer {at}", { at }),
    memory: gettext("To cross-attention"),
    unembedding: gettext("Unembedding"),
    prediction: gettext("Prediction"),
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
const share = ({ share, exact }) => (exact ? percent(share) : percentage(fixed(100 * share, 0)));

export const SENTENCES = {
  /** @param {number} n */
  sentence: (n) =>
    ngettext(
      "The tokenizer turns it into {n} token, which runs through the model.",
      "The tokenizer turns it into {n} tokens. All of them run through the model side by side; the map follows one.",
      n,
    ),
  /** @param {string} token @param {number} at @param {number} n */
  token: (token, at, n) =>
    gettext("{token} is token {at} of {n}, counted from 0.", { token, at, n }),
  /** @param {Facts} facts */
  embedding: ({ model: { vocab_size, d_model }, token }) =>
    vocab_size > 0
      ? gettext(
          "A table with a row of {d_model} numbers for each of the {vocab_size} tokens of the vocabulary. The row of {token} starts its residual stream.",
          { d_model, vocab_size, token },
        )
      : gettext(
          "{token} gets a vector of {d_model} numbers, drawn at random from the seed. Equal words get equal vectors.",
          { token, d_model },
        ),
  /** The attention of a layer. @param {string} title @param {number} n heads @param {string} token @param {boolean} residual */
  attention: (title, n, token, residual) => {
    const all = heads(n);
    return residual
      ? gettext(
          "{title}: {all} look at the tokens and fetch something for {token}. Their results are added to the stream.",
          { title, all, token },
        )
      : gettext(
          "{title}: {all} look at the tokens and fetch something for {token}. Their results replace its vector.",
          { title, all, token },
        );
  },
  /** @param {number} head @param {{token: string, share: number, exact: boolean}} look */
  strongest: (head, look) =>
    look.exact
      ? gettext("Head {head} looks at {token} with {share} of its attention.", {
          head,
          token: look.token,
          share: share(look),
        })
      : gettext("Head {head} looks at {token} with about {share} of its attention.", {
          head,
          token: look.token,
          share: share(look),
        }),
  /** @param {string} token @param {{token: string, share: number, exact: boolean}} look */
  look: (token, look) =>
    look.exact
      ? gettext("Here {query} gives {key} {share} of its attention.", {
          query: token,
          key: look.token,
          share: share(look),
        })
      : gettext("Here {query} gives {key} about {share} of its attention.", {
          query: token,
          key: look.token,
          share: share(look),
        }),
  /** @param {number} n muted heads */
  muted: (n) =>
    ngettext("{n} of them is muted and adds nothing.", "{n} of them are muted and add nothing.", n),
  mutedHead: gettext("It is muted, so its z is 0 and it adds nothing."),
  /** The sizes of a head. @param {Model} model @param {number} n heads of its layer */
  head: ({ d_head, d_model }, n) =>
    sentences([
      gettext(
        "Its q, k and v have {d_head} numbers each, computed from the {d_model} numbers of the stream.",
        { d_head: d_head ?? 0, d_model },
      ),
      n > 1 &&
        gettext("The layer has {n} heads: {n} × {d_head} = {product}.", {
          n,
          d_head: d_head ?? 0,
          product: n * (d_head ?? 0),
        }),
    ]),
  /** @param {Model} model */
  output: ({ d_model, residual }) =>
    residual
      ? gettext(
          "W_O turns its z into {d_model} numbers again, and these are added to the stream: z · W_O.",
          { d_model },
        )
      : gettext("W_O turns its z into {d_model} numbers again: z · W_O.", { d_model }),
  untold: gettext(
    "The file holds only the attention of this model, so nothing else is known of this place.",
  ),
  noOutput: gettext("This mechanism has no W_O: z itself leaves the head."),
  /** @param {string} n */
  folded: (n) => gettext("{n}. Choose this layer to see them one by one.", { n }),
  /** @param {Facts} facts */
  feed: ({ model: { d_ff, d_model, residual }, token }) =>
    residual
      ? gettext(
          "It works on {token} alone: {d_model} numbers become {d_ff}, and {d_model} again. They are added to the stream.",
          { token, d_model, d_ff: d_ff ?? 0 },
        )
      : gettext(
          "It works on {token} alone: {d_model} numbers become {d_ff}, and {d_model} again. They replace its vector.",
          { token, d_model, d_ff: d_ff ?? 0 },
        ),
  rest: gettext(
    "Everything in the layer besides attention: usually a feed-forward network that works on each token alone. The server does not know how wide it is.",
  ),
  memory: gettext(
    "The source has been read. In each layer of the decoder, cross-attention makes its keys and values from it.",
  ),
  /** @param {Facts} facts */
  outcome: ({ model: { d_model }, token }) =>
    gettext(
      "What comes out is a new vector of {d_model} numbers for {token}. This model does not predict a token.",
      { d_model, token },
    ),
  /** @param {Facts} facts */
  unembedding: ({ model: { vocab_size, d_model } }) =>
    gettext(
      "It turns the {d_model} numbers of the stream into one score for each of the {vocab_size} tokens of the vocabulary.",
      { d_model, vocab_size },
    ),
  /** @param {{read: string, token: string, probability: number, fills: boolean}} likeliest */
  prediction: ({ read, token, probability, fills }) =>
    fills
      ? gettext(
          "Softmax turns the scores into probabilities. At {read}, the likeliest token is {token} with {probability}.",
          { read, token: quote(token), probability: percent(probability) },
        )
      : gettext(
          "Softmax turns the scores into probabilities. After {read}, the likeliest token is {token} with {probability}.",
          { read, token: quote(token), probability: percent(probability) },
        ),
  noPrediction: gettext("Softmax turns the scores into probabilities."),
  /** @param {number} n */
  parameters: (n) => gettext("The whole model has {n} parameters.", { n }),
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
