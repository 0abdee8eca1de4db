// The hatching of blocked cells as one image, laid over a heatmap in the heatmap's coordinates, so that it follows every zoom and
// is part of a saved picture.

import { spacing } from "../draw/hatchpath.js";
import { REASONS } from "../state/masks.js";
import { blockedBy, fieldsIn, reasonsIn, strokes } from "../words/hatch.js";
import { make } from "./dom.js";

const FINE = 2; // image pixels per screen pixel
const OPAQUE = 0xff000000; // black, as little-endian pixels

/** For each bit field, the index in REASONS of the reason that is drawn; −1: not blocked. */
const DRAWN = Array.from({ length: 32 }, (_, bits) => REASONS.findIndex(({ bit }) => bits & bit));

/** @typedef {{rows: number, cols: number, data: Uint8Array}} Blocked */

/** The last image, kept because most heads of a text have the same mask. @type {{of: string, data: Uint8Array, image: string | null}} */
let last = { of: "", data: new Uint8Array(), image: null };

/**
 * @param {Blocked} blocked
 * @param {{width: number, height: number}} size of the picture on screen
 * @param {string} color
 * @returns {string | null} a data: URL; null if nothing is blocked
 */
export function hatchImage(blocked, size, color) {
  const of = [blocked.cols, size.width, size.height, color].join();
  const { data } = blocked;
  if (of !== last.of || !equal(data, last.data)) {
    const image = hatchCanvas(blocked, size, color, FINE)?.toDataURL() ?? null;
    last = { of, data: data.slice(), image };
  }
  return last.image;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const equal = (a, b) => a.length === b.length && a.every((bits, at) => bits === b[at]);

/**
 * @param {Blocked} blocked
 * @param {{width: number, height: number}} size
 * @param {string} color
 * @param {number} fine image pixels per pixel of `size`
 * @returns {HTMLCanvasElement | null}
 */
export function hatchCanvas({ rows, cols, data }, size, color, fine) {
  const fields = fieldsIn(data);
  if (fields.every((bits) => bits === 0)) return null;
  const image = context(fine * size.width, fine * size.height);
  const side = fine * spacing(size.width / cols, size.height / rows, true);
  REASONS.forEach(({ angle }, place) => {
    if (!fields.some((bits) => DRAWN[bits] === place)) return;
    // scale up the cells of this reason, then keep them only where the hatching is
    const cells = context(cols, rows);
    const pixels = new ImageData(cols, rows);
    const opaque = new Uint32Array(pixels.data.buffer);
    for (let at = 0; at < data.length; at += 1) if (DRAWN[data[at]] === place) opaque[at] = OPAQUE;
    cells.putImageData(pixels, 0, 0);
    const layer = context(image.canvas.width, image.canvas.height);
    layer.imageSmoothingEnabled = false;
    layer.drawImage(cells.canvas, 0, 0, layer.canvas.width, layer.canvas.height);
    layer.globalCompositeOperation = "source-in";
    layer.fillStyle = layer.createPattern(tile(angle, color, side, fine), "repeat") ?? color;
    layer.fillRect(0, 0, layer.canvas.width, layer.canvas.height);
    image.drawImage(layer.canvas, 0, 0);
  });
  return image.canvas;
}

const SWATCH = 12; // pixels: the side of a swatch on the page
const SWATCH_LINE = 1.25; // pixels

/**
 * The items of a legend: why cells are blocked.
 * @param {Uint8Array} blocked
 * @param {string} color
 * @param {number} [fine] image pixels per pixel of the page
 */
export const legendItems = (blocked, color, fine = 1) =>
  reasonsIn(blocked).map((reason) => {
    const swatch = tile(reason.angle, color, fine * SWATCH, fine * SWATCH_LINE);
    swatch.className = "swatch";
    return make("li", {}, [swatch, document.createTextNode(blockedBy(reason))]);
  });

/**
 * One tile of hatching, also for the legend.
 * @param {string} angle
 * @param {string} color
 * @param {number} side in pixels
 * @param {number} width of a stroke
 */
export function tile(angle, color, side, width) {
  const drawing = context(side, side);
  drawing.strokeStyle = color;
  drawing.lineWidth = width;
  drawing.lineCap = "square"; // so that strokes join those of the next tile
  drawing.beginPath();
  for (const [x1, y1, x2, y2] of strokes(angle, side)) {
    drawing.moveTo(x1, y1);
    drawing.lineTo(x2, y2);
  }
  drawing.stroke();
  return drawing.canvas;
}

/** @param {number} width @param {number} height */
function context(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const drawing = canvas.getContext("2d");
  if (!drawing) throw new Error("This browser cannot draw on a canvas.");
  return drawing;
}
