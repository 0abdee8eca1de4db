// The cells of a head as pixels, as many as the screen has.

import { make } from "../../dom/dom.js";
import { hatchCanvas } from "../../dom/hatching.js";
import { gapOf } from "../../draw/figure.js";
import { paint } from "../../draw/raster.js";
import { cut, shrink } from "../../numbers/matrix.js";
import { sizeOf } from "./picture.js";

/** @import { Frame, Part } from "../../draw/viewport.js" */
/** @import { Picture } from "./picture.js" */

/**
 * Clear a canvas and give it the resolution of the screen.
 * @param {HTMLCanvasElement} canvas
 * @param {{clientWidth: number, clientHeight: number}} size
 */
export function sheet(canvas, { clientWidth, clientHeight }) {
  canvas.width = Math.round(clientWidth * devicePixelRatio);
  canvas.height = Math.round(clientHeight * devicePixelRatio);
  const drawing = canvas.getContext("2d");
  drawing?.scale(devicePixelRatio, devicePixelRatio);
  return drawing;
}

/**
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix
 * @param {Uint8ClampedArray} table
 * @param {import("../../draw/raster.js").Range} range
 */
export function imageOf(matrix, table, range) {
  const canvas = make("canvas");
  canvas.width = matrix.cols;
  canvas.height = matrix.rows;
  const image = new ImageData(paint(matrix, table, range), matrix.cols, matrix.rows);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

/**
 * The cells and their hatching.
 * @param {CanvasRenderingContext2D} drawing
 * @param {Picture} picture
 * @param {Frame} frame
 * @param {boolean} isSpaced whether there are gaps between the cells, as in plotly's picture
 */
export function paintCells(drawing, picture, { left, top, width, height, part }, isSpaced) {
  const { matrix, table, range, blocked, hatch } = picture;
  const { rows, cols } = sizeOf(picture);
  drawing.imageSmoothingEnabled = false;
  const seen = pooledPart(part, matrix, rows, cols);
  const [high, wide] = [height, width].map((side) => Math.ceil(side * devicePixelRatio));
  const fine = shrink(cut(matrix, seen.cells), high, wide);
  const [down, across] = [fine.rows / seen.rows, fine.cols / seen.cols];
  const source = /** @type {const} */ ([
    seen.x * across,
    seen.y * down,
    seen.width * across,
    seen.height * down,
  ]);
  drawing.drawImage(imageOf(fine, table, range), ...source, left, top, width, height);
  if (isSpaced) paintGaps(drawing, picture, { left, top, width, height, part });
  const hidden = cut(blocked, pooledPart(part, blocked, rows, cols).cells);
  const hatching = hatchCanvas(hidden, { width, height }, hatch, devicePixelRatio);
  if (hatching) drawing.drawImage(hatching, left, top, width, height);
}

/** The gaps that plotly leaves between cells. @param {CanvasRenderingContext2D} drawing @param {Picture} picture @param {Frame} frame */
function paintGaps(drawing, { matrix, paper }, { left, top, width, height, part }) {
  const gap = gapOf(matrix);
  if (gap === 0) return;
  const [q0, q1, k0, k1] = part;
  drawing.fillStyle = paper.panel;
  for (let query = Math.ceil(q0); query <= q1; query += 1) {
    const edge = top + Math.round(((query - q0) / (q1 - q0)) * height);
    drawing.fillRect(left, edge - gap, width, gap);
  }
  for (let key = Math.ceil(k0); key <= k1; key += 1) {
    const edge = left + Math.round(((key - k0) / (k1 - k0)) * width);
    drawing.fillRect(edge - gap, top, gap, height);
  }
}

/**
 * The cells of a matrix within a part; pooled cells may be cut.
 * @param {Part} part in tokens
 * @param {{rows: number, cols: number}} matrix
 * @param {number} queries
 * @param {number} keys
 */
function pooledPart([q0, q1, k0, k1], matrix, queries, keys) {
  const [high, wide] = [matrix.rows / queries, matrix.cols / keys];
  const cells = /** @type {Part} */ ([
    Math.floor(q0 * high),
    Math.ceil(q1 * high),
    Math.floor(k0 * wide),
    Math.ceil(k1 * wide),
  ]);
  return {
    cells,
    rows: cells[1] - cells[0],
    cols: cells[3] - cells[2],
    x: k0 * wide - cells[2],
    y: q0 * high - cells[0],
    width: (k1 - k0) * wide,
    height: (q1 - q0) * high,
  };
}
