// q, k and v side by side as marks of a scene, with tokens down and channels along the top. Pure.

import { cut, reach, shrink } from "../numbers/matrix.js";
import { LABEL_SIZE, ticks } from "./axes.js";
import { paint } from "./raster.js";

/** Around the vectors, if they do not stand beside the heatmap. */
export const VECTORS = { top: 34, bottom: 22 };
const SIDES = { left: 84, right: 8 }; // pixels beside the vectors; on the left for labels
const LABEL_ROOM = 0.24; // share of the width, for labels between two parts
const NAME_SIZE = 13; // pixels, of q, k and v
const LABEL_GAP = 5; // pixels between a label and the cells

/** @import { Mark } from "./scene.js" */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Matrix */
/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string[]} labels of all tokens
 * @property {[start: number, stop: number]} shown the visible tokens
 * @property {Matrix} matrix
 */
/** @typedef {{name: string, x: number, y: number, width: number, height: number, shown: [number, number], channels: number}} Cells where the cells of a part are */

/**
 * Where each part stands, in shares of the width. A part gets an axis of its own if its tokens differ from those of the part before.
 * @param {{labels: string[]}[]} parts
 * @returns {{own: boolean, span: [start: number, stop: number]}[]}
 */
export function spansOf(parts) {
  const own = parts.map(({ labels }, index) => index === 0 || labels !== parts[index - 1].labels);
  const room = own.filter(Boolean).length > 1 ? LABEL_ROOM : 0; // the first axis is in the margin
  const width = (1 - room) / parts.length;
  let taken = 0;
  return own.map((isOwn, index) => {
    if (isOwn && index > 0) taken = room;
    const start = taken + index * width;
    return { own: isOwn, span: [start + (index ? 0.02 : 0), start + width - 0.005] };
  });
}

/** The ends of the scale of a part, which is symmetric about zero: v is often much smaller than q and k. @param {Matrix} matrix */
export function endsOf({ data }) {
  const limit = reach(data);
  return { limit, text: `±${limit.toPrecision(2)}` };
}

/**
 * @param {object} options
 * @param {Part[]} options.parts
 * @param {Uint8ClampedArray} options.table a diverging colour scale
 * @param {import("./figure.js").Paper} options.paper
 * @param {number} options.width of all, in pixels
 * @param {number} options.height
 * @param {{top: number, bottom: number}} [options.margin] in pixels
 * @returns {{marks: Mark[], cells: Cells[]}}
 */
export function vectorsMarks({ parts, table, paper, width, height, margin = VECTORS }) {
  const room = Math.max(1, width - SIDES.left - SIDES.right);
  const high = Math.max(1, height - margin.top - margin.bottom);
  const spans = spansOf(parts);
  const cells = parts.map(({ name, shown, matrix }, index) => {
    const [start, stop] = spans[index].span;
    const [x, y] = [SIDES.left + start * room, margin.top];
    return { name, x, y, width: (stop - start) * room, height: high, shown, channels: matrix.cols };
  });
  /** @param {Part} part @param {number} place @returns {Mark[]} */
  const marksOf = ({ name, labels, shown, matrix }, place) => {
    const { x, y, width: wide } = cells[place];
    const { limit, text } = endsOf(matrix);
    const seen = shrink(cut(matrix, [...shown, 0, matrix.cols]), Math.ceil(2 * high), matrix.cols);
    const data = paint(seen, table, { low: -limit, high: limit });
    const middle = { mark: /** @type {const} */ ("text"), anchor: /** @type {const} */ ("middle") };
    const step = high / (shown[1] - shown[0]);
    const named = spans[place].own ? ticks(labels, high, shown) : [];
    return [
      {
        mark: /** @type {const} */ ("image"),
        x,
        y,
        width: wide,
        height: high,
        pixels: { width: seen.cols, height: seen.rows, data },
      },
      {
        ...middle,
        x: x + wide / 2,
        y: y - 9,
        text: name,
        size: NAME_SIZE,
        weight: 700,
        fill: paper.ink,
      },
      { ...middle, x: x + wide / 2, y: y + high + 11, text, size: LABEL_SIZE, fill: paper.faint },
      ...named.map((label) => ({
        mark: /** @type {const} */ ("text"),
        anchor: /** @type {const} */ ("end"),
        x: x - LABEL_GAP,
        y: y + (label.place - shown[0] + 0.5) * step,
        text: label.text,
        size: LABEL_SIZE,
        fill: paper.ink,
      })),
    ];
  };
  return { marks: parts.flatMap(marksOf), cells };
}

/**
 * The channel at a point of the picture; null outside the cells.
 * @param {Cells[]} cells
 * @param {number} x
 * @param {number} y
 */
export function channelAt(cells, x, y) {
  for (const { name, shown, channels, ...box } of cells) {
    const [across, down] = [(x - box.x) / box.width, (y - box.y) / box.height];
    if (across < 0 || across >= 1 || down < 0 || down >= 1) continue;
    const token = shown[0] + Math.floor(down * (shown[1] - shown[0]));
    return { name, token, channel: Math.floor(across * channels) };
  }
  return null;
}
