// Bytes as text that can stand in a page and can never be markup: gzip in letters. server/pages/export/inside.py writes it, too.

import { fromLetters, toLetters } from "./letters.js";

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
export const packed = async (blob) =>
  toLetters(new Uint8Array(await through(blob, new CompressionStream("gzip"))));

/**
 * @param {string} text
 * @returns {Promise<ArrayBuffer>} a new one each time, so that it can be transferred
 * @throws {Error} if it is damaged
 */
export const unpacked = (text) =>
  through(new Blob([fromLetters(text)]), new DecompressionStream("gzip"));

/** @param {Blob} blob @param {GenericTransformStream} stream @returns {Promise<ArrayBuffer>} */
const through = (blob, stream) =>
  new Response(blob.stream().pipeThrough(/** @type {any} */ (stream))).arrayBuffer();
