// What the attribution says: in the panel, over the thumbnails and in saved files.

import { capitalised, isolated, quote } from "../../words/format.js";
import { headInText, kindName, shortName } from "../../words/heads.js";
import { bold, parts } from "../../words/parts.js";

/** @import { Kind, Part } from "../../types.d.ts" */
/** @import { Part as Said } from "../../words/parts.js" */
/** @typedef {{token: string, against: string | null, read: string, fills: boolean}} Aim the token, or both, and the token that they are predicted at or after */

/** A part in little room. @param {Part} part @param {Kind} kind of the site of a head */
export function partName({ kind: of, layer, head }, kind) {
  if (of === "head") {
    const name = shortName({ layer: layer ?? 0, head: head ?? 0 });
    return kind === "self" ? name : `${kindName(kind)} ${name}`;
  }
  return layer === null ? PART_NAMES[of] : `L${layer} · ${PART_NAMES[of]}`;
}

/** @type {Record<Part["kind"], string>} */
const PART_NAMES = {
  embedding: "embedding",
  position: "positions",
  segment: "segments",
  head: "head",
  bias: "bias",
  mlp: "feed-forward",
  mixer: "mixer",
  norm: "norm bias",
  intervention: "intervention",
};

/** A part within a sentence. @param {Part} part @param {Kind} kind of the site of a head */
export function partInText({ kind: of, layer, head }, kind) {
  if (of === "head") return headInText({ kind, layer: layer ?? 0, head: head ?? 0 });
  return layer === null ? PARTS_IN_TEXT.once[of] : PARTS_IN_TEXT.inLayer[of](layer);
}

const PARTS_IN_TEXT = {
  /** @type {Record<Part["kind"], string>} */
  once: {
    embedding: "the embedding",
    position: "the position",
    segment: "the segment",
    head: "a head",
    bias: "a bias",
    mlp: "a feed-forward network",
    mixer: "a part in place of attention",
    norm: "the bias of the last norm",
    intervention: "the intervention",
  },
  /** @type {Record<Part["kind"], (layer: number) => string>} */
  inLayer: {
    embedding: (layer) => `the embedding of layer ${layer}`,
    position: (layer) => `the position in layer ${layer}`,
    segment: (layer) => `the segment in layer ${layer}`,
    head: (layer) => `a head of layer ${layer}`,
    bias: (layer) => `the bias of the attention of layer ${layer}`,
    mlp: (layer) => `the feed-forward network of layer ${layer}`,
    mixer: (layer) => `the part in place of attention in layer ${layer}`,
    norm: (layer) => `the bias of a norm of layer ${layer}`,
    intervention: (layer) => `the intervention in layer ${layer}`,
  },
};

/** What is taken apart. @param {Aim & {logit: string, isAbove: boolean}} aim `logit`: with its sign, or without one beside another token */
export function taken({ token, against, read, fills, logit, isAbove }) {
  if (against === null) {
    return fills
      ? parts`At ${read}, ${quote(token)} has a logit of ${bold(logit)}.`
      : parts`After ${read}, ${quote(token)} has a logit of ${bold(logit)}.`;
  }
  if (isAbove) {
    return fills
      ? parts`At ${read}, the logit of ${quote(token)} is ${bold(logit)} above that of ${quote(against)}.`
      : parts`After ${read}, the logit of ${quote(token)} is ${bold(logit)} above that of ${quote(against)}.`;
  }
  return fills
    ? parts`At ${read}, the logit of ${quote(token)} is ${bold(logit)} below that of ${quote(against)}.`
    : parts`After ${read}, the logit of ${quote(token)} is ${bold(logit)} below that of ${quote(against)}.`;
}

/** The part with the largest effect, of either sign, and the source token that most of it comes through. @param {{part: string, value: string, through: string | null}} most */
export const most = ({ part, value, through }) =>
  through === null
    ? parts`${bold(capitalised(part))} has the largest effect: ${bold(value)}.`
    : parts`${bold(capitalised(part))} has the largest effect: ${bold(value)}, mostly through ${through}.`;

/** The same of the heads, where another part contributes more. @param {{part: string, value: string, through: string | null}} most */
export const mostOfHeads = ({ part, value, through }) =>
  through === null
    ? parts`Of the heads, ${bold(part)} has the largest effect: ${bold(value)}.`
    : parts`Of the heads, ${bold(part)} has the largest effect: ${bold(value)}, mostly through ${through}.`;

/** @param {string} token @returns {Said[]} */
export const same = (token) =>
  parts`Both tokens are ${quote(token)}, so there is no difference. Choose another one to compare with.`;

export const COMPUTING = "Taking the logit apart …";
export const NO_NUMBERS = "There are no numbers for this text.";

/** The choice of the tokens. */
export const CHOOSE = {
  label: "Which logit to take apart",
  token: "Token",
  against: "against",
  /** @param {string} token */
  likeliest: (token) => `${isolated(token)} (likeliest)`,
  likeliestOf: "the likeliest",
  nothing: "nothing",
  /** @param {{token: string, probability: string}} candidate */
  candidate: ({ token, probability }) => `${isolated(token)} ${probability}`,
  other: "another token …",
  typed: { token: "Any token", against: "Any token to compare with" },
  placeholder: "type a token",
  use: "Use",
  swap: { text: "⇄", label: "Swap the two tokens" },
  clear: { text: "×", label: "Compare with no other token" },
  /** @param {number} id */
  unnamed: (id) => `token ${id}`,
};
/** @param {string} typed */
export const unknown = (typed) =>
  `The model does not know ${quote(typed)}: it reads it as unknown.`;
/** @param {{typed: string, first: string}} token */
export const severalTokens = ({ typed, first }) =>
  `The model reads ${quote(typed)} as several tokens; the first, ${quote(first)}, is taken.`;
export const TYPE_ONE = "Type a word or a sign that the model may predict.";
export const SAME_TOKEN = "This is the same token. Choose another one to compare with.";

/** The waterfall. */
export const ORDER = {
  legend: "Order",
  written: { text: "as written", title: "In the order in which the parts wrote" },
  size: { text: "by size", title: "The largest contribution first" },
};
export const COLUMNS = { part: "part", adds: "adds" };
/** @param {string} logit */
export const axis = (logit) => `0 → ${logit}`;
export const LIST_LABEL = "What each part adds";
export const REMAINDER = {
  name: "remainder",
  title: "What no part adds: the bias of the language-model head, and rounding",
};
export const CAP = {
  name: "soft cap",
  title: "What the soft cap of the logits changes: c · tanh(x / c) − x",
};
const LOGIT = { logit: "logit", difference: "difference" };
/** @param {number} n */
const smaller = (n) => `${n} smaller parts`;
/** @param {number} n */
export const fold = (n) => `Fold ${n} smaller parts`;
/**
 * A row of the waterfall in little room.
 * @param {import("./waterfall.js").Row} row
 * @param {Kind} kind of the site of a head
 * @param {boolean} isDifference whether the logit is a difference of two
 */
export function rowName({ kind: of, part, n }, kind, isDifference) {
  if (part) return partName(part, kind);
  if (of === "smaller") return smaller(n);
  if (of === "remainder") return REMAINDER.name;
  if (of === "cap") return CAP.name;
  return isDifference ? LOGIT.difference : LOGIT.logit;
}
/** @param {{part: string, value: string, sum: string}} row */
export const rowLabel = ({ part, value, sum }) => `${part} adds ${value}; the sum is then ${sum}`;
/** @param {{n: number, value: string}} row */
export const smallerLabel = ({ n, value }) => `${n} smaller parts add ${value}: list them`;

/** The source tokens. */
export const SOURCES = {
  legend: "Through",
  all: { text: "all heads", title: "The sum over all heads of all layers" },
  /** @param {string} head */
  head: (head) => ({ text: head, title: "Only the selected head" }),
  label: "What each source token adds",
  /** The tokens that the decoder reads, and its own. */
  of: { tokens: "source", target_tokens: "target" },
  point: "Point at a token for its number.",
  absent: "The selected head does not write to the stream that is read here.",
  table: "As a table",
  columns: ["position", "token", "adds"],
  /** @param {{shown: number, n: number}} tokens */
  some: ({ shown, n }) => `The ${shown} tokens of ${n} that add or take most.`,
};
/** @param {{token: string, value: string, place: number}} source */
export const sourceAdds = ({ token, value, place }) =>
  `${isolated(token)}, position ${place}: ${value}`;

/** What the colours of the thumbnails mean. @param {Aim} aim */
export function legend({ token, against, read, fills }) {
  if (against === null) {
    return fills
      ? `Colours: what each head adds to the logit of ${quote(token)} at ${read}.`
      : `Colours: what each head adds to the logit of ${quote(token)} after ${read}.`;
  }
  return fills
    ? `Colours: what each head adds to the lead of ${quote(token)} over ${quote(against)} at ${read}.`
    : `Colours: what each head adds to the lead of ${quote(token)} over ${quote(against)} after ${read}.`;
}
/** What a thumbnail adds to the name of its head. @param {string} value */
export const headAdds = (value) => `adds ${value}`;

/** What is frozen and what is not counted. */
export const ABOUT =
  "Frozen: the attention patterns and the scale of the last norm. Not counted: what a part does to later parts. To see that, mute it. Elhage et al. 2021.";
export const HOW = {
  title: "How this is defined",
  paragraphs: [
    "Every part of the model adds a vector to the residual stream at this position. The last norm divides the sum by one number, which is kept as it was in this run, so each part has its own share of what comes out. Its dot product with the token’s row of the unembedding is what the part adds to the logit; of two tokens, the difference of both rows is taken.",
    "A head’s vector is a sum over the tokens that it attends to: weight × value × W_O. So its contribution is a sum over source tokens, too.",
    "The remainder is what no part adds: the bias of the language-model head, and rounding. A soft cap of the logits (Gemma 2) has a row of its own. All rows always sum to the logit.",
    "The file docs/circuits.md of Headlight has the formulas.",
  ],
};

/** The title of a saved picture. @param {Aim} aim */
export function pictureTitle({ token, against, read, fills }) {
  if (against === null) {
    return fills
      ? `The logit of ${quote(token)} at ${read}`
      : `The logit of ${quote(token)} after ${read}`;
  }
  return fills
    ? `The lead of ${quote(token)} over ${quote(against)} at ${read}`
    : `The lead of ${quote(token)} over ${quote(against)} after ${read}`;
}
export const PICTURE_COLUMNS = { name: "part", value: "adds" };
export const CSV_COLUMNS = [
  "part",
  "kind",
  "layer",
  "site",
  "head",
  "adds",
  "token id",
  "token",
  "against id",
  "against",
];
