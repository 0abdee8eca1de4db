// A vector as a strip of coloured channels, zero in the middle of the scale; and which channel is under the pointer.

import { make } from "../../dom/dom.js";
import { paint } from "../../draw/raster.js";
import { vectorInWords } from "./words.js";

/**
 * @param {string} part the name of the vector in the program
 * @param {ArrayLike<number>} vector
 * @param {number} reach the value at the ends of the scale
 * @param {Uint8ClampedArray} table of the diverging scale
 * @param {string} name for screen readers
 */
export function strip(part, vector, reach, table, name) {
  const canvas = make("canvas", { class: "strip" });
  const pixels = stripPixels(vector, reach, table);
  canvas.width = pixels.width;
  canvas.height = 1;
  const image = new ImageData(pixels.width, 1);
  image.data.set(pixels.data);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  canvas.dataset.part = part;
  canvas.dataset.channels = String(vector.length);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", vectorInWords(name, vector));
  return canvas;
}

/** The channel of a strip at a point of the window. @param {HTMLCanvasElement} canvas @param {number} clientX */
export function channelAt(canvas, clientX) {
  const { left, width } = canvas.getBoundingClientRect();
  const n = Number(canvas.dataset.channels);
  return Math.max(0, Math.min(n - 1, Math.floor(((clientX - left) / width) * n)));
}

const MAX_WIDTH = 1024; // pixels; if channels share a pixel, the one furthest from zero is drawn

/**
 * A vector as one row of coloured pixels, zero in the middle of the scale.
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
