// A reader for safetensors: eight bytes of header length, a JSON header, then the numbers, little-endian.

import { halves } from "./halves.js";

/** @typedef {import("../types.d.ts").Tensor} Tensor */

/**
 * @param {ArrayBuffer} buffer
 * @returns {{metadata: Record<string, string>, tensors: Map<string, Tensor>}}
 * @throws {Error} if the file is cut short or has a dtype that is not read here
 */
export function readSafetensors(buffer) {
  if (buffer.byteLength < 8)
    throw new Error("The file is cut short: it has no safetensors header.");
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const start = 8 + length;
  if (start > buffer.byteLength)
    throw new Error("The file is cut short: its header is incomplete.");
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, 8, length)),
  );
  const tensors = new Map();
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(entries)) {
    const bytes = buffer.slice(start + data_offsets[0], start + data_offsets[1]);
    if (bytes.byteLength !== data_offsets[1] - data_offsets[0]) {
      throw new Error(`The file is cut short: ${name} is incomplete.`);
    }
    tensors.set(name, { shape, data: typed(name, dtype, bytes) });
  }
  return { metadata, tensors };
}

/**
 * @param {string} name
 * @param {string} dtype
 * @param {ArrayBuffer} bytes
 */
function typed(name, dtype, bytes) {
  if (dtype === "F32") return new Float32Array(bytes);
  if (dtype === "F16") return halves(new Uint16Array(bytes));
  if (dtype === "U8") return new Uint8Array(bytes);
  throw new Error(`${name} has dtype ${dtype}; expected F32, F16 or U8.`);
}

/**
 * Merge several files. The names of tensors and metadata are prefixed with the name of their file and a dot.
 * @param {Record<string, ArrayBuffer>} files
 */
export function merged(files) {
  /** @type {Record<string, any>} */
  const header = { __metadata__: {} };
  /** @type {ArrayBuffer[]} */
  const data = [];
  let end = 0;
  for (const [name, buffer] of Object.entries(files)) {
    const length = Number(new DataView(buffer).getBigUint64(0, true));
    const text = new TextDecoder().decode(new Uint8Array(buffer, 8, length));
    const { __metadata__: metadata = {}, ...entries } = JSON.parse(text);
    for (const [key, value] of Object.entries(metadata))
      header.__metadata__[`${name}.${key}`] = value;
    for (const [key, entry] of Object.entries(entries)) {
      const offsets = entry.data_offsets.map((/** @type {number} */ at) => at + end);
      header[`${name}.${key}`] = { ...entry, data_offsets: offsets };
    }
    data.push(buffer.slice(8 + length));
    end += buffer.byteLength - 8 - length;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const size = Math.ceil(json.length / 8) * 8; // tensors begin at a multiple of eight
  const whole = new Uint8Array(8 + size + end).fill(0x20);
  new DataView(whole.buffer).setBigUint64(0, BigInt(size), true);
  whole.set(json, 8);
  let at = 8 + size;
  for (const part of data) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole;
}
