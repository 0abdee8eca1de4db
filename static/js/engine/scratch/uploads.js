// Uploaded weights: a safetensors file whose header is checked before the tensors are read (model/scratch/uploads.py).

import LIMITS from "../../facts/limits.json" with { type: "json" };
import { DTYPES } from "../../files/dtypes.js";
import { grouped, InputError } from "../errors.js";
import { allFinite, sizeOf } from "../tensor/tensor.js";

/** @import { Tensor } from "../types.d.ts" */
/** A tensor in the file; begin and end count in its data. @typedef {{name: string, dtype: string, shape: number[], begin: number, end: number}} Span */

const FLOATS = ["F16", "BF16", "F32", "F64"];
const NAME = /^[A-Za-z0-9_.]{1,200}$/;
const UNREADABLE = "Expected the weights as a safetensors file in base64; this one cannot be read.";
const OVERLAP = `${UNREADABLE} Its tensors overlap or have gaps between them.`;
const LONE_SURROGATE = /\p{Surrogate}/u;
// a string, a number or a bracket of a JSON document
const PIECES = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/g;

/**
 * The tensors of a safetensors file, in float32.
 * @param {Uint8Array} content
 * @returns {Map<string, Tensor>}
 * @throws {InputError} the file is invalid, or a tensor has an unexpected name, rank, dtype or size or is not finite
 */
export function readWeights(content) {
  const { spans, start } = headerOf(content);
  /** @type {Map<string, Tensor>} */
  const found = new Map();
  for (const { name, dtype, shape, begin, end } of spans) {
    const bytes = content.slice(start + begin, start + end);
    const data = DTYPES[dtype].read(bytes.buffer);
    const tensor = { shape, data: /** @type {Float32Array} */ (data) };
    if (!allFinite(tensor))
      throw refusal(`${name} should hold finite numbers in the range of float32; it does not.`);
    found.set(name, tensor);
  }
  return found;
}

/** The names of the tensors in a file, sorted, after checking its header. @param {Uint8Array} content @throws {InputError} */
export function weightNames(content) {
  return headerOf(content)
    .spans.map(({ name }) => name)
    .sort();
}

/**
 * The tensors that the header describes, and where the data starts.
 * @param {Uint8Array} content
 * @returns {{spans: Span[], start: number}}
 */
function headerOf(content) {
  if (content.length < 8) throw refusal(UNREADABLE);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const start = 8 + length;
  if (start > content.length) throw refusal(UNREADABLE);
  if (length > LIMITS.upload_header_bytes) {
    throw refusal(
      `Expected a header of at most ${grouped(LIMITS.upload_header_bytes)} bytes in the safetensors file; this one has ` +
        `${grouped(length)}. Remove its metadata and everything that is not a parameter.`,
    );
  }
  const { __metadata__: metadata = null, ...header } = parsed(content.subarray(8, start));
  const named = Object.entries(header);
  if (named.length > LIMITS.upload_tensors) {
    throw refusal(
      `Expected at most ${LIMITS.upload_tensors} tensors; this file has ${grouped(named.length)}.`,
    );
  }
  const spans = named.map(([name, entry]) => spanOf(name, entry));
  let last = 0;
  for (const { begin, end } of spans.toSorted((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin !== last) throw refusal(OVERLAP);
    last = end;
  }
  if (start + last !== content.length) throw refusal(OVERLAP);
  if (!isMetadata(metadata)) throw refusal(UNREADABLE);
  return { spans, start };
}

/**
 * The header as JSON: an object without duplicate keys, whose numbers are whole and whose strings are Unicode.
 * @param {Uint8Array} bytes
 * @returns {Record<string, any>}
 */
function parsed(bytes) {
  let header;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    header = JSON.parse(text);
    checkPieces(text);
  } catch {
    throw refusal(UNREADABLE);
  }
  if (header === null || typeof header !== "object" || Array.isArray(header))
    throw refusal(UNREADABLE);
  return header;
}

/** What JSON.parse lets pass: duplicate keys, fractions without a fraction (1.0), halves of surrogate pairs. @param {string} text */
function checkPieces(text) {
  /** The keys of each object that is open; null for a list. @type {(Set<string> | null)[]} */
  const open = [];
  for (const [piece, colon] of text.matchAll(PIECES)) {
    if (piece === "{") open.push(new Set());
    else if (piece === "[") open.push(null);
    else if (piece === "}" || piece === "]") open.pop();
    else if (piece.startsWith('"')) {
      const string = JSON.parse(colon ? piece.slice(0, -colon.length) : piece);
      const keys = open.at(-1);
      if (LONE_SURROGATE.test(string) || (colon && keys?.has(string))) throw new SyntaxError(piece);
      if (colon) keys?.add(string);
    } else if (!/^\d+$/.test(piece)) throw new SyntaxError(piece);
  }
}

/**
 * Where a tensor begins and ends in the data; checked against its dtype and shape.
 * @param {string} name
 * @param {any} entry
 * @returns {Span}
 */
function spanOf(name, entry) {
  if (!NAME.test(name)) {
    throw refusal(
      "Expected parameter names made of letters, digits, dots and underscores, such as " +
        "layers.0.attention.w_q.weight; this file has a different one.",
    );
  }
  const keys = Object.keys(entry ?? {}).sort();
  if (keys.join() !== "data_offsets,dtype,shape")
    throw refusal(`${UNREADABLE} Its header does not describe ${name}.`);
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string" || !FLOATS.includes(dtype))
    throw refusal(`${name} should have a floating dtype (${FLOATS.join(", ")}); it does not.`);
  if (!areSizes(shape) || shape.length > LIMITS.upload_rank) {
    throw refusal(
      `${name} should have a shape of at most ${LIMITS.upload_rank} whole numbers; it does not.`,
    );
  }
  if (shape.includes(0))
    throw refusal(`${name} should not be empty; a dimension of its shape is 0.`);
  if (!areSizes(offsets) || offsets.length !== 2)
    throw refusal(`${UNREADABLE} Its header has no valid offsets for ${name}.`);
  const [begin, end] = offsets;
  if (end - begin !== sizeOf(shape) * DTYPES[dtype].bytes)
    throw refusal(`${UNREADABLE} The length of ${name} does not match its shape and dtype.`);
  return { name, dtype, shape, begin, end };
}

/** @param {unknown} value @returns {value is number[]} */
function areSizes(value) {
  return Array.isArray(value) && value.every((size) => typeof size === "number" && size >= 0);
}

/** Texts by name, or nothing. @param {unknown} value */
function isMetadata(value) {
  if (typeof value !== "object" || Array.isArray(value)) return false;
  return Object.values(value ?? {}).every((text) => typeof text === "string");
}

/** @param {string} message */
function refusal(message) {
  return new InputError(message, { field: "scratch.weights" });
}
