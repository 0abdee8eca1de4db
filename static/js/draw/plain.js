// One head as a picture within a text: square cells, with their numbers if there is room. Pure.

import { lightness } from "./color.js";
import { heatmapMarks, wanted, widthOf } from "./heatmap.js";
import { paint } from "./raster.js";

/** @typedef {import("./heatmap.js").Place} Place */
/** @typedef {import("./scene.js").Mark} Mark */
/** @typedef {import("./scene.js").Scene} Scene */

const [SMALLEST, LARGEST] = [5, 48]; // pixels per cell
const NARROW = 420; // pixels: a narrower picture has no colour scale
const SCALE = 56; // width of the scale in pixels
const BAR = 60; // minimum height of the scale with its numbers, in pixels
const SIZE = 11; // font size of the numbers
const MIN_CELL = 18; // pixels: the height of a cell with a number
const MIDDLE = 0.62; // lightness: on darker cells a light number is easier to read

/** The width at which cells have their maximum size. @param {{queries: string[], keys: string[]}} labels */
export const roomFor = (labels) => Math.ceil(wanted(labels, LARGEST).width);

/**
 * @param {object} options
 * @param {{rows: number, cols: number, data: Float32Array}} options.matrix
 * @param {{rows: number, cols: number, data: Uint8Array}} options.blocked
 * @param {string[]} options.queries labels
 * @param {string[]} options.keys
 * @param {Uint8ClampedArray} options.table
 * @param {import("./raster.js").Range} options.range
 * @param {string} options.unit
 * @param {{query: string, key: string}} options.texts
 * @param {import("./figure.js").Paper} options.paper
 * @param {string} options.hatch
 * @param {number} options.width of all, in pixels
 * @param {number} [options.row] a query to mark
 * @returns {{scene: Scene, plot: Place}} `plot` is where the cells are
 */
export function plainHeatmap(options) {
  const { matrix, queries, keys, paper, width, blocked, table, range } = options;
  const bar = width >= NARROW;
  const room = width - wanted({ queries, keys }, 0).width + (bar ? 0 : SCALE);
  const cell = Math.max(SMALLEST, Math.min(LARGEST, room / Math.max(1, keys.length)));
  const height = 2 * wanted({ queries, keys }, cell).height; // more than enough: `cell` determines the real height
  const draw = (/** @type {number} */ side) =>
    heatmapMarks({ ...options, x: 0, y: 0, height, cell: side, bar });
  const first = draw(cell);
  const fits = first.plot.width / Math.max(1, keys.length);
  const { marks, plot } = fits < cell ? draw(fits) : first; // labels that lean out need space, too
  const numbers = numbersOn(matrix, blocked, plot, paint(matrix, table, range), paper);
  const scene = {
    ...{ width, height: Math.ceil(plot.y + Math.max(plot.height, BAR) + 8) },
    ...{ font: paper.font, ground: paper.panel, title: "", marks: [...marks, ...numbers] },
  };
  return { scene, plot };
}

/**
 * The numbers of the cells; none if they do not fit.
 * @param {{rows: number, cols: number, data: Float32Array}} matrix
 * @param {{data: Uint8Array}} blocked
 * @param {Place} plot
 * @param {Uint8ClampedArray} pixels of the cells
 * @param {import("./figure.js").Paper} paper
 * @returns {Mark[]}
 */
function numbersOn({ rows, cols, data }, blocked, plot, pixels, paper) {
  const [wide, high] = [plot.width / cols, plot.height / rows];
  const texts = Array.from(data, short);
  const widest = Math.max(0, ...texts.map((text) => widthOf(text, SIZE)));
  if (high < MIN_CELL || wide < widest + 2) return [];
  const dark = lightness(rgb(paper.ink)) < lightness(rgb(paper.panel));
  const [onLight, onDark] = dark ? [paper.ink, paper.panel] : [paper.panel, paper.ink];
  return texts.flatMap((text, at) => {
    // a blocked cell has no number, unless a mask failed to keep the weight at 0
    if (blocked.data[at] && data[at] === 0) return [];
    const [red, green, blue] = pixels.subarray(4 * at, 4 * at + 3);
    return [
      {
        ...{ mark: /** @type {const} */ ("text"), text, size: SIZE },
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
