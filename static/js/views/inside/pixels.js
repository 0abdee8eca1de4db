// A vector as one row of coloured pixels, zero in the middle of the scale.

import { paint } from "../../draw/raster.js";

const MAX_WIDTH = 1024; // pixels; if channels share a pixel, the one furthest from zero is drawn

/**
 * @param {ArrayLike<number>} vector
 * @param {number} reach the value at the ends of the scale
 * @param {Uint8ClampedArray} table of the diverging scale
 * @returns {import("../../draw/scene.js").Pixels}
 */
export function stripPixels(vector, reach, table) {
  const width = Math.min(vector.length, MAX_WIDTH);
  const data = new Float32Array(width);
  for (let channel = 0; channel < vector.length; channel += 1) {
    const place = Math.floor((channel * width) / vector.length);
    if (Math.abs(vector[channel]) > Math.abs(data[place])) data[place] = vector[channel];
  }
  const cells = { rows: 1, cols: width, data };
  return { width, height: 1, data: paint(cells, table, { low: -reach, high: reach }) };
}
