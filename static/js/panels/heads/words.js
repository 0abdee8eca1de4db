// What the panel of all heads says: the grid, the ways to find a head, and the ranking.

import { gettext, ngettext, translated } from "../../language/gettext.js";
import { fixed, percentage } from "../../language/language.js";
import { quote } from "../../words/format.js";

/** @import { Kind } from "../../types.d.ts" */
/** @typedef {{layer: number, head: number}} Head */

/** @type {Record<Kind, string>} */
export const GRID_LABELS = {
  self: gettext("Attention heads, layers down, heads across"),
  encoder: gettext("Attention heads (encoder), layers down, heads across"),
  decoder: gettext("Attention heads (decoder), layers down, heads across"),
  cross: gettext("Attention heads (cross), layers down, heads across"),
};
export const CORNER = { text: gettext("head"), label: gettext("layers down, heads across") };
/** @param {number} layer */
export const rowHeader = (layer) => `L${layer}`;
/** @param {number} layer */
export const layerLabel = (layer) => gettext("Layer {layer}", { layer });
/** The label of a head in which no metric is strong. */
export const MIXED = gettext("mixed");
/** Long words of labels, with the place where they may be broken. Each language has its own. */
const SYLLABLES = gettext(
  "brack-et deter-miner induc-tion posses-sive pre-vious pro-noun punc-tu-ation re-flex-ive sub-ject",
).split(" ");
/** A label that may be broken within a long word: it stands below a small picture. @param {string} name */
export const breakable = (name) =>
  SYLLABLES.reduce(
    (text, word) => text.replace(word.replaceAll("-", ""), word.replaceAll("-", "\u00ad")),
    name,
  );
/** @param {number} head */
export const columnLabel = (head) => gettext("head {head}", { head });

/** @param {Head} head */
export const headLabel = ({ layer, head }) =>
  gettext("layer {layer}, head {head}", { layer, head });
/** @param {Head} head */
export const shortName = ({ layer, head }) => `L${layer}·H${head}`;
/** What is said of a thumbnail under the mouse. @param {Head & {label: string, does: string}} head `label`: what the head does; "" if it has no label; `does`: the same in a few words */
export function aboutHead({ layer, head, label, does }) {
  if (!label) return gettext("layer {layer} · head {head}", { layer, head });
  return does
    ? gettext("layer {layer} · head {head}: {label} ({does})", { layer, head, label, does })
    : gettext("layer {layer} · head {head}: {label}", { layer, head, label });
}
export const MUTED = gettext("muted");
/** The button of a grid that is too tall for its place. */
export const [LARGER, SMALLER] = [gettext("larger"), gettext("all in sight")];
/** Of a head that a ranking puts first, second or third. @param {number} place */
export const best = (place) => gettext("number {place} of all heads", { place });

export const STRONGEST = gettext("strongest");
export const STRONGEST_ABOUT = gettext(
  "What each head does most, if it takes at least 0.30 of its attention, or the relation between words that it follows; “broad” if its attention is almost even. “Induction” also asks that it copies what it looks at. In italics: what a head does in other texts, but not in this one.",
);

/** @typedef {{query: string, key: string}} Ends */

/**
 * What the scores between two tokens are. In a model that predicts the next token, the query is predicted at the position before it.
 * @param {Ends & {before: string | null}} ends `before`: the token before the query, if the query is predicted there
 */
export const betweenInWords = ({ query, key, before }) =>
  before === null
    ? gettext(
        "Every head’s weight from {query} to {key}, in this sentence. Choose a head in the ranking and mute it (m).",
        { query: quote(query), key: quote(key) },
      )
    : gettext(
        "Every head’s weight from {query} to {key}, in this sentence. Choose a head and mute it (m). The prediction of {query} itself is made at {before}, the token before it.",
        { query: quote(query), key: quote(key), before: quote(before) },
      );
export const BETWEEN_NO_TOKENS = gettext(
  "Every head’s weight, in this sentence. Choose a head in the ranking and mute it (m).",
);

/**
 * What a metric measures.
 * @param {{definition: string, source: string}} metric `definition`: one or more sentences
 */
export const metricInWords = ({ definition, source }) => `${definition} (${source})`;
/**
 * The same for attention to the first token.
 * @param {{definition: string, source: string, share: number}} metric `share`: of the heads that mostly look there
 */
export const firstTokenInWords = ({ definition, source, share }) =>
  gettext("{definition} Here, {share} of the heads are sinks. ({source})", {
    definition,
    share: percentage(fixed(100 * share, 0)),
    source,
  });

/** What the numbers of a relation are. @param {{relation: string, does: string}} head `does` completes "a head …" */
export const relationInWords = ({ relation, does }) =>
  gettext(
    "{relation}: a head that {does}. The number is the mean share of its attention, on sentences that the model was not trained on.",
    { relation: quote(relation), does },
  );

/** The shapes that a picture can start from: the name of each, and where it is painted. @type {Record<import("../../numbers/picture.js").Shape, [name: string, about: string]>} */
export const SHAPE_NAMES = {
  previous: [gettext("previous token"), gettext("Paint the token before each token")],
  first: [gettext("first token"), gettext("Paint the first token in each row")],
  itself: [gettext("itself"), gettext("Paint each token’s own cell")],
  head: [
    gettext("this head"),
    gettext("Paint the key that the selected head looks at most, in each row"),
  ],
};
export const START_FROM = gettext("start from");
export const CLEAR_PICTURE = gettext("clear");
export const PAINT = gettext(
  "Paint at least one cell: drag over the heatmap, or start from a shape. Then every head is ranked by how much it looks there.",
);
export const PICTURE_ELSEWHERE = gettext(
  "This text is too short for your picture: it has none of the cells that you painted. Paint at least one cell.",
);
export const NO_CELL = gettext("Paint at least one cell to rank the heads.");
export const MATCHING = gettext("comparing the heads with your picture …");
/**
 * What the numbers of a picture are.
 * @param {{cells: number, chance: number | null, over: number}} picture `chance`: null if no head has a number
 */
export function pictureInWords({ cells, chance, over }) {
  const painted = ngettext("{n} cell is painted.", "{n} cells are painted.", cells);
  if (chance === null) return gettext("{painted} No head can be measured on them.", { painted });
  const rows = ngettext("in {n} row", "in {n} rows", over);
  return gettext(
    "{painted} The number is the mean share of a head’s attention on them, {rows} of this text; looking everywhere alike gives {chance}.",
    { painted, rows, chance: fixed(chance, 2) },
  );
}

export const NOT_NAMED = gettext(
  "These weights are random, so no head has a habit to be named after. Choose what to rank the heads by.",
);

/** @param {string} relation */
export const noHeadDraws = (relation) =>
  gettext("No head of this model is known to follow the relation {relation}.", {
    relation: quote(relation),
  });

/** The list that explains the labels under the heads. */
export const LEGEND = gettext("What the labels mean");

export const WEIGHT = gettext("weight");
export const SHARE = gettext("share of attention");
export const STRONGEST_LABEL = gettext("strongest label");
/** @param {string | null} reason */
export const notDefined = (reason) =>
  gettext("not defined here: {reason}", { reason: translated(reason ?? "") });
/** @param {number} n */
export const moreBelow = (n) => ngettext("{n} more head below", "{n} more heads below", n);
/** @param {string} n */
export const tokens = (n) => gettext("{n} tokens", { n });

/** The blocks of two segments: the name of each, and what it shows. @type {Record<import("../../types.d.ts").Segments, [name: string, about: string]>} */
export const BLOCK_NAMES = {
  all: [gettext("All"), gettext("every cell")],
  AA: ["A→A", gettext("what A sees in itself")],
  AB: ["A→B", gettext("what A sees in B")],
  BA: ["B→A", gettext("what B sees in A")],
  BB: ["B→B", gettext("what B sees in itself")],
};
