// What differs between A and B, as a list for each side. Pure.

import { commas } from "../../language/gettext.js";
import { SOURCES } from "../../sources/sources.js";
import { areEdited, differingMasks } from "../../state/masks.js";
import { same } from "../../state/store.js";
import { headInText, modelLabel } from "../../words/heads.js";
import { SETTINGS } from "./words.js";

/** @import { Masks, Side } from "../../types.d.ts" */

/**
 * What may differ, in the order of the list: the values to compare, and what a side is in words.
 * @type {{value: (side: Side, other: Side) => unknown, words: (side: Side, other: Side) => string}[]}
 */
const ROWS = [
  { value: ({ model }) => model, words: ({ model }) => modelLabel(model) },
  ...SOURCES.map(({ name, difference }) => ({
    value: (/** @type {Side} */ side, /** @type {Side} */ other) =>
      [side, other].every(({ model }) => model === name) && side[name],
    words: (/** @type {Side} */ side, /** @type {Side} */ other) =>
      difference(side[name], other[name]),
  })),
  {
    value: ({ texts, shown }) => texts[shown],
    words: (side, other) => SETTINGS.text(side.texts[side.shown], other.texts[other.shown]),
  },
  { value: placeOf, words: ({ texts, shown }) => SETTINGS.place(shown, texts.length) },
  {
    // the other texts of the batch determine the padding
    value: (side, other) =>
      same(placeOf(side), placeOf(other)) && side.texts.filter((_, index) => index !== side.shown),
    words: () => SETTINGS.others,
  },
  {
    value: ({ targets, shown }) => targets[shown] ?? "",
    words: (side, other) => SETTINGS.target(side.targets[side.shown], other.targets[other.shown]),
  },
  {
    value: ({ pairs, shown }) => pairs?.[shown] ?? null,
    words: (side, other) => SETTINGS.pair(side.pairs?.[side.shown], other.pairs?.[other.shown]),
  },
  { value: ({ masks }) => masks, words: ({ masks }, other) => masksInWords(masks, other.masks) },
  { value: ({ muted }) => muted.map((mute) => mute.join(".")).sort(), words: SETTINGS.mutes },
  { value: ({ kind, layer, head }) => [kind, layer, head], words: headInText },
  {
    value: ({ transposed = false }) => transposed,
    words: ({ transposed }) => (transposed ? SETTINGS.transposed : SETTINGS.straight),
  },
];

/**
 * For each side, what differs from the other; both lists are empty if nothing does.
 * @param {Side} a
 * @param {Side} b
 * @returns {{a: string[], b: string[]}}
 */
export function differing(a, b) {
  const rows = ROWS.filter(({ value }) => !same(value(a, b), value(b, a)));
  return {
    a: rows.map(({ words }) => words(a, b)),
    b: rows.map(({ words }) => words(b, a)),
  };
}

/** How many texts there are, and which one is shown. @param {Side} side */
function placeOf({ texts, shown }) {
  return [texts.length, shown];
}

/**
 * The masks that differ.
 * @param {Masks} masks
 * @param {Masks} other
 */
function masksInWords(masks, other) {
  if (!areEdited(masks) && masks.padding_side === other.padding_side) return SETTINGS.ownMasks;
  return commas(differingMasks(masks, other).map(({ name, wording }) => wording.side(masks[name])));
}
