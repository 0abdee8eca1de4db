// A colour scale with its numbers, as marks beside a picture.

import { pointed } from "../../language/language.js";
import { spread } from "../../words/picture.js";
import { placeOf } from "../color.js";
import { marks as decades } from "./bar.js";

/** @import { Mark } from "../scene.js" */
/** @import { Paper } from "../figure.js" */
/** @import { Range } from "../raster.js" */

const SIZE = 11; // font size

/**
 * The scale with its numbers, to the right of the cells.
 * @param {{table: Uint8ClampedArray, range: Range, unit: string, paper: Paper, plot: {x: number, y: number, width: number, height: number}}} options
 * @returns {Mark[]}
 */
export function scaleMarks({ table, range, unit, paper, plot }) {
  const height = Math.min(plot.height, Math.max(40, plot.height / 2));
  const place = { x: plot.x + plot.width + 12, y: plot.y, width: 8, height };
  const data = new Uint8ClampedArray(table.length);
  for (let i = 0; i < 256; i += 1) {
    data.set(table.subarray(4 * i, 4 * i + 4), 4 * (255 - i));
  }
  const text = { mark: /** @type {const} */ ("text"), size: SIZE, fill: paper.faint };
  return [
    { mark: "image", ...place, pixels: { width: 1, height: 256, data } },
    { mark: "rect", ...place, stroke: paper.line, line: 1 },
    ...numbersOn(range, height < 80 ? 2 : 5).map(({ place: share, text: number }) => ({
      ...text,
      x: place.x + 12,
      y: place.y + height * (1 - share),
      text: number,
    })),
    {
      ...text,
      x: place.x - 2,
      y: place.y + height + 12,
      text: spread(unit, range.steps),
    },
  ];
}

/** @param {Range} range @param {number} about approximately how many */
function numbersOn(range, about) {
  if (range.steps === "log") return decades(range);
  const { low, high, steps } = range;
  return numbers(range, about).map((value) => ({
    place: placeOf((value - low) / (high - low), steps),
    text: pointed(String(Number(value.toPrecision(4)))).replace("-", "−"),
  }));
}

/**
 * Round numbers within a range.
 * @param {{low: number, high: number}} range
 * @param {number} about
 */
export function numbers({ low, high }, about) {
  const rough = (high - low) / Math.max(1, about - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((by) => by * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const n = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: n }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
