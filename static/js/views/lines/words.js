// Lines: everything that people read in this view. Pure.

import { isOfHead, MATRICES } from "../../state/matrices.js";
import { grouped, weight } from "../../words/format.js";
import { allHeads, headName, heads } from "../../words/heads.js";
import { bold, listed, parts } from "../../words/parts.js";
import { sumAt } from "./strengths.js";

/** @import { Detail, Focus, Picture } from "./picture.js" */
/** @import { Drawn } from "./strengths.js" */

const LISTED = 5; // tokens in a sentence

export const TOOLS = {
  /** @param {Node} slider @param {Node} share */
  mass: (slider, share) => ["Strongest ", slider, " ", share, " of the weight"],
  specials: "Special tokens",
  heads: "Heads",
  chosen: "Heads drawn together",
  add: "Keep this head while you look at others",
  /** @param {number} layer */
  addLayer: (layer) => `+ layer ${layer}`,
  /** @param {number} layer */
  aboutLayer: (layer) => `Every head of layer ${layer}`,
  selected: "the selected head",
  clear: "Clear",
  /** @param {string} reason */
  missing: (reason) => `Some heads cannot be drawn: ${reason}`,
};

/** What to do with special tokens: the name of each option, and what it does. */
export const SPECIALS = /** @type {const} */ ([
  ["shown", "Shown", "every token is drawn"],
  ["hidden", "Hidden", "special tokens are not drawn, and the weights stay as they are"],
  ["renormalised", "Hidden, rest sums to 1", "each row is divided by what is left of it"],
]);

/** The button that unpins all tokens. @param {number} n how many are pinned */
export function unpinInWords(n) {
  if (n === 0) return "No token pinned";
  return n === 1 ? "Unpin the token" : `Unpin ${n} tokens`;
}

export const KEYBOARD = {
  role: "lines between tokens",
  label:
    "Attention as lines: up and down walk the tokens, left and right choose queries or keys, Enter pins a query, Escape clears",
};
export const TABLE = {
  label: "The numbers beside the tokens",
  open: "All these numbers as a table",
  query: "query",
  key: "key",
};
export const NO_NUMBERS = "There is nothing to draw: the numbers of this head are not available.";
export const ALL_HEADS = "all heads";

/** What the two columns of tokens are. @param {import("../../types.d.ts").Kind} kind */
export const sideNames = (kind) =>
  kind === "cross"
    ? { queries: "target queries", keys: "source keys" }
    : { queries: "queries", keys: "keys" };

/** Several heads of one colour, in the legend. @param {number} first @param {number} last layer @param {number} n heads */
export const groupName = (first, last, n) =>
  first === last ? `layer ${first}: ${heads(n)}` : `layers ${first} to ${last}: ${heads(n)}`;

/** @param {Picture} picture @param {Detail} detail */
export function titleOf({ matrix, series }, { site, head }) {
  if (!isOfHead(matrix)) return `Attention ${matrix}, ${allHeads(site.kind)}`;
  const [name, numbers, others] = [headName(site, head), MATRICES[matrix].lines, series.length - 1];
  if (others === 0) return `${name}: ${numbers}`;
  return others === 1
    ? `${name}: ${numbers}, with 1 other head`
    : `${name}: ${numbers}, with ${others} other heads`;
}

/**
 * What a number beside a token is.
 * @param {Picture} picture
 * @param {number} rows
 */
export function captionOf({ series, matrix }, rows) {
  const n = series.length;
  if (rows === 1) return n > 1 ? `sum of ${n} heads` : MATRICES[matrix].unit;
  return n > 1 ? `${rows} rows × ${n} heads` : `sum of ${rows} rows`;
}

/**
 * Every sentence that is needed to know what the picture shows and what it leaves out.
 * @param {Picture} picture
 * @param {Drawn} drawn
 * @param {number} hiddenPins
 */
export const notes = (picture, drawn, hiddenPins) =>
  [
    strengthsInWords(picture, drawn),
    insteadInWords(picture),
    picture.left && "Rollout covers all heads together, so no other head is drawn over it.",
    picture.missing === 1 && "1 overlaid head is not drawn yet.",
    picture.missing > 1 && `${picture.missing} overlaid heads are not drawn yet.`,
    picture.by === "layer" &&
      "There are more heads than colours, so each colour stands for a layer.",
    picture.by === "layers" &&
      "There are more heads than colours, so each colour stands for a few layers.",
    specialsInWords(picture),
    hiddenPins === 1 && "1 pinned token is hidden and left out of the sum.",
    hiddenPins > 1 && `${hiddenPins} pinned tokens are hidden and left out of the sum.`,
    picture.mass < 1 &&
      `Only the strongest keys of each row are drawn, until they hold ${Math.round(100 * picture.mass)}% of its weight; the numbers count every key.`,
    drawn.cut &&
      `Only the strongest ${grouped(drawn.count)} of ${grouped(drawn.total)} lines are drawn, down to ${weight(drawn.least)}.`,
    picture.block && "Everything outside the chosen segments is pale.",
  ].filter((sentence) => typeof sentence === "string" && sentence !== "");

/** @param {Picture} picture @param {Drawn} drawn */
function strengthsInWords({ matrix, series }, { full }) {
  if (full === 0) return "None of these tokens looks at another one, so there are no lines.";
  const { lines } = MATRICES[matrix];
  return series.length > 1
    ? `Lines show ${lines} of ${series.length} heads; the strongest is ${weight(full)}.`
    : `Lines show ${lines}; the strongest is ${weight(full)}.`;
}

/** Why the pattern is drawn instead of the selected matrix. @param {Picture} picture */
function insteadInWords({ asked, matrix }) {
  if (asked === "scores")
    return "Scores can be negative, so lines cannot show them. This is the pattern.";
  return asked === matrix ? "" : `There is no ${asked} here. This is the pattern.`;
}

/** @param {Picture} picture */
function specialsInWords({ specials, hidden, renormalise, matrix }) {
  if (specials === "shown") return "";
  if (hidden === 0) return "There are no special tokens to hide.";
  if (renormalise)
    return "Special tokens are hidden; each row is divided by what is left, so that the keys shown sum to 1.";
  return MATRICES[matrix].sums
    ? "The weights of the keys shown do not sum to 1, because special tokens are hidden."
    : "Special tokens are hidden. These numbers need not sum to 1, so they stay as they are.";
}

/**
 * What is isolated, with the largest numbers.
 * @param {Picture} picture
 * @param {Focus} focus
 * @param {Detail} detail
 * @returns {{what: string, numbers: {name: string, value: string}[], rest: string}}
 */
export function numbersOf({ shown, series, matrix }, focus, { queryLabels, keyLabels }) {
  const [labels, values, places] = focus.given
    ? [queryLabels, focus.given, shown.from]
    : [keyLabels, focus.received, shown.to];
  const ranked = places
    .map((place) => ({ place, value: sumAt(values, place) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const numbers = ranked
    .slice(0, LISTED)
    .map(({ place, value }) => ({ name: tokenName(labels, place), value: weight(value) }));
  const what = focusInWords(focus, queryLabels, keyLabels, MATRICES[matrix].row);
  return {
    what: series.length > 1 ? `${what}, sum of ${series.length} heads:` : `${what}:`,
    numbers,
    rest: restInWords(numbers.length, ranked.length - numbers.length),
  };
}

/** The same in a sentence. @param {ReturnType<typeof numbersOf>} isolated */
export function numbersInWords({ what, numbers, rest }) {
  const items = listed(numbers.map(({ name, value }) => parts`${name} ${bold(value)}`));
  if (items.length === 0) return parts`${what} ${rest}`;
  return rest ? parts`${what} ${items} ${rest}` : parts`${what} ${items}`;
}

/** @param {Focus} focus @param {string[]} queries @param {string[]} keys @param {string} verb of a query */
function focusInWords({ kind, pointed, rows }, queries, keys, verb) {
  if ((kind === "query" || kind === "pins") && rows.length === 1)
    return `query ${tokenName(queries, rows[0])} ${verb}`;
  if (kind === "key" && pointed) return `key ${tokenName(keys, pointed.place)} gets from`;
  if (kind === "all")
    return rows.length === 1 ? "sum of the only row" : `sum of all ${rows.length} rows`;
  const named = rows.slice(0, LISTED).map((place) => tokenName(queries, place));
  const names = (rows.length > LISTED ? [...named, "…"] : named).join(", ");
  return `sum of ${rows.length} rows (${names})`;
}

/** What is not listed. @param {number} listed @param {number} others */
function restInWords(listed, others) {
  if (listed === 0) return "nothing";
  if (others === 0) return "";
  return others === 1 ? "and 1 other" : `and ${others} others`;
}

/** @param {string[]} labels @param {number} place */
const tokenName = (labels, place) => `${place} ${labels[place]}`;
