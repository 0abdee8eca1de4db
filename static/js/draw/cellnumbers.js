// The numbers in the cells of a heatmap, as marks of a scene. Pure.

import { LABEL_SIZE } from "./axes.js";
import { lightness } from "./color.js";
import { paint } from "./raster.js";
import { widthOf } from "./textwidth.js";

/** @typedef {import("./scene.js").Mark} Mark */

const MIN_HEIGHT = 1.45; // of a cell with a number, in sizes of its font
const MIDDLE = 0.62; // lightness: on darker cells a light number is easier to read

/**
 * None if they do not fit.
 * @param {{rows: number, cols: number, data: Float32Array}} matrix
 * @param {{data: Uint8Array}} blocked
 * @param {import("./axes.js").Place} plot
 * @param {{table: Uint8ClampedArray, range: import("./raster.js").Range, paper: import("./figure.js").Paper, size?: number}} look `size`: of the font
 * @returns {Mark[]}
 */
export function cellNumbers(matrix, blocked, plot, { table, range, paper, size = LABEL_SIZE }) {
  const { rows, cols, data } = matrix;
  const [wide, high] = [plot.width / cols, plot.height / rows];
  if (high < MIN_HEIGHT * size) return [];
  const texts = Array.from(data, short);
  const widest = Math.max(0, ...texts.map((text) => widthOf(text, size)));
  if (wide < widest + 2) return [];
  const pixels = paint(matrix, table, range);
  const dark = lightness(rgb(paper.ink)) < lightness(rgb(paper.panel));
  const [onLight, onDark] = dark ? [paper.ink, paper.panel] : [paper.panel, paper.ink];
  return texts.flatMap((text, at) => {
    // a blocked cell has no number, unless a mask failed to keep the weight at 0
    if (blocked.data[at] && data[at] === 0) return [];
    const [red, green, blue] = pixels.subarray(4 * at, 4 * at + 3);
    return [
      {
        ...{ mark: /** @type {const} */ ("text"), text, size },
        anchor: /** @type {const} */ ("middle"),
        x: plot.x + ((at % cols) + 0.5) * wide,
        y: plot.y + (Math.floor(at / cols) + 0.5) * high,
        fill: lightness([red, green, blue]) > MIDDLE ? onLight : onDark,
      },
    ];
  });
}

/** Two decimals, with a real minus. @param {number} value */
const short = (value) =>
  value
    .toFixed(2)
    .replace(/^-(?!0\.00$)/, "−")
    .replace(/^-/, "");

/** @param {string} css @returns {import("./color.js").Rgb} */
const rgb = (css) => {
  const [red = 0, green = 0, blue = 0] = (css.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
};
