// Numbers to pixels: one matrix as RGBA, one pixel per cell.

import { placeOf } from "./color.js";

/** @typedef {{low: number, high: number, steps?: import("./color.js").Steps}} Range values at the two ends of the scale */

/**
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix
 * @param {Uint8ClampedArray} table 256 colours, of `scale`
 * @param {Range} range
 * @returns {Uint8ClampedArray<ArrayBuffer>} RGBA, row by row
 */
export function paint({ data }, table, { low, high, steps = "linear" }) {
  const pixels = new Uint32Array(data.length); // written one colour at a time
  const colors = new Uint32Array(256);
  const bytes = new Uint8ClampedArray(colors.buffer);
  bytes.set(table.subarray(0, bytes.length));
  for (let step = 0; step < 256; step += 1) bytes[4 * step + 3] = 255;
  const isLinear = steps === "linear"; // most are, and a call for each cell takes longer
  const factor = 1 / (high - low);
  for (let i = 0; i < data.length; i += 1) {
    const share = (data[i] - low) * factor;
    const step = 255 * (isLinear ? share : placeOf(share, steps)) + 0.5;
    pixels[i] = colors[step <= 0 ? 0 : step >= 255 ? 255 : step | 0];
  }
  return new Uint8ClampedArray(pixels.buffer);
}
