// The hatching of blocked cells as one image, laid over a heatmap in the heatmap's coordinates, so that it follows every zoom and
// is part of a saved picture.

import { spacing } from "../draw/hatchpath.js";
import { REASONS } from "../state/masks.js";
import { blockedBy, fieldsIn, reasonsIn, strokes } from "../words/hatch.js";
import { make } from "./dom.js";

const FINE = 2; // image pixels per screen pixel

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
  const { width, height } = image.canvas;
  const side = fine * spacing(size.width / cols, size.height / rows, true);
  REASONS.forEach(({ angle }, index) => {
    if (!fields.some((bits) => DRAWN[bits] === index)) return;
    image.fillStyle = image.createPattern(tile(angle, color, side, fine), "repeat") ?? color;
    for (let row = 0; row < rows; row += 1) {
      const [top, bottom] = [row, row + 1].map((edge) => Math.round((edge / rows) * height));
      for (const run of runsOf(data.subarray(row * cols, (row + 1) * cols), index)) {
        const [left, right] = run.map((edge) => Math.round((edge / cols) * width));
        image.fillRect(left, top, right - left, bottom - top);
      }
    }
  });
  return image.canvas;
}

/**
 * Where cells of a row follow each other that are blocked for one reason.
 * @param {Uint8Array} row
 * @param {number} place of the reason
 */
function runsOf(row, place) {
  /** @type {[start: number, stop: number][]} */
  const runs = [];
  row.forEach((bits, col) => {
    if (DRAWN[bits] !== place) return;
    const last = runs.at(-1);
    if (last?.[1] === col) last[1] += 1;
    else runs.push([col, col + 1]);
  });
  return runs;
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
