// The hatching of blocked cells as one image, laid over a heatmap in its own coordinates, so that it follows every zoom
// and is part of what is saved.

import { reasonOf, strokes } from "../render/hatch.js";

/**
 * @param {{rows: number, cols: number, data: Uint8Array}} blocked
 * @param {number} pixels about how large the picture is on screen
 * @param {string} color
 * @returns {string | null} a data: address; null where nothing is blocked
 */
export function hatchImage(blocked, pixels, color) {
  if (!blocked.data.some(Boolean)) return null;
  const { rows, cols, data } = blocked;
  const side = Math.max(2, Math.min(24, Math.round((1.5 * pixels) / Math.max(rows, cols))));
  const canvas = document.createElement("canvas");
  canvas.width = cols * side;
  canvas.height = rows * side;
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.strokeStyle = color;
  context.lineWidth = Math.max(0.75, side / 14);
  context.beginPath();
  for (let cell = 0; cell < data.length; cell += 1) {
    const reason = reasonOf(data[cell]);
    if (reason)
      hatch(context, reason.angle, (cell % cols) * side, Math.floor(cell / cols) * side, side);
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
    hatch(context, angle, 0, 0, 16);
    context.stroke();
  }
  return canvas;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} angle
 * @param {number} x
 * @param {number} y
 * @param {number} side
 */
function hatch(context, angle, x, y, side) {
  for (const [x1, y1, x2, y2] of strokes(angle, side)) {
    context.moveTo(x + x1, y + y1);
    context.lineTo(x + x2, y + y2);
  }
}
