// What the panel Circuits says, and its saved files.

import { grouped, minus, percent, quote, signedBriefly } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { Circuits, Kind } from "../../types.d.ts" */
/** @typedef {{score: number, share: number}} Copying */

export const READING = "Reading this head over the whole vocabulary …";
export const NO_SERVER =
  "Only a Headlight server reads a head over the vocabulary, and this model is in this page alone. Open this page from a Headlight server.";

/** @param {string} lacks why it is not the model itself */
export const noModel = (lacks) => `Circuits need the weights of the model: ${lacks}.`;

export const CROSS =
  "A cross-attention head reads queries from the decoder, and keys and values from the encoder, so it has no circuits over one vocabulary. Choose a head of the encoder or the decoder.";

/** @param {number} value */
const two = (value) => minus(value.toFixed(2));

/** @param {Copying} numbers */
export const copies = ({ score, share }) =>
  `This head copies: ${percent(share)} of all tokens raise themselves when it looks at them. Copying score ${two(score)}, where 1 is pure copying.`;
/** @param {Copying} numbers */
export const suppresses = ({ score, share }) =>
  `This head suppresses what it looks at: only ${percent(share)} of all tokens raise themselves then. Copying score ${two(score)}, where −1 is pure suppression.`;
/** @param {Copying} numbers */
export const neither = ({ score, share }) =>
  `This head does not copy as a rule: ${percent(share)} of all tokens raise themselves when it looks at them. Copying score ${two(score)}, between −1 and 1.`;
/** @param {string} reason */
export const noOutputs = (reason) => `What it raises is not known: ${reason}.`;

/** @param {{token: string, key: string}} names */
export const looksFor = ({ token, key }) => `${quote(token)} looks for ${quote(key)} most.`;
/** @param {string} token */
export const raisesItself = (token) =>
  `When ${quote(token)} is looked at, it raises ${quote(token)} most: the head copies it.`;
/** @param {{token: string, output: string, place: number}} names `place`: of the token itself among those that it raises */
export const raisesBoth = ({ token, output, place }) =>
  `When ${quote(token)} is looked at, it raises ${quote(output)} most, and itself as number ${place}.`;
/** @param {{token: string, output: string}} names */
export const raisesOther = ({ token, output }) =>
  `When ${quote(token)} is looked at, it raises ${quote(output)} most.`;

export const CHOOSE = {
  label: "A token of the vocabulary",
  title: "One token",
  list: "of the text:",
  none: "choose …",
  typed: "Any other token",
  placeholder: "or any other",
  show: "Show",
  looking: "Looking for this token …",
  hint: "Choose a token to read its row of both circuits: what it looks for and who looks for it, what it raises and lowers. A row below leads to its token.",
  /** @param {number} id */
  unnamed: (id) => `token ${id}`,
};

export const ALL = "The strongest pairs of the vocabulary";
export const LISTS = {
  qk: "QK: who looks for what",
  ov: "OV: what raises what",
  /** @param {string} token */
  as_query: (token) => `${quote(token)} looks for`,
  /** @param {string} token */
  as_key: (token) => `Who looks for ${quote(token)}`,
  /** @param {string} token */
  raises: (token) => `${quote(token)} raises`,
  /** @param {string} token */
  lowers: (token) => `${quote(token)} lowers`,
};

/** A row of two tokens. @param {{one: string, other: string}} row */
export const pairName = ({ one, other }) => `${one} → ${other}`;

/** @param {number} value */
export const number = (value) => signedBriefly(value) || "0";

/** A row for a screen reader. @param {{one: string, other: string, value: number, to: string}} row */
export const rowLabel = ({ one, other, value, to }) =>
  `${quote(one)} and ${quote(other)}: ${number(value)}. Show ${quote(to)}.`;

/** How a token is read. @type {Record<Circuits["reads"], (n: number) => string>} */
export const READS = {
  embedding: (n) =>
    `From weights alone, over ${grouped(n)} tokens. A token is read by its embedding.`,
  "effective embedding": (n) =>
    `From weights alone, over ${grouped(n)} tokens. A token is read by its embedding and what the first feed-forward network makes of it.`,
};

export const HOW = {
  title: "How this is computed",
  paragraphs: [
    "QK: the score of a query and a key, each alone at one position, above the query’s mean over all keys of the vocabulary. OV: what the head writes when it looks at a token, as it raises or lowers each output, above the mean over all outputs (Elhage et al. 2021).",
    "The copying score is Σ Re λ / Σ |λ| over the eigenvalues λ of the OV circuit. From 0.5 on we say that the head copies.",
    "Left out: positions, the bias of the values, and the scale of the last norm. So OV numbers compare with each other, and are not logits. What heads before this one wrote is not counted. Masks, mutes and interventions change nothing here.",
  ],
};

/** @param {{model: string, kind: Kind, layer: number, head: number}} head */
export const pictureTitle = (head) => `${head.model}: ${headInText(head)} over the vocabulary`;
export const PICTURE_COLUMNS = { name: "tokens", value: "value" };
/** @param {{list: string, value: number}} row */
export const pictureValue = ({ list, value }) => `${number(value)}  ${list}`;
export const BARS = "In each list the longest bar is its largest value.";
export const CSV = ["list", "first token", "first id", "second token", "second id", "value"];
