// The hatching of blocked cells as one image, laid over a heatmap in its own coordinates, so that it follows every zoom
// and is part of what is saved.

import { reasonOf, strokes } from "../render/hatch.js";

const PITCH = 9; // pixels on screen between two strokes

/**
 * @param {{rows: number, cols: number, data: Uint8Array}} blocked
 * @param {number} pixels about how large the picture is on screen
 * @param {string} color
 * @returns {string | null} a data: address; null where nothing is blocked
 */
export function hatchImage(blocked, pixels, color) {
  if (!blocked.data.some(Boolean)) return null;
  const { rows, cols, data } = blocked;
  const cell = pixels / Math.max(rows, cols);
  const side = Math.max(2, Math.min(64, Math.round(2 * cell))); // twice: sharp on fine screens
  const lines = Math.max(1, Math.round(cell / PITCH));
  const canvas = document.createElement("canvas");
  canvas.width = cols * side;
  canvas.height = rows * side;
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.strokeStyle = color;
  context.lineWidth = Math.max(0.75, Math.min(2, side / 8));
  context.beginPath();
  for (let at = 0; at < data.length; at += 1) {
    const reason = reasonOf(data[at]);
    const [x, y] = [(at % cols) * side, Math.floor(at / cols) * side];
    if (reason) hatch(context, strokes(reason.angle, side, lines), x, y);
  }
  context.stroke();
  return canvas.toDataURL();
}

/**
 * A swatch for the legend.
 * @param {string} angle
 * @param {string} color
 */
export function swatch(angle, color) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const context = canvas.getContext("2d");
  if (context) {
    context.strokeStyle = color;
    context.lineWidth = 1.25;
    context.beginPath();
    hatch(context, strokes(angle, 16, 2), 0, 0);
    context.stroke();
  }
  return canvas;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {ReturnType<typeof strokes>} lines
 * @param {number} x
 * @param {number} y
 */
function hatch(context, lines, x, y) {
  for (const [x1, y1, x2, y2] of lines) {
    context.moveTo(x + x1, y + y1);
    context.lineTo(x + x2, y + y2);
  }
}
