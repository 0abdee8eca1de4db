// Compare: everything that people read in this view. Pure.

import { commas, gettext, sentences } from "../../language/gettext.js";
import { BYTES } from "../../sources/scratch/kept.js";
import {
  enumerated,
  isolated,
  label,
  percent,
  quote,
  shorten,
  signed,
  weight,
} from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { headInText, headName, modelLabel } from "../../words/heads.js";
import { bold, parts } from "../../words/parts.js";

/** @import { Prediction, Side as Against } from "../../types.d.ts" */
/** @import { Pair } from "./align.js" */
/** @import { Part } from "../../words/parts.js" */
/** @typedef {{a: string[], b: string[]}} Differences for each side, what differs from the other one */

const MAX_TEXT = 32; // characters of a sentence
const MAX_NAMED = 3; // muted heads; if there are more, only their number is given

export const WELCOME = gettext(
  "Compare two states of the model cell by cell: A, B, and B − A. B is always the current view, so every control of the page changes B. A is what you hold: press “Hold this as A”, then change a mask, mute a head, choose another head, or type another sentence.",
);

/** The buttons that choose A: the name of each, and what it does. */
export const TOOLS = {
  label: gettext("What A is"),
  hold: [gettext("Hold this as A"), gettext("The current view becomes A; B follows your changes")],
  before: [
    gettext("Before the last change"),
    gettext("A is this head before the last change of masks, mutes or settings"),
  ],
  unedited: [
    gettext("Unedited"),
    gettext("A is this head without any of your edits, with the masks that the model has"),
  ],
  transposed: [
    gettext("Transposed"),
    gettext(
      "A is this head with keys and queries exchanged: what j gives i, beside what i gives j",
    ),
  ],
  swap: [gettext("Swap A and B"), gettext("Select A, and hold the current selection")],
  drop: [gettext("Clear A"), gettext("Hold nothing to compare with")],
};

export const FLIP = {
  name: gettext("Hold to see A in B’s place"),
  about: gettext(
    "While you hold this, A stands in the place of B, so that the differences jump out",
  ),
};

/** Two mechanisms from scratch. `cache`: null where sums stand in for keys and values. */
export const SIZES = {
  /** @param {{parameters: number | null, cache: number | null}} a @param {{parameters: number | null, cache: number | null}} b @param {boolean} write whether both look back alone */
  both: (a, b, write) => {
    const parameters = gettext("Parameters: {a} and {b}.", {
      a: a.parameters ?? 0,
      b: b.parameters ?? 0,
    });
    return write
      ? gettext("{parameters} Kept of a token: {a} and {b}.", {
          parameters,
          a: SIZES.kept(a),
          b: SIZES.kept(b),
        })
      : parameters;
  },
  /** In float16. @param {{cache: number | null}} side */
  kept: ({ cache }) =>
    cache === null ? gettext("sums") : gettext("{bytes} bytes", { bytes: BYTES * cache }),
  buttons: { parameters: gettext("Equal parameters"), cache: gettext("Equal cache") },
  about: {
    parameters: gettext(
      "Give the heads of B the width with which it has as many parameters as A, or nearly",
    ),
    cache: gettext("Give B the width with which it keeps as much of a token as A, or nearly"),
  },
};

/** Why there is no picture. */
export const PROBLEMS = {
  /** @param {"A" | "B"} side @param {string} reason */
  refused: (side, reason) => gettext("{side} cannot be shown: {reason}", { side, reason }),
  /** @param {string} model */
  loading: (model) =>
    gettext("{model}, the model of A, is being loaded …", { model: modelLabel(model) }),
  /** @param {string} model */
  notKept: (model) =>
    gettext("{model}, the model of A, was loaded but not kept: the server has no room for both.", {
      model: modelLabel(model),
    }),
  /** @param {number} n */
  tooLong: (n) =>
    gettext(
      "Only whole matrices can be compared, of at most {n} tokens per side. Shorten the text.",
      { n },
    ),
  transposed: gettext(
    "Here queries and keys come from two texts, so there is no transpose to compare with.",
  ),
};

/** @param {string} matrix */
export const patternInstead = (matrix) =>
  gettext("The {matrix} of A is not available, so the patterns are compared.", { matrix });

export const PICTURE = {
  rest: gettext("Point at a cell for its numbers in A and in B. Click it to read its row."),
  /** @param {string} note */
  restWith: (note) => sentences([note, PICTURE.rest]),
  /** @param {string} differences */
  label: (differences) =>
    gettext("{differences} The table below has the numbers.", { differences }),
  difference: "B − A",
  /** @param {"A" | "B"} side @param {string[]} differences @param {Against} of */
  side: (side, differences, of) =>
    differences.length > 0 ? `${side}: ${commas(differences)}` : `${side}: ${headInText(of)}`,
  inPlace: gettext("A, in B’s place"), // what A is stands beside it
  /** A line above a saved picture. @param {"A" | "B"} side @param {string[]} differences */
  heading: (side, differences) =>
    differences.length > 0
      ? `${side}: ${commas(differences)}`
      : gettext("{side}: the same", { side }),
  /** @param {Against} side */
  title: (side) =>
    gettext("{side} of {model}: A, B and B − A", {
      side: headName(side, side.head),
      model: modelLabel(side.model),
    }),
  /** The scale of A and B. @param {string} unit */
  scale: (unit) => gettext("{unit}, in A and B", { unit }),
  /** @param {string} unit */
  differenceScale: (unit) => gettext("B − A, in {unit}", { unit }),
};

export const LEGEND = {
  label: gettext("How cells are marked"),
  one: gettext("outlined: blocked in one of the two"),
  both: gettext("hatched: blocked in both"),
  alone: gettext("cross-hatched: a token that only A (−) or only B (+) has"),
};

export const TABLE = {
  caption: gettext("The largest differences"),
  columns: [gettext("query → key"), "A", "B", "B − A"],
  read: gettext("Read this row"),
  /** @param {string} query @param {string} key */
  cell: (query, key) => `${isolated(query)} → ${isolated(key)}`,
};

/** Why the table is empty. */
export const EMPTY = {
  equal: gettext("No cell differs."),
  blocked: gettext("No cell can be compared: every cell that A and B share is blocked in both."),
  queries: gettext("No cell can be compared: A and B have no query in common."),
  keys: gettext("No cell can be compared: A and B have no key in common."),
};

/**
 * A cell: its tokens, its values in A and B, and the difference.
 * @param {{query: string, key: string, a: Part[], b: Part[], difference: number | null}} cell
 */
export const cellInWords = ({ query, key, a, b, difference }) =>
  difference === null
    ? parts("query {query} → key {key}: A {a}, B {b}", {
        query: bold(query),
        key: bold(key),
        a,
        b,
      })
    : parts("query {query} → key {key}: A {a}, B {b}, B − A {difference}", {
        query: bold(query),
        key: bold(key),
        a,
        b,
        difference: bold(signed(difference)),
      });

/** The value of one side. @param {{value: number, blocked: number} | null} side null: it has no such token */
export function valueInWords(side) {
  if (!side) return parts("has no such cell");
  const value = bold(weight(side.value));
  return side.blocked
    ? parts("{value} (blocked by {masks})", { value, masks: explain(side.blocked) })
    : [value];
}

/** A token with its positions. @param {Pair} pair @param {string[]} a @param {string[]} b labels */
export function tokenName({ a: inA, b: inB }, a, b) {
  if (inA === null) return gettext("{inB} {b} (only in B)", { inB: inB ?? 0, b: b[inB ?? 0] });
  if (inB === null) return gettext("{inA} {a} (only in A)", { inA, a: a[inA] });
  const place = inA === inB ? `${inA}` : `${inA} | ${inB}`;
  return a[inA] === b[inB] ? `${place} ${a[inA]}` : `${place} ${a[inA]} | ${b[inB]}`;
}

/** The differences in one sentence. @param {Differences} differences */
export const sentence = ({ a, b }) =>
  a.length > 0
    ? gettext("A: {a}; B: {b}.", { a: commas(a), b: commas(b) })
    : gettext(
        "A and B are the same. Change something — masks, mutes, head, sentence or model — and B follows.",
      );

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
  text: (text, other) => (text === undefined ? gettext("no text") : quote(cut(text, other))),
  /** @param {string | undefined} text @param {string} [other] */
  target: (text, other) =>
    text === undefined
      ? gettext("no target")
      : gettext("target {cut}", { cut: quote(cut(text, other)) }),
  /** @param {string | undefined} text @param {string} [other] */
  pair: (text, other) =>
    text === undefined
      ? gettext("no second segment")
      : gettext("second segment {cut}", { cut: quote(cut(text, other)) }),
  /** @param {number} place @param {number} n */
  place: (place, n) =>
    n === 1 ? gettext("one text") : gettext("text {place} of {n}", { place: place + 1, n }),
  others: gettext("beside another text"),
  ownMasks: gettext("the model’s own masks"),
  transposed: gettext("transposed (j → i)"),
  straight: gettext("as it is (i → j)"),
  /** @param {Pick<Against, "muted">} side */
  mutes: ({ muted }) => {
    if (muted.length === 0) return gettext("no head muted");
    if (muted.length > MAX_NAMED) return gettext("{muted} heads muted", { muted: muted.length });
    const heads = muted.map(([layer, head, kind = "self"]) => headInText({ kind, layer, head }));
    return gettext("{heads} muted", { heads: enumerated(heads) });
  },
};

/** @typedef {{inText: string, first: string}} Where a position: within a sentence, and at its start */

/** Where a prediction is made. @param {boolean} fills whether it fills in the token instead of continuing @param {string} token @returns {Where} */
export const whereInWords = (fills, token) =>
  fills
    ? { inText: gettext("at {token}", { token }), first: gettext("At {token}", { token }) }
    : { inText: gettext("after {token}", { token }), first: gettext("After {token}", { token }) };

/**
 * The most likely predictions of A and B; "" if neither predicts.
 * @param {Prediction[] | null} a
 * @param {Prediction[] | null} b
 * @param {{a: Where, b: Where}} at
 */
export function predictionsInWords(a, b, at) {
  const [topA, topB] = [a?.[0], b?.[0]];
  if (!topA && !topB) return "";
  if (!topB)
    return topA
      ? gettext("A predicts {token} {where}; B predicts nothing.", {
          token: withShare(topA),
          where: at.a.inText,
        })
      : "";
  if (!topA)
    return gettext("B predicts {token} {where}; A predicts nothing.", {
      token: withShare(topB),
      where: at.b.inText,
    });
  const together = at.a.inText === at.b.inText; // then it is mentioned once
  if (isSame(topA, topB)) {
    const [shareA, shareB] = [percent(topA.probability), percent(topB.probability)];
    return together
      ? gettext("{where} both predict {token}: A with {shareA}, B with {shareB}.", {
          where: at.a.first,
          token: quoted(topA),
          shareA,
          shareB,
        })
      : gettext("Both predict {token}: A with {shareA} {whereA}, B with {shareB} {whereB}.", {
          token: quoted(topA),
          shareA,
          whereA: at.a.inText,
          shareB,
          whereB: at.b.inText,
        });
  }
  const kept = b?.find((token) => isSame(token, topA));
  const tops = together
    ? gettext("{where} A predicts {a}, B {b}.", {
        where: at.a.first,
        a: withShare(topA),
        b: withShare(topB),
      })
    : gettext("A predicts {a} {whereA}, B {b} {whereB}.", {
        a: withShare(topA),
        whereA: at.a.inText,
        b: withShare(topB),
        whereB: at.b.inText,
      });
  const fate = kept
    ? gettext("{token} has {probability} in B.", {
        token: quoted(topA),
        probability: percent(kept.probability),
      })
    : gettext("{token} is not among the top {b} of B.", { token: quoted(topA), b: b?.length ?? 0 });
  return sentences([tops, fate]);
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
