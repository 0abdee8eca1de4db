// All heads as one picture: layers down, heads across, each with its label.

import { GRID_AXES, layerTick, MUTED } from "../../words/picture.js";
import { paint } from "../raster.js";
import { widthOf } from "../textwidth.js";
import { wrapped } from "./frame.js";

/** @import { Mark } from "../scene.js" */
/** @import { Paper } from "../figure.js" */
/** @import { Range } from "../raster.js" */
/** @typedef {{rows: number, cols: number, data: Float32Array | Uint8Array}} Matrix */
/** A head with its label: in full, and in short for a narrow thumbnail. @typedef {{head: number, matrix: Matrix, words: string, brief: string, muted: boolean}} Head */

const WIDTH = 960; // pixels, for all heads
const [SMALLEST, LARGEST] = [18, 96]; // the side of a thumbnail
const GAP = 4;
const SIZE = 10;
const LINE = 12; // of a label
const MIN_LABELLED = 40; // the smallest side of a thumbnail with a label
const AXIS = 34; // width of the layer numbers

/**
 * @param {object} options
 * @param {{layer: number, heads: Head[]}[]} options.layers
 * @param {Uint8ClampedArray} options.table
 * @param {Range} options.range
 * @param {Paper} options.paper
 * @returns {import("./frame.js").Body}
 */
export function gridBody({ layers, table, range, paper }) {
  const across = Math.max(...layers.map(({ heads }) => heads.length));
  const side = Math.max(SMALLEST, Math.min(LARGEST, (WIDTH - AXIS) / across - GAP));
  const wide = side + GAP;
  const labels = layers.map(({ heads }) =>
    heads.map((head) => (side >= MIN_LABELLED ? labelIn(head, wide) : [])),
  );
  const high = side + GAP + LINE * Math.max(...labels.flat().map(({ length }) => length));
  const top = 32;
  const text = { mark: /** @type {const} */ ("text"), size: SIZE, fill: paper.faint };
  const middle = /** @type {const} */ ("middle");
  /** @type {Mark[]} */
  const marks = [
    { ...text, x: AXIS, y: 6, text: GRID_AXES.heads },
    { ...text, x: 0, y: 22, text: GRID_AXES.layers },
    ...Array.from({ length: across }, (_, head) => ({
      ...text,
      anchor: middle,
      text: String(head),
      x: AXIS + GAP + head * wide + side / 2,
      y: 22,
    })),
  ];
  layers.forEach(({ layer, heads }, row) => {
    const y = top + row * high;
    marks.push({ ...text, x: 0, y: y + side / 2, text: layerTick(layer) });
    heads.forEach(({ matrix, muted }, col) => {
      const place = { x: AXIS + GAP + col * wide, y, width: side, height: side };
      const pixels = { width: matrix.cols, height: matrix.rows, data: paint(matrix, table, range) };
      marks.push({ mark: "image", ...place, pixels });
      if (muted) marks.push({ mark: "rect", ...place, fill: paper.panel, opacity: 0.75 });
      marks.push({ mark: "rect", ...place, stroke: paper.line, line: 1 });
      const center = { x: place.x + side / 2, anchor: middle };
      if (muted) marks.push({ ...text, ...center, y: y + side / 2, text: MUTED, fill: paper.ink });
      labels[row][col].forEach((line, at) => {
        marks.push({ ...text, ...center, y: y + side + 7 + LINE * at, text: line });
      });
    });
  });
  return { width: AXIS + GAP + across * wide, height: top + layers.length * high, marks };
}

/** The lines of a label: whole words, or the short form if a word is wider than the thumbnail. @param {Head} head @param {number} width */
function labelIn({ words, brief }, width) {
  const isWide = words.split(" ").some((word) => widthOf(word, SIZE) > width);
  return wrapped(isWide ? brief : words, width, SIZE);
}
