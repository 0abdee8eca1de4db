// Small patterns and vectors of known numbers, and how tests open them as a reader does.

import { openFile } from "../../../static/js/own/open.js";
import { npy, safetensors, zip } from "./files.mjs";

/** Numbers from 0 to 1 that are the same in every run. @param {number} n @param {number} seed */
export function drawn(n, seed = 1) {
  let state = seed;
  return Float32Array.from({ length: n }, () => {
    state = (1103515245 * state + 12345) % 2147483648;
    return state / 2147483648;
  });
}

/** @param {readonly number[]} shape */
export const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** Rows that sum to 1 over the last axis; causal: over the keys up to the query. @param {number[]} shape @param {{causal?: boolean, seed?: number}} [options] */
export function pattern(shape, { causal = false, seed = 1 } = {}) {
  const data = drawn(sizeOf(shape), seed);
  const [n_query, n_key] = shape.slice(-2);
  for (let row = 0; row * n_key < data.length; row++) {
    const cells = data.subarray(row * n_key, (row + 1) * n_key);
    if (causal) cells.fill(0, (row % n_query) + 1);
    const sum = cells.reduce((a, b) => a + b, 0);
    for (let at = 0; at < n_key; at++) cells[at] /= sum;
  }
  return { shape, data };
}

/** @param {number[]} shape @param {number} [seed] */
export const vectors = (shape, seed = 7) => ({
  shape,
  data: drawn(sizeOf(shape), seed).map((number) => 4 * number - 2),
});

/** @param {{shape: number[], data: Float32Array}} tensor @returns {any} */
export function nested({ shape, data }) {
  if (shape.length === 0) return data[0];
  const [n, ...rest] = shape;
  const size = sizeOf(rest);
  return Array.from({ length: n }, (_, index) =>
    nested({ shape: rest, data: data.slice(index * size, (index + 1) * size) }),
  );
}

/** @param {{shape: number[], data: Float32Array}} tensor */
export const asNpy = ({ shape, data }) => npy({ shape, bytes: new Uint8Array(data.buffer) });

/** @param {string[]} tokens */
export function tokensNpy(tokens) {
  const width = Math.max(...tokens.map((token) => [...token].length));
  const points = tokens.flatMap((token) => {
    const own = [...token].map((letter) => letter.codePointAt(0));
    return [...own, ...Array(width - own.length).fill(0)];
  });
  const bytes = new Uint8Array(Uint32Array.from(points).buffer);
  return npy({ shape: [tokens.length], bytes, descr: `'<U${width}'` });
}

/** @param {Record<string, Uint8Array>} arrays */
export const npz = (arrays) =>
  zip(Object.fromEntries(Object.entries(arrays).map(([name, bytes]) => [`${name}.npy`, bytes])));

/** The same content in each format. @param {Record<string, {shape: number[], data: Float32Array}>} arrays @param {string[] | null} tokens */
export const everyFormat = (arrays, tokens) => ({
  safetensors: safetensors(arrays, tokens ? { tokens: JSON.stringify(tokens) } : undefined),
  npz: npz({
    ...Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, asNpy(array)])),
    ...(tokens ? { tokens: tokensNpy(tokens) } : {}),
  }),
  json: JSON.stringify({
    ...Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, nested(array)])),
    ...(tokens ? { tokens } : {}),
  }),
});

/**
 * Open a file and take every guess.
 * @param {Uint8Array | string} bytes
 * @param {object} [changes] of the settings
 */
export async function opened(bytes, changes = {}) {
  const { opened, recording } = await openFile(new Blob([bytes]));
  const settings = opened.settings && { ...opened.settings, ...changes };
  return { opened, ...recording("mine", settings) };
}
