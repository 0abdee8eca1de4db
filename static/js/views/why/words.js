// What there is to read in Why here.

import { capitalised, decimal, exactly, percent, shorten, signed } from "../../words/format.js";

/** @import { CellTable, Part } from "../../types.d.ts" */
/** @import { PartSide } from "../../state/address/parts.js" */

export const MAX = 20; // characters of a token

/** Which of a layer's two attentions: only decoders have both. @param {string | null} site */
const inSite = (site) => (site?.endsWith(".cross") ? "cross " : "");

/**
 * The stack of an encoder–decoder that a part is of; "" in other models. A part without a site of its own is of the stack that is read:
 * cross-attention has its queries from the decoder and its keys from the encoder.
 * @param {string | null} site of the part
 * @param {string} own
 * @param {PartSide} side
 * @returns {"" | "Encoder" | "Decoder"}
 */
function stackOf(site, own, side) {
  const isOwn = site === null || site === own;
  if (isOwn && own.endsWith(".cross")) return side === "query" ? "Decoder" : "Encoder";
  const [stack] = (site ?? own).split(".");
  return stack === "encoder" ? "Encoder" : stack === "decoder" ? "Decoder" : "";
}

/** A part as the label of a row or a column. `own`: the site that is looked at. @param {Part} part @param {string} own @param {PartSide} side */
export function partLabel({ kind, layer, site, head }, own, side) {
  const is = site === own;
  const stack = stackOf(site, own, side);
  const of = stack || "Layer";
  const whole = (/** @type {string} */ name) => (stack ? `${stack} ${name}` : capitalised(name));
  if (kind === "embedding" || kind === "position" || kind === "segment") return whole(kind);
  if (kind === "head") return `${of} ${layer}, ${inSite(site)}head ${head}`;
  if (kind === "mlp") return `${of} ${layer}, feed-forward`;
  if (kind === "mixer") return `${of} ${layer}, mixer`;
  if (kind === "intervention" && is) return side === "query" ? "Frozen query" : "Frozen key";
  if (kind === "intervention") return `${of} ${layer}, intervention`;
  if (kind === "norm" && is) return "Bias of the norm";
  if (kind === "norm")
    return layer === null
      ? stack
        ? `${stack}, norm bias`
        : "Bias of a norm"
      : `${of} ${layer}, norm bias`;
  if (is) return side === "query" ? "Bias of the queries" : "Bias of the keys";
  return `${of} ${layer}, ${inSite(site)}output bias`;
}

/** A part in a sentence: what it is or who wrote it, and at which token. @param {Part} part @param {string} own @param {PartSide} side @param {string} token */
export function partInText({ kind, layer, site, head }, own, side, token) {
  const stack = stackOf(site, own, side).toLowerCase();
  const of = stack ? `${stack} layer` : "layer";
  const the = stack ? `the ${stack}’s` : "the";
  if (kind === "embedding") return `${the} embedding of ${token}`;
  if (kind === "position") return `${the} position of ${token}`;
  if (kind === "segment") return `${the} segment of ${token}`;
  if (kind === "head") return `what ${of} ${layer}, ${inSite(site)}head ${head} wrote at ${token}`;
  if (kind === "mlp") return `what the feed-forward network of ${of} ${layer} wrote at ${token}`;
  if (kind === "mixer") return `what stands for attention in ${of} ${layer} wrote at ${token}`;
  if (kind === "intervention" && site === own)
    return side === "query" ? `the frozen query of ${token}` : `the frozen key of ${token}`;
  if (kind === "intervention") return `what you changed in ${of} ${layer} at ${token}`;
  if (kind === "norm") return "the bias of the norm (the same at every token)";
  if (site === own)
    return side === "query"
      ? "the bias of the queries (the same at every token)"
      : "the bias of the keys (the same at every token)";
  return inSite(site)
    ? `the output bias of cross-attention in ${of} ${layer} (the same at every token)`
    : `the output bias of attention in ${of} ${layer} (the same at every token)`;
}

/** @typedef {{query: string, key: string}} Tokens as `quoteAt` names them */

/** The first sentences. */
export const SCORE = {
  /** @param {Tokens & {score: number, weight: number}} cell */
  open: ({ query, key, score, weight }) =>
    `In this head, ${query} gives ${key} the score ${two(score)} and, after the softmax, ${percent(weight)} of its attention.`,
  /** @param {Tokens & {score: number, mask: string}} cell */
  blocked: ({ query, key, score, mask }) =>
    `The score of ${query} for ${key} is ${two(score)}, but ${mask} blocks this cell.`,
};

/** @typedef {{value: number, query: string, key: string}} Meeting two parts in words */

/** The largest entries. */
export const LARGEST = {
  /** @param {Meeting & {share: string}} meeting */
  share: ({ share, value, query, key }) =>
    `${share} of the score, ${two(value)}, comes from ${query} meeting ${key}.`,
  /** The entry is larger than the score, or of another sign. @param {Meeting} meeting */
  alone: ({ value, query, key }) =>
    `The largest part of it, ${signedTwo(value)}, comes from ${query} meeting ${key}.`,
  /** @param {Meeting} meeting */
  next: ({ value, query, key }) => `Next comes ${query} meeting ${key}: ${signedTwo(value)}.`,
  /** @param {Meeting} meeting */
  against: ({ value, query, key }) =>
    `Most against it is ${query} meeting ${key}: ${signedTwo(value)}.`,
};

/** A share of the score as a word. @param {number} share 0 to 1 */
export function shareInWords(share) {
  if (Math.abs(share - 0.5) < 0.03) return "Half";
  return `${Math.round(100 * share)}%`;
}

/** What the picture is, and what can be done. */
export const ABOUT =
  "A score is a query times a key, and each is a sum over what was written to the residual stream before. Each number is what one part of the query and one part of the key add together; all of them sum to the score. The scale of the norm is the one of this run.";
export const RELATIVE =
  "The softmax compares the scores of a row: what a part adds to the score of every key alike changes no weight.";

export const LABELS = {
  query: "Query",
  key: "Key",
  /** @param {string} token */
  queries: (token) => `Parts of the query ${token} ↓`,
  /** @param {string} token */
  keys: (token) => `Parts of the key ${token} →`,
  sum: "Sum",
  /** @param {Tokens} tokens */
  table: ({ query, key }) =>
    `The score of ${query} for ${key}, by parts of the query (rows) and of the key (columns)`,
  how: "A click on a part switches it off",
  side: "there only",
  both: "in queries and keys",
  on: "Switch all parts on",
  /** @param {number} place @param {string} token */
  token: (place, token) => `${place} ${shorten(token, MAX)}`,
  fold: "Fold smaller parts",
  unfold: "Show smaller parts",
  waiting: "The score is being taken apart …",
};

/** A folded row or column. @param {number} n */
export const smaller = (n) => `${n} smaller parts`;

/** The tooltip of a row or column. @param {string} part @param {boolean} off */
export const switchTitle = (part, off) =>
  off ? `${part}: switch it on again` : `${part}: switch it off (Shift: in queries and keys)`;

/** The tooltip of a token in the row below. @param {string} token */
export const takeApart = (token) => `Take the score for ${token} apart`;

/** One entry, as the reader points at it. */
export const ENTRY = {
  hint: "Point at a number to read it in words. Arrow keys move between the numbers.",
  /** @param {Meeting & {share: number}} meeting */
  pair: ({ value, query, key, share }) =>
    `${signed(value)}: ${query}, meeting ${key}. That is ${Math.round(100 * share)}% of the score.`,
  /** @param {{value: number, query: number, key: number}} group */
  folded: ({ value, query, key }) =>
    `${signed(value)}: ${query * key} pairs of parts together, ${query} of the query and ${key} of the key.`,
  /** @param {{value: number, part: string, side: PartSide}} sum */
  sum: ({ value, part, side }) =>
    side === "query"
      ? `${signed(value)}: ${part}, meeting all parts of the key.`
      : `${signed(value)}: ${part}, meeting all parts of the query.`,
  /** @param {{value: number, n: number, side: PartSide}} sum */
  sumOfFolded: ({ value, n, side }) =>
    side === "query"
      ? `${signed(value)}: ${n} smaller parts of the query, meeting all parts of the key.`
      : `${signed(value)}: ${n} smaller parts of the key, meeting all parts of the query.`,
  /** @param {number} value */
  all: (value) => `${signed(value)}: all parts of the query, meeting all parts of the key.`,
};

/** The rows below the table, which sum to the score. */
export const TOTALS = {
  caption: "What the score is the sum of",
  pairs: "All pairs of parts together",
  soft_cap: "What the soft cap changes",
  bias: "The bias that is added to the score",
  remainder: "Remainder (what rounding leaves)",
  score: "Score",
  without: "Score without the parts that are off",
};

/** @param {number} remainder */
export const inexact = (remainder) =>
  `The parts do not sum to the score: ${exactly(remainder)} is missing. Headlight does not know everything that this model adds.`;

/** The row of the query, before and after. */
export const ROW = {
  /** @param {string} query */
  title: (query) => `What ${query} looks at`,
  token: "Key",
  score: "Score",
  weight: "Attention",
  before: "Before",
  after: "Without the parts",
  /** @param {number} n */
  more: (n) => (n === 1 ? "1 more key gets less." : `${n} more keys get less.`),
  /** @param {number} n */
  blocked: (n) => (n === 1 ? "1 key is blocked by a mask." : `${n} keys are blocked by a mask.`),
  hint: "Switch parts off above, and see here what the query would look at without them.",
};

/** @typedef {Tokens & {before: number, after: number, n: number}} Change */

/** What switching off did. */
export const SWITCHED = {
  /** @param {Change} change */
  moved: ({ query, key, before, after, n }) =>
    n === 1
      ? `Without this part, ${query} gives ${key} ${percent(after)} of its attention instead of ${percent(before)}.`
      : `Without these ${n} parts, ${query} gives ${key} ${percent(after)} of its attention instead of ${percent(before)}.`,
  /** @param {{query: string, key: string, weight: number}} most */
  most: ({ query, key, weight }) => `${query} then looks most at ${key}, with ${percent(weight)}.`,
};

export const REFUSALS = {
  vectors: "This model gives no q and k, so Headlight cannot take its scores apart.",
};

/** The title of a picture. @param {Tokens} tokens */
export const pictureTitle = ({ query, key }) => `Why ${query} gives ${key} this score`;

/** Two decimals, with a real minus and never "−0.00". @param {number} value */
export const two = (value) => {
  const text = Math.abs(value).toFixed(2);
  return value < 0 && text !== "0.00" ? `−${text}` : text;
};

/** With its sign. @param {number} value */
const signedTwo = (value) => (value > 0 && two(value) !== "0.00" ? `+${two(value)}` : two(value));

/** A number in a cell; nothing where it would read as 0. @param {number} value */
export const inCell = (value) => (Math.abs(value) < 0.005 ? "" : two(value));

/** With four decimals. @param {number} value */
export const exact = (value) => decimal(value);
