// Text: how tokens form words and lines, which letters are legible on a colour, and the direction of the text. Pure.

import { isLight, placeOf } from "../../draw/color.js";
import { label } from "../../words/format.js";

/** @import { Token } from "../../types.d.ts" */
/** @typedef {{label: string, joined: boolean, breaks: boolean, token: Token}} Word `joined`: no space before it; `breaks`: a new line after it */
/** @typedef {{fill: string, dark: boolean}} Shade `dark`: it needs light letters */

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** @param {Token[]} tokens @returns {Word[]} */
export const wordsOf = (tokens) =>
  tokens.map((token, index) => {
    const before = tokens[index - 1];
    const plain = before && ![before, token].some(({ special, padding }) => special || padding);
    const touches = plain && before.segment === token.segment && before.end >= token.start;
    return {
      label: label(token),
      joined: Boolean(touches) && !/^\s/.test(token.text),
      breaks: /\n/.test(token.text),
      token,
    };
  });

/** The direction of a text, which its first letter decides. @param {Word[]} words @returns {"ltr" | "rtl"} */
export function directionOf(words) {
  const letters = words.map(({ token, label }) => (token.special ? "" : label)).join("");
  const first = letters.match(/\p{L}/u)?.[0] ?? "";
  return RIGHT_TO_LEFT.test(first) ? "rtl" : "ltr";
}

/**
 * The colours of a scale, and whether each is dark.
 * @param {Uint8ClampedArray} table
 * @returns {Shade[]}
 */
export const shadesOf = (table) =>
  Array.from({ length: 256 }, (_, step) => {
    const [red, green, blue] = table.subarray(4 * step, 4 * step + 3);
    return { fill: `rgb(${red}, ${green}, ${blue})`, dark: !isLight([red, green, blue]) };
  });

/** The step of the scale for a weight. @param {number} weight @param {import("../../draw/color.js").Steps} steps */
export const stepOf = (weight, steps) =>
  Math.max(0, Math.min(255, Math.floor(255 * placeOf(weight, steps) + 0.5)));
