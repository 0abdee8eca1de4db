// Compare: everything that people read in this view. Pure.

import { BYTES } from "../../sources/scratch/kept.js";
import {
  enumerated,
  grouped,
  isolated,
  label,
  percent,
  quote,
  shorten,
  signed,
  weight,
} from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { headInText, headName } from "../../words/heads.js";
import { bold, parts } from "../../words/parts.js";

/** @import { Prediction, Side as Against } from "../../types.d.ts" */
/** @import { Pair } from "./align.js" */
/** @import { Part } from "../../words/parts.js" */
/** @typedef {{a: string[], b: string[]}} Differences for each side, what differs from the other one */

const MAX_TEXT = 32; // characters of a sentence
const MAX_NAMED = 3; // muted heads; if there are more, only their number is given

export const WELCOME =
  "Compare two states of the model cell by cell: A, B, and B − A. B is always the current view, so every control of the page changes B. A is what you hold: press “Hold this as A”, then change a mask, mute a head, choose another head, or type another sentence.";

/** The buttons that choose A: the name of each, and what it does. */
export const TOOLS = {
  label: "What A is",
  hold: ["Hold this as A", "The current view becomes A; B follows your changes"],
  before: [
    "Before the last change",
    "A is this head before the last change of masks, mutes or settings",
  ],
  unedited: [
    "Unedited",
    "A is this head without any of your edits, with the masks that the model has",
  ],
  transposed: [
    "Transposed",
    "A is this head with keys and queries exchanged: what j gives i, beside what i gives j",
  ],
  swap: ["Swap A and B", "Select A, and hold the current selection"],
  drop: ["Clear A", "Hold nothing to compare with"],
};

export const FLIP = {
  name: "Hold to see A in B’s place",
  about: "While you hold this, A stands in the place of B, so that the differences jump out",
};

/** Two mechanisms from scratch. `cache`: null where sums stand in for keys and values. */
export const SIZES = {
  /** @param {{parameters: number | null, cache: number | null}} a @param {{parameters: number | null, cache: number | null}} b @param {boolean} write whether both look back alone */
  both: (a, b, write) => {
    const parameters = `Parameters: ${grouped(a.parameters ?? 0)} and ${grouped(b.parameters ?? 0)}.`;
    return write
      ? `${parameters} Kept of a token: ${SIZES.kept(a)} and ${SIZES.kept(b)}.`
      : parameters;
  },
  /** In float16. @param {{cache: number | null}} side */
  kept: ({ cache }) => (cache === null ? "sums" : `${grouped(BYTES * cache)} bytes`),
  buttons: { parameters: "Equal parameters", cache: "Equal cache" },
  about: {
    parameters:
      "Give the heads of B the width with which it has as many parameters as A, or nearly",
    cache: "Give B the width with which it keeps as much of a token as A, or nearly",
  },
};

/** Why there is no picture. */
export const PROBLEMS = {
  /** @param {"A" | "B"} side @param {string} reason */
  refused: (side, reason) => `${side} cannot be shown: ${reason}`,
  /** @param {string} model */
  loading: (model) => `${model}, the model of A, is being loaded …`,
  /** @param {string} model */
  notKept: (model) =>
    `${model}, the model of A, was loaded but not kept: the server has no room for both.`,
  /** @param {number} n */
  tooLong: (n) =>
    `Only whole matrices can be compared, of at most ${n} tokens per side. Shorten the text.`,
  transposed:
    "Here queries and keys come from two texts, so there is no transpose to compare with.",
};

/** @param {string} matrix */
export const patternInstead = (matrix) =>
  `The ${matrix} of A is not available, so the patterns are compared.`;

export const PICTURE = {
  rest: "Point at a cell for its numbers in A and in B. Click it to read its row.",
  /** @param {string} note */
  restWith: (note) => `${note} ${PICTURE.rest}`,
  /** @param {string} differences */
  label: (differences) => `${differences} The table below has the numbers.`,
  difference: "B − A",
  /** @param {"A" | "B"} side @param {string[]} differences @param {Against} of */
  side: (side, differences, of) =>
    differences.length > 0 ? `${side}: ${differences.join(", ")}` : `${side}: ${headInText(of)}`,
  inPlace: "A, in B’s place", // what A is stands beside it
  /** A line above a saved picture. @param {"A" | "B"} side @param {string[]} differences */
  heading: (side, differences) =>
    differences.length > 0 ? `${side}: ${differences.join(", ")}` : `${side}: the same`,
  /** @param {Against} side */
  title: (side) => `${headName(side, side.head)} of ${side.model}: A, B and B − A`,
  /** The scale of A and B. @param {string} unit */
  scale: (unit) => `${unit}, in A and B`,
  /** @param {string} unit */
  differenceScale: (unit) => `B − A, in ${unit}`,
};

export const LEGEND = {
  label: "How cells are marked",
  one: "outlined: blocked in one of the two",
  both: "hatched: blocked in both",
  alone: "cross-hatched: a token that only A (−) or only B (+) has",
};

export const TABLE = {
  caption: "The largest differences",
  columns: ["query → key", "A", "B", "B − A"],
  read: "Read this row",
  /** @param {string} query @param {string} key */
  cell: (query, key) => `${isolated(query)} → ${isolated(key)}`,
};

/** Why the table is empty. */
export const EMPTY = {
  equal: "No cell differs.",
  blocked: "No cell can be compared: every cell that A and B share is blocked in both.",
  queries: "No cell can be compared: A and B have no query in common.",
  keys: "No cell can be compared: A and B have no key in common.",
};

/**
 * A cell: its tokens, its values in A and B, and the difference.
 * @param {{query: string, key: string, a: Part[], b: Part[], difference: number | null}} cell
 */
export const cellInWords = ({ query, key, a, b, difference }) =>
  difference === null
    ? parts`query ${bold(query)} → key ${bold(key)}: A ${a}, B ${b}`
    : parts`query ${bold(query)} → key ${bold(key)}: A ${a}, B ${b}, B − A ${bold(signed(difference))}`;

/** The value of one side. @param {{value: number, blocked: number} | null} side null: it has no such token */
export function valueInWords(side) {
  if (!side) return parts`has no such cell`;
  const value = bold(weight(side.value));
  return side.blocked ? parts`${value} (blocked by ${explain(side.blocked)})` : [value];
}

/** A token with its positions. @param {Pair} pair @param {string[]} a @param {string[]} b labels */
export function tokenName({ a: inA, b: inB }, a, b) {
  if (inA === null) return `${inB} ${b[inB ?? 0]} (only in B)`;
  if (inB === null) return `${inA} ${a[inA]} (only in A)`;
  const place = inA === inB ? `${inA}` : `${inA} | ${inB}`;
  return a[inA] === b[inB] ? `${place} ${a[inA]}` : `${place} ${a[inA]} | ${b[inB]}`;
}

/** The differences in one sentence. @param {Differences} differences */
export const sentence = ({ a, b }) =>
  a.length > 0
    ? `A: ${a.join(", ")}; B: ${b.join(", ")}.`
    : "A and B are the same. Change something — masks, mutes, head, sentence or model — and B follows.";

/**
 * A text, cut so that one sees where it differs from another one.
 * @param {string} text
 * @param {string | undefined} other
 */
function cut(text, other = "") {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  if (same <= MAX_TEXT / 2) return shorten(text, MAX_TEXT);
  const word = text.lastIndexOf(" ", text.lastIndexOf(" ", same - 1) - 1) + 1; // a word before
  return word === 0 ? shorten(text, MAX_TEXT) : `… ${shorten(text.slice(word), MAX_TEXT)}`;
}

/** What a side is, in the list of differences. */
export const SETTINGS = {
  /** @param {string | undefined} text @param {string} [other] */
  text: (text, other) => (text === undefined ? "no text" : quote(cut(text, other))),
  /** @param {string | undefined} text @param {string} [other] */
  target: (text, other) => (text === undefined ? "no target" : `target ${quote(cut(text, other))}`),
  /** @param {string | undefined} text @param {string} [other] */
  pair: (text, other) =>
    text === undefined ? "no second segment" : `second segment ${quote(cut(text, other))}`,
  /** @param {number} place @param {number} n */
  place: (place, n) => (n === 1 ? "one text" : `text ${place + 1} of ${n}`),
  others: "beside another text",
  ownMasks: "the model’s own masks",
  transposed: "transposed (j → i)",
  straight: "as it is (i → j)",
  /** @param {Pick<Against, "muted">} side */
  mutes: ({ muted }) => {
    if (muted.length === 0) return "no head muted";
    if (muted.length > MAX_NAMED) return `${muted.length} heads muted`;
    const heads = muted.map(([layer, head, kind = "self"]) => headInText({ kind, layer, head }));
    return `${enumerated(heads)} muted`;
  },
};

/** @typedef {{inText: string, first: string}} Where a position: within a sentence, and at its start */

/** Where a prediction is made. @param {boolean} fills whether it fills in the token instead of continuing @param {string} token @returns {Where} */
export const whereInWords = (fills, token) =>
  fills
    ? { inText: `at ${token}`, first: `At ${token}` }
    : { inText: `after ${token}`, first: `After ${token}` };

/**
 * The most likely predictions of A and B; "" if neither predicts.
 * @param {Prediction[] | null} a
 * @param {Prediction[] | null} b
 * @param {{a: Where, b: Where}} at
 */
export function predictionsInWords(a, b, at) {
  const [topA, topB] = [a?.[0], b?.[0]];
  if (!topA && !topB) return "";
  if (!topB) return topA ? `A predicts ${withShare(topA)} ${at.a.inText}; B predicts nothing.` : "";
  if (!topA) return `B predicts ${withShare(topB)} ${at.b.inText}; A predicts nothing.`;
  const together = at.a.inText === at.b.inText; // then it is mentioned once
  if (isSame(topA, topB)) {
    const [shareA, shareB] = [percent(topA.probability), percent(topB.probability)];
    return together
      ? `${at.a.first} both predict ${quoted(topA)}: A with ${shareA}, B with ${shareB}.`
      : `Both predict ${quoted(topA)}: A with ${shareA} ${at.a.inText}, B with ${shareB} ${at.b.inText}.`;
  }
  const kept = b?.find((token) => isSame(token, topA));
  const tops = together
    ? `${at.a.first} A predicts ${withShare(topA)}, B ${withShare(topB)}.`
    : `A predicts ${withShare(topA)} ${at.a.inText}, B ${withShare(topB)} ${at.b.inText}.`;
  const fate = kept
    ? `${quoted(topA)} has ${percent(kept.probability)} in B.`
    : `${quoted(topA)} is not among the top ${b?.length} of B.`;
  return `${tops} ${fate}`;
}

/** Whether two tokens are the same text, apart from the marks in which vocabularies differ. @param {Prediction} a @param {Prediction} b */
const isSame = (a, b) => label(a).toLowerCase() === label(b).toLowerCase();
/** @param {Prediction} token */
const quoted = (token) => `${quote(shorten(label(token), 16))}`;
/** @param {Prediction} token */
const withShare = (token) => `${quoted(token)} (${percent(token.probability)})`;

/** A difference at the end of a scale. @param {number} value */
export const endOfScale = (value) => (value === 0 ? "0" : signed(value));

/** The columns of a token in a table. @param {string} name "query" or "key" */
export const columnsOf = (name) => [
  `${name} in A`,
  `${name} id in A`,
  `${name} in B`,
  `${name} id in B`,
  `${name} token`,
];
