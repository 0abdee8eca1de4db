// Lines: everything that people read in this view. Pure.

import { commas, gettext, ngettext } from "../../language/gettext.js";
import { fixed, percentage } from "../../language/language.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { weight } from "../../words/format.js";
import { allHeads, headName, heads } from "../../words/heads.js";
import { bold, listed, parts } from "../../words/parts.js";
import { sumAt } from "./strengths.js";

/** @import { Detail, Focus, Picture } from "./picture.js" */
/** @import { Drawn } from "./strengths.js" */

const LISTED = 5; // tokens in a sentence

export const TOOLS = {
  /** @param {Node} slider @param {Node} share */
  mass: (slider, share) => parts("Strongest {slider} {share} of the weight", { slider, share }),
  specials: gettext("Special tokens"),
  heads: gettext("Heads"),
  chosen: gettext("Heads drawn together"),
  add: gettext("Keep this head while you look at others"),
  /** @param {number} layer */
  addLayer: (layer) => gettext("+ layer {layer}", { layer }),
  /** @param {number} layer */
  aboutLayer: (layer) => gettext("Every head of layer {layer}", { layer }),
  selected: gettext("the selected head"),
  clear: gettext("Clear"),
  /** @param {string} reason */
  missing: (reason) => gettext("Some heads cannot be drawn: {reason}", { reason }),
};

/** What to do with special tokens: the name of each option, and what it does. */
export const SPECIALS = /** @type {const} */ ([
  ["shown", gettext("Shown"), gettext("every token is drawn")],
  [
    "hidden",
    gettext("Hidden"),
    gettext("special tokens are not drawn, and the weights stay as they are"),
  ],
  [
    "renormalised",
    gettext("Hidden, rest sums to 1"),
    gettext("each row is divided by what is left of it"),
  ],
]);

/** The button that unpins all tokens. @param {number} n how many are pinned */
export function unpinInWords(n) {
  if (n === 0) return gettext("No token pinned");
  return ngettext("Unpin the token", "Unpin {n} tokens", n);
}

export const KEYBOARD = {
  role: gettext("lines between tokens"),
  label: gettext(
    "Attention as lines: up and down walk the tokens, left and right choose queries or keys, Enter pins a query, Escape clears",
  ),
};
export const TABLE = {
  label: gettext("The numbers beside the tokens"),
  open: gettext("All these numbers as a table"),
  query: gettext("query"),
  key: gettext("key"),
};
export const NO_NUMBERS = gettext(
  "There is nothing to draw: the numbers of this head are not available.",
);
export const ALL_HEADS = gettext("all heads");

/** What the two columns of tokens are. @param {import("../../types.d.ts").Kind} kind */
export const sideNames = (kind) =>
  kind === "cross"
    ? { queries: gettext("target queries"), keys: gettext("source keys") }
    : { queries: gettext("queries"), keys: gettext("keys") };

/** Several heads of one colour, in the legend. @param {number} first @param {number} last layer @param {number} n heads */
export const groupName = (first, last, n) =>
  first === last
    ? gettext("layer {first}: {heads}", { first, heads: heads(n) })
    : gettext("layers {first} to {last}: {heads}", { first, last, heads: heads(n) });

/** @param {Picture} picture @param {Detail} detail */
export function titleOf({ matrix, series }, { site, head }) {
  if (!isOfHead(matrix))
    return gettext("Attention {matrix}, {heads}", { matrix, heads: allHeads(site.kind) });
  const [name, numbers, others] = [headName(site, head), MATRICES[matrix].lines, series.length - 1];
  if (others === 0) return `${name}: ${numbers}`;
  return ngettext(
    "{name}: {numbers}, with {n} other head",
    "{name}: {numbers}, with {n} other heads",
    others,
    { name, numbers: numbers ?? "" },
  );
}

/**
 * What a number beside a token is.
 * @param {Picture} picture
 * @param {number} rows
 */
export function captionOf({ series, matrix }, rows) {
  const n = series.length;
  if (rows === 1) return n > 1 ? gettext("sum of {n} heads", { n }) : MATRICES[matrix].unit;
  return n > 1
    ? gettext("{rows} rows × {n} heads", { rows, n })
    : gettext("sum of {rows} rows", { rows });
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
    picture.left &&
      gettext("Rollout covers all heads together, so no other head is drawn over it."),
    picture.missing > 0 &&
      ngettext(
        "{n} overlaid head is not drawn yet.",
        "{n} overlaid heads are not drawn yet.",
        picture.missing,
      ),
    picture.by === "layer" &&
      gettext("There are more heads than colours, so each colour stands for a layer."),
    picture.by === "layers" &&
      gettext("There are more heads than colours, so each colour stands for a few layers."),
    specialsInWords(picture),
    hiddenPins > 0 &&
      ngettext(
        "{n} pinned token is hidden and left out of the sum.",
        "{n} pinned tokens are hidden and left out of the sum.",
        hiddenPins,
      ),
    picture.mass < 1 &&
      gettext(
        "Only the strongest keys of each row are drawn, until they hold {mass} of its weight; the numbers count every key.",
        { mass: percentage(fixed(100 * picture.mass, 0)) },
      ),
    drawn.cut &&
      gettext("Only the strongest {count} of {total} lines are drawn, down to {least}.", {
        count: drawn.count,
        total: drawn.total,
        least: weight(drawn.least),
      }),
    picture.block && gettext("Everything outside the chosen segments is pale."),
  ].filter((sentence) => typeof sentence === "string" && sentence !== "");

/** @param {Picture} picture @param {Drawn} drawn */
function strengthsInWords({ matrix, series }, { full }) {
  if (full === 0)
    return gettext("None of these tokens looks at another one, so there are no lines.");
  const { lines } = MATRICES[matrix];
  return series.length > 1
    ? gettext("Lines show {lines} of {series} heads; the strongest is {full}.", {
        lines: lines ?? "",
        series: series.length,
        full: weight(full),
      })
    : gettext("Lines show {lines}; the strongest is {full}.", {
        lines: lines ?? "",
        full: weight(full),
      });
}

/** Why the pattern is drawn instead of the selected matrix. @param {Picture} picture */
function insteadInWords({ asked, matrix }) {
  if (asked === "scores")
    return gettext("Scores can be negative, so lines cannot show them. This is the pattern.");
  return asked === matrix
    ? ""
    : gettext("There is no {asked} here. This is the pattern.", { asked });
}

/** @param {Picture} picture */
function specialsInWords({ specials, hidden, renormalise, matrix }) {
  if (specials === "shown") return "";
  if (hidden === 0) return gettext("There are no special tokens to hide.");
  if (renormalise)
    return gettext(
      "Special tokens are hidden; each row is divided by what is left, so that the keys shown sum to 1.",
    );
  return MATRICES[matrix].sums
    ? gettext("The weights of the keys shown do not sum to 1, because special tokens are hidden.")
    : gettext(
        "Special tokens are hidden. These numbers need not sum to 1, so they stay as they are.",
      );
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
    what:
      series.length > 1
        ? gettext("{what}, sum of {series} heads:", { what, series: series.length })
        : `${what}:`,
    numbers,
    rest: restInWords(numbers.length, ranked.length - numbers.length),
  };
}

/** The same in a sentence. @param {ReturnType<typeof numbersOf>} isolated */
export function numbersInWords({ what, numbers, rest }) {
  const items = listed(
    numbers.map(({ name, value }) => parts("{name} {value}", { name, value: bold(value) })),
  );
  if (items.length === 0) return parts("{what} {rest}", { what, rest });
  return rest
    ? parts("{what} {items} {rest}", { what, items, rest })
    : parts("{what} {items}", { what, items });
}

/** @param {Focus} focus @param {string[]} queries @param {string[]} keys @param {string} verb of a query */
function focusInWords({ kind, pointed, rows }, queries, keys, verb) {
  if ((kind === "query" || kind === "pins") && rows.length === 1)
    return gettext("query {token} {verb}", { token: tokenName(queries, rows[0]), verb });
  if (kind === "key" && pointed)
    return gettext("key {token} gets from", { token: tokenName(keys, pointed.place) });
  if (kind === "all") return ngettext("sum of the only row", "sum of all {n} rows", rows.length);
  const named = rows.slice(0, LISTED).map((place) => tokenName(queries, place));
  const names = commas(rows.length > LISTED ? [...named, "…"] : named);
  return gettext("sum of {rows} rows ({names})", { rows: rows.length, names });
}

/** What is not listed. @param {number} listed @param {number} others */
function restInWords(listed, others) {
  if (listed === 0) return gettext("nothing");
  if (others === 0) return "";
  return ngettext("and {n} other", "and {n} others", others);
}

/** @param {string[]} labels @param {number} place */
const tokenName = (labels, place) => `${place} ${labels[place]}`;
