// The hatching of blocked cells as one image, laid over a heatmap in its own coordinates, so that it follows every zoom
// and is part of what is saved.

import { REASONS, strokes } from "../render/hatch.js";

const FINE = 2; // image pixels a screen pixel
const TILE = 9; // screen pixels after which the hatching repeats

/** The place in REASONS of each of the 32 bit fields; −1 is allowed. */
const DRAWN = Array.from({ length: 32 }, (_, bits) => REASONS.findIndex(({ bit }) => bits & bit));

/**
 * @param {{rows: number, cols: number, data: Uint8Array}} blocked
 * @param {{width: number, height: number}} size of the picture on screen
 * @param {string} color
 * @returns {string | null} a data: address; null where nothing is blocked
 */
export function hatchImage({ rows, cols, data }, size, color) {
  if (!data.some(Boolean)) return null;
  const drawn = data.map((bits) => DRAWN[bits] + 1);
  const image = context(FINE * size.width, FINE * size.height);
  REASONS.forEach(({ angle }, place) => {
    if (!drawn.includes(place + 1)) return;
    // the cells of this reason, blown up, then kept only where the hatching is
    const cells = context(cols, rows);
    const pixels = new ImageData(cols, rows);
    drawn.forEach((reason, at) => {
      pixels.data[4 * at + 3] = reason === place + 1 ? 255 : 0;
    });
    cells.putImageData(pixels, 0, 0);
    const layer = context(image.canvas.width, image.canvas.height);
    layer.imageSmoothingEnabled = false;
    layer.drawImage(cells.canvas, 0, 0, layer.canvas.width, layer.canvas.height);
    layer.globalCompositeOperation = "source-in";
    layer.fillStyle = layer.createPattern(tile(angle, color, FINE * TILE, FINE), "repeat") ?? color;
    layer.fillRect(0, 0, layer.canvas.width, layer.canvas.height);
    image.drawImage(layer.canvas, 0, 0);
  });
  return image.canvas.toDataURL();
}

/**
 * One tile of hatching; it also serves the legend.
 * @param {string} angle
 * @param {string} color
 * @param {number} side in pixels
 * @param {number} width of a stroke
 */
export function tile(angle, color, side, width) {
  const drawing = context(side, side);
  drawing.strokeStyle = color;
  drawing.lineWidth = width;
  drawing.lineCap = "square"; // strokes meet those of the next tile
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
  if (!drawing) throw new Error("This browser gives no canvas to draw on.");
  return drawing;
}
