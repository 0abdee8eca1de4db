// The numbers in the cells of a heatmap, as marks of a scene. Pure.

import { pointed } from "../language/language.js";
import { LABEL_SIZE } from "./axes.js";
import { lightness } from "./color.js";
import { paint } from "./raster.js";
import { widthOf } from "./textwidth.js";

/** @import { Mark } from "./scene.js" */

const ROOM = { width: 2, height: 5 }; // pixels that a cell needs beyond its number
const SIZES = { least: LABEL_SIZE, most: LABEL_SIZE };
const ALL = 1 - 1e-6; // a share of float32 that is 1 but for rounding
const MIDDLE = 0.62; // lightness: on darker cells a light number is easier to read

/**
 * As large as the cells allow; none if the smallest do not fit.
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix NaN: not known
 * @param {{data: Uint8Array}} blocked
 * @param {import("./axes.js").Place} plot
 * @param {{table: Uint8ClampedArray, range: import("./raster.js").Range, paper: import("./figure.js").Paper, percent?: boolean}} look
 *   `percent`: whether numbers are whole per cents
 * @param {{least: number, most: number}} sizes of the font, in pixels
 * @returns {Mark[]}
 */
export function cellNumbers(
  matrix,
  blocked,
  plot,
  { table, range, paper, percent = false },
  sizes = SIZES,
) {
  const { rows, cols, data } = matrix;
  const [wide, high] = [plot.width / cols, plot.height / rows];
  if (high < sizes.least + ROOM.height || wide < sizes.least + ROOM.width) return [];
  const short = percent ? wholePercent : decimals;
  const texts = Array.from(data, (value) => (Number.isNaN(value) ? "" : short(value)));
  const widest = texts.reduce((most, text) => Math.max(most, widthOf(text, 1)), 0);
  const size = Math.floor(
    Math.min(sizes.most, high - ROOM.height, (wide - ROOM.width) / Math.max(1, widest)),
  );
  if (size < sizes.least) return [];
  const pixels = paint(matrix, table, range);
  const dark = lightness(rgb(paper.ink)) < lightness(rgb(paper.panel));
  const [onLight, onDark] = dark ? [paper.ink, paper.panel] : [paper.panel, paper.ink];
  return texts.flatMap((text, at) => {
    // a blocked cell has no number, unless a mask failed to keep the weight at 0
    if (text === "" || (blocked.data[at] && data[at] === 0)) return [];
    const [red, green, blue] = pixels.subarray(4 * at, 4 * at + 3);
    return [
      {
        mark: /** @type {const} */ ("text"),
        text,
        size,
        anchor: /** @type {const} */ ("middle"),
        x: plot.x + ((at % cols) + 0.5) * wide,
        y: plot.y + (Math.floor(at / cols) + 0.5) * high,
        fill: lightness([red, green, blue]) > MIDDLE ? onLight : onDark,
      },
    ];
  });
}

/** A share in whole per cents, as far as that is honest: 0.997 is less than all, and less than a half is too little for a number. @param {number} share */
const wholePercent = (share) => {
  if (share < 0.005) return "";
  return share > 0.995 && share < ALL ? ">99" : (100 * share).toFixed(0);
};

/** Two decimals, with a real minus. @param {number} value */
const decimals = (value) =>
  pointed(
    value
      .toFixed(2)
      .replace(/^-(?!0\.00$)/, "−")
      .replace(/^-/, ""),
  );

/** @param {string} css @returns {import("./color.js").Rgb} */
const rgb = (css) => {
  const [red = 0, green = 0, blue = 0] = (css.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
};
