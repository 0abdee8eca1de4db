// What the attribution says: in the panel, over the thumbnails and in saved files.

import { gettext } from "../../language/gettext.js";
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
  embedding: gettext("embedding"),
  position: gettext("positions"),
  segment: gettext("segments"),
  head: gettext("head"),
  bias: gettext("bias"),
  mlp: gettext("feed-forward"),
  mixer: gettext("mixer"),
  norm: gettext("norm bias"),
  intervention: gettext("intervention"),
};

/** A part within a sentence. @param {Part} part @param {Kind} kind of the site of a head */
export function partInText({ kind: of, layer, head }, kind) {
  if (of === "head") return headInText({ kind, layer: layer ?? 0, head: head ?? 0 });
  return layer === null ? PARTS_IN_TEXT.once[of] : PARTS_IN_TEXT.inLayer[of](layer);
}

const PARTS_IN_TEXT = {
  /** @type {Record<Part["kind"], string>} */
  once: {
    embedding: gettext("the embedding"),
    position: gettext("the position"),
    segment: gettext("the segment"),
    head: gettext("a head"),
    bias: gettext("a bias"),
    mlp: gettext("a feed-forward network"),
    mixer: gettext("a part in place of attention"),
    norm: gettext("the bias of the last norm"),
    intervention: gettext("the intervention"),
  },
  /** @type {Record<Part["kind"], (layer: number) => string>} */
  inLayer: {
    embedding: (layer) => gettext("the embedding of layer {layer}", { layer }),
    position: (layer) => gettext("the position in layer {layer}", { layer }),
    segment: (layer) => gettext("the segment in layer {layer}", { layer }),
    head: (layer) => gettext("a head of layer {layer}", { layer }),
    bias: (layer) => gettext("the bias of the attention of layer {layer}", { layer }),
    mlp: (layer) => gettext("the feed-forward network of layer {layer}", { layer }),
    mixer: (layer) => gettext("the part in place of attention in layer {layer}", { layer }),
    norm: (layer) => gettext("the bias of a norm of layer {layer}", { layer }),
    intervention: (layer) => gettext("the intervention in layer {layer}", { layer }),
  },
};

/** What is taken apart. @param {Aim & {logit: string, isAbove: boolean}} aim `logit`: with its sign, or without one beside another token */
export function taken({ token, against, read, fills, logit, isAbove }) {
  if (against === null) {
    return fills
      ? parts("At {read}, {token} has a logit of {logit}.", {
          read,
          token: quote(token),
          logit: bold(logit),
        })
      : parts("After {read}, {token} has a logit of {logit}.", {
          read,
          token: quote(token),
          logit: bold(logit),
        });
  }
  if (isAbove) {
    return fills
      ? parts("At {read}, the logit of {token} is {logit} above that of {against}.", {
          read,
          token: quote(token),
          logit: bold(logit),
          against: quote(against),
        })
      : parts("After {read}, the logit of {token} is {logit} above that of {against}.", {
          read,
          token: quote(token),
          logit: bold(logit),
          against: quote(against),
        });
  }
  return fills
    ? parts("At {read}, the logit of {token} is {logit} below that of {against}.", {
        read,
        token: quote(token),
        logit: bold(logit),
        against: quote(against),
      })
    : parts("After {read}, the logit of {token} is {logit} below that of {against}.", {
        read,
        token: quote(token),
        logit: bold(logit),
        against: quote(against),
      });
}

/** The part with the largest effect, of either sign, and the source token that most of it comes through. @param {{part: string, value: string, through: string | null}} most */
export const most = ({ part, value, through }) =>
  through === null
    ? parts("{part} has the largest effect: {value}.", {
        part: bold(capitalised(part)),
        value: bold(value),
      })
    : parts("{part} has the largest effect: {value}, mostly through {through}.", {
        part: bold(capitalised(part)),
        value: bold(value),
        through,
      });

/** The same of the heads, where another part contributes more. @param {{part: string, value: string, through: string | null}} most */
export const mostOfHeads = ({ part, value, through }) =>
  through === null
    ? parts("Of the heads, {part} has the largest effect: {value}.", {
        part: bold(part),
        value: bold(value),
      })
    : parts("Of the heads, {part} has the largest effect: {value}, mostly through {through}.", {
        part: bold(part),
        value: bold(value),
        through,
      });

/** @param {string} token @returns {Said[]} */
export const same = (token) =>
  parts("Both tokens are {token}, so there is no difference. Choose another one to compare with.", {
    token: quote(token),
  });

export const COMPUTING = gettext("Taking the logit apart …");
export const NO_NUMBERS = gettext("There are no numbers for this text.");

/** The choice of the tokens. */
export const CHOOSE = {
  label: gettext("Which logit to take apart"),
  token: gettext("Token"),
  against: gettext("against"),
  /** @param {string} token */
  likeliest: (token) => gettext("{token} (likeliest)", { token: isolated(token) }),
  likeliestOf: gettext("the likeliest"),
  nothing: gettext("nothing"),
  /** @param {{token: string, probability: string}} candidate */
  candidate: ({ token, probability }) => `${isolated(token)} ${probability}`,
  other: gettext("another token …"),
  typed: { token: gettext("Any token"), against: gettext("Any token to compare with") },
  placeholder: gettext("type a token"),
  use: gettext("Use"),
  swap: { text: "⇄", label: gettext("Swap the two tokens") },
  clear: { text: "×", label: gettext("Compare with no other token") },
  /** @param {number} id */
  unnamed: (id) => gettext("token {id}", { id }),
};
/** @param {string} typed */
export const unknown = (typed) =>
  gettext("The model does not know {typed}: it reads it as unknown.", { typed: quote(typed) });
/** @param {{typed: string, first: string}} token */
export const severalTokens = ({ typed, first }) =>
  gettext("The model reads {typed} as several tokens; the first, {first}, is taken.", {
    typed: quote(typed),
    first: quote(first),
  });
export const TYPE_ONE = gettext("Type a word or a sign that the model may predict.");
export const SAME_TOKEN = gettext("This is the same token. Choose another one to compare with.");

/** The waterfall. */
export const ORDER = {
  legend: gettext("Order"),
  written: { text: gettext("as written"), title: gettext("In the order in which the parts wrote") },
  size: { text: gettext("by size"), title: gettext("The largest contribution first") },
};
export const COLUMNS = { part: gettext("part"), adds: gettext("adds") };
/** @param {string} logit */
export const axis = (logit) => `0 → ${logit}`;
export const LIST_LABEL = gettext("What each part adds");
export const REMAINDER = {
  name: gettext("remainder"),
  title: gettext("What no part adds: the bias of the language-model head, and rounding"),
};
export const CAP = {
  name: gettext("soft cap"),
  title: gettext("What the soft cap of the logits changes: c · tanh(x / c) − x"),
};
const LOGIT = { logit: gettext("logit"), difference: gettext("difference") };
/** @param {number} n */
const smaller = (n) => gettext("{n} smaller parts", { n });
/** @param {number} n */
export const fold = (n) => gettext("Fold {n} smaller parts", { n });
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
export const rowLabel = ({ part, value, sum }) =>
  gettext("{part} adds {value}; the sum is then {sum}", { part, value, sum });
/** @param {{n: number, value: string}} row */
export const smallerLabel = ({ n, value }) =>
  gettext("{n} smaller parts add {value}: list them", { n, value });

/** The source tokens. */
export const SOURCES = {
  legend: gettext("Through"),
  all: { text: gettext("all heads"), title: gettext("The sum over all heads of all layers") },
  /** @param {string} head */
  head: (head) => ({ text: head, title: gettext("Only the selected head") }),
  label: gettext("What each source token adds"),
  /** The tokens that the decoder reads, and its own. */
  of: { tokens: gettext("source"), target_tokens: gettext("target") },
  point: gettext("Point at a token for its number."),
  absent: gettext("The selected head does not write to the stream that is read here."),
  table: gettext("As a table"),
  columns: [gettext("position"), gettext("token"), gettext("adds")],
  /** @param {{shown: number, n: number}} tokens */
  some: ({ shown, n }) => gettext("The {shown} tokens of {n} that add or take most.", { shown, n }),
};
/** @param {{token: string, value: string, place: number}} source */
export const sourceAdds = ({ token, value, place }) =>
  gettext("{token}, position {place}: {value}", { token: isolated(token), place, value });

/** What the colours of the thumbnails mean. @param {Aim} aim */
export function legend({ token, against, read, fills }) {
  if (against === null) {
    return fills
      ? gettext("Colours: what each head adds to the logit of {token} at {read}.", {
          token: quote(token),
          read,
        })
      : gettext("Colours: what each head adds to the logit of {token} after {read}.", {
          token: quote(token),
          read,
        });
  }
  return fills
    ? gettext("Colours: what each head adds to the lead of {token} over {against} at {read}.", {
        token: quote(token),
        against: quote(against),
        read,
      })
    : gettext("Colours: what each head adds to the lead of {token} over {against} after {read}.", {
        token: quote(token),
        against: quote(against),
        read,
      });
}
/** What a thumbnail adds to the name of its head. @param {string} value */
export const headAdds = (value) => gettext("adds {value}", { value });

/** What is frozen and what is not counted. */
export const ABOUT = gettext(
  "Frozen: the attention patterns and the scale of the last norm. Not counted: what a part does to later parts. To see that, mute it. Elhage et al. 2021.",
);
export const HOW = {
  title: gettext("How this is defined"),
  paragraphs: [
    gettext(
      "Every part of the model adds a vector to the residual stream at this position. The last norm divides the sum by one number, which is kept as it was in this run, so each part has its own share of what comes out. Its dot product with the token’s row of the unembedding is what the part adds to the logit; of two tokens, the difference of both rows is taken.",
    ),
    gettext(
      "A head’s vector is a sum over the tokens that it attends to: weight × value × W_O. So its contribution is a sum over source tokens, too.",
    ),
    gettext(
      "The remainder is what no part adds: the bias of the language-model head, and rounding. A soft cap of the logits (Gemma 2) has a row of its own. All rows always sum to the logit.",
    ),
    gettext("The file docs/circuits.md of Headlight has the formulas."),
  ],
};

/** The title of a saved picture. @param {Aim} aim */
export function pictureTitle({ token, against, read, fills }) {
  if (against === null) {
    return fills
      ? gettext("The logit of {token} at {read}", { token: quote(token), read })
      : gettext("The logit of {token} after {read}", { token: quote(token), read });
  }
  return fills
    ? gettext("The lead of {token} over {against} at {read}", {
        token: quote(token),
        against: quote(against),
        read,
      })
    : gettext("The lead of {token} over {against} after {read}", {
        token: quote(token),
        against: quote(against),
        read,
      });
}
export const PICTURE_COLUMNS = { name: gettext("part"), value: gettext("adds") };
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
