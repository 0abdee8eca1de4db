// Lines: which heads are drawn beside the selected one, and in which colours. Pure.

import { COLOURS } from "../../draw/color.js";
import { ascending } from "../../state/overlay.js";
import { shortHeadName } from "../../words/heads.js";
import { groupName } from "./words.js";

/** @import { Answer } from "../../types.d.ts" */
/** @import { Head } from "../../state/overlay.js" */
/** @typedef {"ink" | number} Colour "ink": the selected head; a number: the place of an overlaid head in the palette */

/** Whether the pattern of the selected head is only a picture: bytes, perhaps pooled. @param {Answer | null} detail */
export const isPicture = (detail) => detail?.exact !== undefined;

/**
 * The colour of each overlaid head. If there are more heads than colours, the heads of a layer share one; if there are more
 * layers than colours, those of several neighbouring layers do. The legend says which.
 * @param {Head[]} heads
 * @returns {{by: "head" | "layer" | "layers", colours: number[], groups: {colour: number, name: string}[]}}
 */
export function coloursOf(heads) {
  if (heads.length <= COLOURS) {
    const groups = heads.map((head, colour) => ({ colour, name: shortHeadName(head) }));
    return { by: "head", colours: heads.map((_, index) => index), groups };
  }
  const layers = ascending(heads.map(([layer]) => layer));
  const each = Math.ceil(layers.length / COLOURS);
  const colours = heads.map(([layer]) => Math.floor(layers.indexOf(layer) / each));
  const groups = ascending(colours).map((colour) => {
    const group = layers.slice(colour * each, (colour + 1) * each);
    const n = colours.filter((one) => one === colour).length;
    return { colour, name: groupName(group[0], group[group.length - 1], n) };
  });
  return { by: each === 1 ? "layer" : "layers", colours, groups };
}
