// What there is to read in Why here.

import { gettext, ngettext } from "../../language/gettext.js";
import { fixed, MINUS, percentage } from "../../language/language.js";
import { decimal, exactly, percent, shorten, signed } from "../../words/format.js";

import { layerInText } from "../../words/heads.js";

/** @import { CellTable, Part } from "../../types.d.ts" */
/** @import { PartSide } from "../../state/address/parts.js" */

export const MAX = 20; // characters of a token

/** @typedef {"only" | "encoder" | "decoder"} Stack "only": the model has a single one */

/**
 * The stack that a part is of. A part without a site of its own is of the stack that is read: cross-attention has its queries from the
 * decoder and its keys from the encoder.
 * @param {string | null} site of the part
 * @param {string} own
 * @param {PartSide} side
 * @returns {Stack}
 */
function stackOf(site, own, side) {
  const isOwn = site === null || site === own;
  if (isOwn && own.endsWith(".cross")) return side === "query" ? "decoder" : "encoder";
  const [stack] = (site ?? own).split(".");
  return stack === "encoder" || stack === "decoder" ? stack : "only";
}

/** Only decoders have two attentions in a layer. @param {string | null} site */
const isCross = (site) => site?.endsWith(".cross") ?? false;

/** Parts that the whole stack has once. @type {Record<"embedding" | "position" | "segment" | "norm", Record<Stack, string>>} */
const ONCE = {
  embedding: {
    only: gettext("Embedding"),
    encoder: gettext("Encoder embedding"),
    decoder: gettext("Decoder embedding"),
  },
  position: {
    only: gettext("Position"),
    encoder: gettext("Encoder position"),
    decoder: gettext("Decoder position"),
  },
  segment: {
    only: gettext("Segment"),
    encoder: gettext("Encoder segment"),
    decoder: gettext("Decoder segment"),
  },
  norm: {
    only: gettext("Bias of a norm"),
    encoder: gettext("Encoder, norm bias"),
    decoder: gettext("Decoder, norm bias"),
  },
};

/** A layer as the beginning of a label. @type {Record<Stack, (layer: number) => string>} */
const LAYERS = {
  only: (layer) => gettext("Layer {layer}", { layer }),
  encoder: (layer) => gettext("Encoder {layer}", { layer }),
  decoder: (layer) => gettext("Decoder {layer}", { layer }),
};

/** A part as the label of a row or a column. `own`: the site that is looked at. @param {Part} part @param {string} own @param {PartSide} side */
export function partLabel({ kind, layer: at, site, head }, own, side) {
  const stack = stackOf(site, own, side);
  if (kind === "embedding" || kind === "position" || kind === "segment") return ONCE[kind][stack];
  if (kind === "intervention" && site === own)
    return side === "query" ? gettext("Frozen query") : gettext("Frozen key");
  if (kind === "norm" && site === own) return gettext("Bias of the norm");
  if (kind === "norm" && at === null) return ONCE.norm[stack];
  const layer = LAYERS[stack](at ?? 0);
  if (kind === "head") {
    return isCross(site)
      ? gettext("{layer}, cross head {head}", { layer, head: head ?? 0 })
      : gettext("{layer}, head {head}", { layer, head: head ?? 0 });
  }
  if (kind === "mlp") return gettext("{layer}, feed-forward", { layer });
  if (kind === "mixer") return gettext("{layer}, mixer", { layer });
  if (kind === "intervention") return gettext("{layer}, intervention", { layer });
  if (kind === "norm") return gettext("{layer}, norm bias", { layer });
  if (site === own)
    return side === "query" ? gettext("Bias of the queries") : gettext("Bias of the keys");
  return isCross(site)
    ? gettext("{layer}, cross output bias", { layer })
    : gettext("{layer}, output bias", { layer });
}

/** Those that each token has, in a sentence. @type {Record<"embedding" | "position" | "segment", Record<Stack, (token: string) => string>>} */
const OF_TOKEN = {
  embedding: {
    only: (token) => gettext("the embedding of {token}", { token }),
    encoder: (token) => gettext("the encoder’s embedding of {token}", { token }),
    decoder: (token) => gettext("the decoder’s embedding of {token}", { token }),
  },
  position: {
    only: (token) => gettext("the position of {token}", { token }),
    encoder: (token) => gettext("the encoder’s position of {token}", { token }),
    decoder: (token) => gettext("the decoder’s position of {token}", { token }),
  },
  segment: {
    only: (token) => gettext("the segment of {token}", { token }),
    encoder: (token) => gettext("the encoder’s segment of {token}", { token }),
    decoder: (token) => gettext("the decoder’s segment of {token}", { token }),
  },
};

/** @type {Record<Stack, import("../../types.d.ts").Kind>} */
const KINDS = { only: "self", encoder: "encoder", decoder: "decoder" };

/** A part in a sentence: what it is or who wrote it, and at which token. @param {Part} part @param {string} own @param {PartSide} side @param {string} token */
export function partInText({ kind, layer: at, site, head }, own, side, token) {
  const stack = stackOf(site, own, side);
  if (kind === "embedding" || kind === "position" || kind === "segment")
    return OF_TOKEN[kind][stack](token);
  if (kind === "intervention" && site === own)
    return side === "query"
      ? gettext("the frozen query of {token}", { token })
      : gettext("the frozen key of {token}", { token });
  if (kind === "norm") return gettext("the bias of the norm (the same at every token)");
  if (site === own && kind === "bias")
    return side === "query"
      ? gettext("the bias of the queries (the same at every token)")
      : gettext("the bias of the keys (the same at every token)");
  const layer = layerInText({ kind: KINDS[stack], layer: at ?? 0 });
  if (kind === "head") {
    return isCross(site)
      ? gettext("what {layer}, cross head {head} wrote at {token}", {
          layer,
          head: head ?? 0,
          token,
        })
      : gettext("what {layer}, head {head} wrote at {token}", { layer, head: head ?? 0, token });
  }
  if (kind === "mlp")
    return gettext("what the feed-forward network of {layer} wrote at {token}", { layer, token });
  if (kind === "mixer")
    return gettext("what stands for attention in {layer} wrote at {token}", { layer, token });
  if (kind === "intervention")
    return gettext("what you changed in {layer} at {token}", { layer, token });
  return isCross(site)
    ? gettext("the output bias of cross-attention in {layer} (the same at every token)", { layer })
    : gettext("the output bias of attention in {layer} (the same at every token)", { layer });
}

/** @typedef {{query: string, key: string}} Tokens as `quoteAt` names them */

/** The first sentences. */
export const SCORE = {
  /** @param {Tokens & {score: number, weight: number}} cell */
  open: ({ query, key, score, weight }) =>
    gettext(
      "In this head, {query} gives {key} the score {two} and, after the softmax, {weight} of its attention.",
      { query, key, two: two(score), weight: percent(weight) },
    ),
  /** @param {Tokens & {score: number, mask: string}} cell */
  blocked: ({ query, key, score, mask }) =>
    gettext("The score of {query} for {key} is {two}, but {mask} blocks this cell.", {
      query,
      key,
      two: two(score),
      mask,
    }),
};

/** @typedef {{value: number, query: string, key: string}} Meeting two parts in words */

/** The largest entries. */
export const LARGEST = {
  /** @param {Meeting & {share: string}} meeting */
  share: ({ share, value, query, key }) =>
    gettext("{share} of the score, {two}, comes from {query} meeting {key}.", {
      share,
      two: two(value),
      query,
      key,
    }),
  /** The entry is larger than the score, or of another sign. @param {Meeting} meeting */
  alone: ({ value, query, key }) =>
    gettext("The largest part of it, {signedTwo}, comes from {query} meeting {key}.", {
      signedTwo: signedTwo(value),
      query,
      key,
    }),
  /** @param {Meeting} meeting */
  next: ({ value, query, key }) =>
    gettext("Next comes {query} meeting {key}: {signedTwo}.", {
      query,
      key,
      signedTwo: signedTwo(value),
    }),
  /** @param {Meeting} meeting */
  against: ({ value, query, key }) =>
    gettext("Most against it is {query} meeting {key}: {signedTwo}.", {
      query,
      key,
      signedTwo: signedTwo(value),
    }),
};

/** A share of the score as a word. @param {number} share 0 to 1 */
export function shareInWords(share) {
  if (Math.abs(share - 0.5) < 0.03) return gettext("Half");
  return percentage(fixed(100 * share, 0));
}

/** What the picture is, and what can be done. */
export const ABOUT = gettext(
  "A score is a query times a key, and each is a sum over what was written to the residual stream before. Each number is what one part of the query and one part of the key add together; all of them sum to the score. The scale of the norm is the one of this run.",
);
export const RELATIVE = gettext(
  "The softmax compares the scores of a row: what a part adds to the score of every key alike changes no weight.",
);

export const LABELS = {
  query: gettext("Query"),
  key: gettext("Key"),
  /** @param {string} token */
  queries: (token) => gettext("Parts of the query {token} ↓", { token }),
  /** @param {string} token */
  keys: (token) => gettext("Parts of the key {token} →", { token }),
  sum: gettext("Sum"),
  /** @param {Tokens} tokens */
  table: ({ query, key }) =>
    gettext(
      "The score of {query} for {key}, by parts of the query (rows) and of the key (columns)",
      { query, key },
    ),
  how: gettext("A click on a part switches it off"),
  side: gettext("there only"),
  both: gettext("in queries and keys"),
  on: gettext("Switch all parts on"),
  /** @param {number} place @param {string} token */
  token: (place, token) => `${place} ${shorten(token, MAX)}`,
  fold: gettext("Fold smaller parts"),
  unfold: gettext("Show smaller parts"),
  waiting: gettext("The score is being taken apart …"),
};

/** A folded row or column. @param {number} n */
export const smaller = (n) => gettext("{n} smaller parts", { n });

/** The tooltip of a row or column. @param {string} part @param {boolean} off */
export const switchTitle = (part, off) =>
  off
    ? gettext("{part}: switch it on again", { part })
    : gettext("{part}: switch it off (Shift: in queries and keys)", { part });

/** The tooltip of a token in the row below. @param {string} token */
export const takeApart = (token) => gettext("Take the score for {token} apart", { token });

/** One entry, as the reader points at it. */
export const ENTRY = {
  hint: gettext("Point at a number to read it in words. Arrow keys move between the numbers."),
  /** @param {Meeting & {share: number}} meeting */
  pair: ({ value, query, key, share }) =>
    gettext("{value}: {query}, meeting {key}. That is {share} of the score.", {
      value: signed(value),
      query,
      key,
      share: percentage(fixed(100 * share, 0)),
    }),
  /** @param {{value: number, query: number, key: number}} group */
  folded: ({ value, query, key }) =>
    gettext(
      "{value}: {pairs} pairs of parts together, {queries} of the query and {keys} of the key.",
      { value: signed(value), pairs: query * key, queries: query, keys: key },
    ),
  /** @param {{value: number, part: string, side: PartSide}} sum */
  sum: ({ value, part, side }) =>
    side === "query"
      ? gettext("{number}: {part}, meeting all parts of the key.", { number: signed(value), part })
      : gettext("{number}: {part}, meeting all parts of the query.", {
          number: signed(value),
          part,
        }),
  /** @param {{value: number, n: number, side: PartSide}} sum */
  sumOfFolded: ({ value, n, side }) =>
    side === "query"
      ? gettext("{number}: {n} smaller parts of the query, meeting all parts of the key.", {
          number: signed(value),
          n,
        })
      : gettext("{number}: {n} smaller parts of the key, meeting all parts of the query.", {
          number: signed(value),
          n,
        }),
  /** @param {number} value */
  all: (value) =>
    gettext("{number}: all parts of the query, meeting all parts of the key.", {
      number: signed(value),
    }),
};

/** The rows below the table, which sum to the score. */
export const TOTALS = {
  caption: gettext("What the score is the sum of"),
  pairs: gettext("All pairs of parts together"),
  soft_cap: gettext("What the soft cap changes"),
  bias: gettext("The bias that is added to the score"),
  remainder: gettext("Remainder (what rounding leaves)"),
  score: gettext("Score"),
  without: gettext("Score without the parts that are off"),
};

/** @param {number} remainder */
export const inexact = (remainder) =>
  gettext(
    "The parts do not sum to the score: {remainder} is missing. Headlight does not know everything that this model adds.",
    { remainder: exactly(remainder) },
  );

/** The row of the query, before and after. */
export const ROW = {
  /** @param {string} query */
  title: (query) => gettext("What {query} looks at", { query }),
  token: gettext("Key"),
  score: gettext("Score"),
  weight: gettext("Attention"),
  before: gettext("Before"),
  after: gettext("Without the parts"),
  /** @param {number} n */
  more: (n) => ngettext("{n} more key gets less.", "{n} more keys get less.", n),
  /** @param {number} n */
  blocked: (n) => ngettext("{n} key is blocked by a mask.", "{n} keys are blocked by a mask.", n),
  hint: gettext("Switch parts off above, and see here what the query would look at without them."),
};

/** @typedef {Tokens & {before: number, after: number, n: number}} Change */

/** What switching off did. */
export const SWITCHED = {
  /** @param {Change} change */
  moved: ({ query, key, before, after, n }) =>
    ngettext(
      "Without this part, {query} gives {key} {after} of its attention instead of {before}.",
      "Without these {n} parts, {query} gives {key} {after} of its attention instead of {before}.",
      n,
      { query, key, after: percent(after), before: percent(before) },
    ),
  /** @param {{query: string, key: string, weight: number}} most */
  most: ({ query, key, weight }) =>
    gettext("{query} then looks most at {key}, with {weight}.", {
      query,
      key,
      weight: percent(weight),
    }),
};

/** The title of a picture. @param {Tokens} tokens */
export const pictureTitle = ({ query, key }) =>
  gettext("Why {query} gives {key} this score", { query, key });

/** Two decimals, with a real minus and never "−0.00". @param {number} value */
export const two = (value) => {
  const text = fixed(Math.abs(value), 2);
  return value < 0 && text !== fixed(0, 2) ? `${MINUS}${text}` : text;
};

/** With its sign. @param {number} value */
const signedTwo = (value) => (value > 0 && two(value) !== "0.00" ? `+${two(value)}` : two(value));

/** A number in a cell; nothing where it would read as 0. @param {number} value */
export const inCell = (value) => (Math.abs(value) < 0.005 ? "" : two(value));

/** With four decimals. @param {number} value */
export const exact = (value) => decimal(value);
