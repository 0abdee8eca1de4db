// The numbers of a colour bar and their positions.

import { pointed } from "../../language/language.js";
import { orLess } from "../../words/picture.js";
import { DECADES, placeOf, shareAt } from "../color.js";

/** @import { Range } from "../raster.js" */

/**
 * Numbers to write under a colour bar, with their places from 0 to 1.
 * @param {Range} range
 * @returns {{place: number, text: string}[]}
 */
export function marks({ low, high, steps }) {
  if (steps === "log") {
    return Array.from({ length: DECADES + 1 }, (_, decade) => {
      const share = 10 ** (decade - DECADES);
      const text = brief(low + share * (high - low));
      return { place: placeOf(share, steps), text: decade === 0 ? orLess(text) : text };
    });
  }
  return [0, 0.5, 1].map((place) => ({
    place,
    text: brief(low + shareAt(place, steps) * (high - low)),
  }));
}

/** Two significant digits, as short as possible. @param {number} value */
function brief(value) {
  const short = Number(value.toPrecision(2));
  const tiny = short !== 0 && Math.abs(short) < 0.001;
  return pointed(tiny ? short.toExponential() : String(short)).replace("-", "−");
}
