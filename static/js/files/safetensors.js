// A reader for safetensors: eight bytes of header length, a JSON header, then the numbers, little-endian.

import { DTYPES } from "./dtypes.js";
import { FileError } from "./errors.js";

/** @import { Tensor } from "../types.d.ts" */
/** @typedef {{dtype: string, shape: number[], data_offsets: [number, number]}} Entry where a tensor is, relative to the end of the header */

const MAX_HEADER = 32 * 2 ** 20; // bytes; the header of a model with 100,000 tensors has 12 MB

/**
 * @param {ArrayBuffer} buffer
 * @returns {{metadata: Record<string, string>, tensors: Map<string, Tensor & {dtype: string}>}}
 * @throws {FileError} if the file is cut short, has a dtype that is not read here, or contradicts itself
 */
export function readSafetensors(buffer) {
  const { metadata, entries, start } = readHeader(buffer);
  const tensors = new Map();
  for (const [name, { dtype, shape, data_offsets }] of entries) {
    const bytes = buffer.slice(start + data_offsets[0], start + data_offsets[1]);
    tensors.set(name, { shape, dtype, data: DTYPES[dtype].read(bytes) });
  }
  return { metadata, tensors };
}

/** The header, checked: every tensor lies within the file, and all together are no larger. @param {ArrayBuffer} buffer */
export function readHeader(buffer) {
  if (buffer.byteLength < 8)
    throw new FileError("The file is cut short: it has no safetensors header.");
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const start = 8 + length;
  if (start > buffer.byteLength) {
    throw new FileError(
      `The file is cut short: its header is incomplete. It should have ${length.toLocaleString("en")} bytes, but the file has ${buffer.byteLength.toLocaleString("en")}.`,
    );
  }
  if (length > MAX_HEADER) {
    throw new FileError(
      `The header of this safetensors file has ${length.toLocaleString("en")} bytes; at most ${MAX_HEADER.toLocaleString("en")} are read.`,
    );
  }
  const { __metadata__: metadata = {}, ...rest } = parsed(new Uint8Array(buffer, 8, length));
  const size = buffer.byteLength - start;
  let total = 0;
  const entries = Object.entries(rest).map(([name, entry]) => {
    const found = checked(name, entry, size);
    total += found.data_offsets[1] - found.data_offsets[0];
    return /** @type {const} */ ([name, found]);
  });
  if (total > size) throw new FileError("The safetensors header places tensors over each other.");
  return { metadata, entries, start };
}

/** @param {Uint8Array} bytes @returns {Record<string, any>} */
function parsed(bytes) {
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new FileError(
      "This is not a safetensors file, or a damaged one: its header is not JSON.",
    );
  }
  if (header === null || typeof header !== "object" || Array.isArray(header))
    throw new FileError("This is not a safetensors file: its header is not a JSON object.");
  return header;
}

/** @param {string} name @param {any} entry @param {number} size of the data, in bytes @returns {Entry} */
function checked(name, entry, size) {
  const { dtype, shape, data_offsets } = entry ?? {};
  const areCounts = [shape, data_offsets].every(
    (list) => Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0),
  );
  if (!areCounts || data_offsets.length !== 2 || data_offsets[0] > data_offsets[1])
    throw new FileError(`The safetensors header does not say where ${name} is.`);
  if (data_offsets[1] > size) throw new FileError(`The file is cut short: ${name} is incomplete.`);
  if (!Object.hasOwn(DTYPES, dtype)) {
    throw new FileError(
      `${name} has dtype ${dtype}; expected one of ${Object.keys(DTYPES).join(", ")}.`,
    );
  }
  const needed = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
  const [from, to] = data_offsets;
  if (needed * DTYPES[dtype].bytes !== to - from) {
    throw new FileError(
      `${name} has ${(to - from).toLocaleString("en")} bytes, but its shape [${shape.join(", ")}] in ${dtype} needs ${(needed * DTYPES[dtype].bytes).toLocaleString("en")}.`,
    );
  }
  return entry;
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
