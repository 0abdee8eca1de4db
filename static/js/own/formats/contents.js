// What is in a file: its arrays of numbers, and everything else that it says (tokens, a scale). The format is told from the bytes.

import { FileError } from "../../files/errors.js";
import { isNpy, readNpy } from "../../files/npy.js";
import { readSafetensors } from "../../files/safetensors.js";
import { isZip, unzip, zipEntries } from "../../files/zip.js";
import { LIMITS, megabytes, SMALLER } from "../limits.js";
import { readCsv } from "./csv.js";
import { readJson } from "./json.js";

/** @typedef {{shape: number[], dtype: string, data: Float32Array | Uint8Array}} NumberArray */
/** @typedef {{format: string, arrays: Map<string, NumberArray>, facts: Record<string, any>}} Contents `facts`: values by name, as in JSON */

/** Formats of other programs, by their first bytes, and what to save instead. @type {[number[], string][]} */
const OTHERS = [
  [[0x89, 0x48, 0x44, 0x46], "This is an HDF5 file."],
  [[0x47, 0x47, 0x55, 0x46], "This is a GGUF file: the weights of a model, not its attention."],
  [[0x50, 0x41, 0x52, 0x31], "This is a Parquet file."],
  [[0x1f, 0x8b], "This file is compressed with gzip. Unpack it first."],
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF."],
  [[0x89, 0x50, 0x4e, 0x47], "This is a picture."],
];
const PICKLED =
  "This file is pickled, as torch.save and pickle write it: opening it could run any program, so it is refused. Save the tensors with safetensors.torch.save_file, or with np.savez.";
const EXPECTED = "Expected a .safetensors, .npz, .npy, .json or .csv file.";

/**
 * @param {Blob} file
 * @returns {Promise<Contents>}
 * @throws {FileError} with what is wrong, and what to do
 */
export async function contentsOf(file) {
  if (file.size === 0) throw new FileError("The file is empty.");
  if (file.size > LIMITS.bytes) {
    throw new FileError(
      `The file has ${megabytes(file.size)}; the page opens up to ${megabytes(LIMITS.bytes)}. ${SMALLER}`,
    );
  }
  const start = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const contents = await read(file, start);
  if (contents.arrays.size > LIMITS.arrays)
    throw new FileError(
      `The file has ${contents.arrays.size} arrays; expected ${LIMITS.arrays} at most. ${SMALLER}`,
    );
  let numbers = 0;
  for (const { data } of contents.arrays.values()) numbers += data.length;
  checkNumbers(numbers);
  return contents;
}

/** @param {Blob} file @param {Uint8Array} start its first bytes @returns {Promise<Contents>} */
async function read(file, start) {
  if (isZip(start)) return zipped(file);
  if (isNpy(start)) {
    const contents = { format: "NumPy array", arrays: new Map(), facts: {} };
    put(contents, "array", readNpy(await file.arrayBuffer(), "The array"));
    return contents;
  }
  // protocols 2 to 5 of pickle
  if (start[0] === 0x80 && start[1] >= 2 && start[1] <= 5) throw new FileError(PICKLED);
  for (const [magic, words] of OTHERS)
    if (magic.every((byte, index) => start[index] === byte))
      throw new FileError(`${words} ${EXPECTED}`);
  if (isJson(start)) return jsoned(file);
  if (file.size >= 8 && looksSafe(start)) {
    const { metadata, tensors } = readSafetensors(await file.arrayBuffer());
    const facts = Object.fromEntries(
      Object.entries(metadata).map(([name, text]) => [name, factOf(text)]),
    );
    return { format: "safetensors", arrays: tensors, facts };
  }
  const table = start.includes(0) ? null : await tabled(file);
  if (table) return table;
  throw new FileError(`The format of this file is unknown. ${EXPECTED}`);
}

/**
 * Whether it begins as JSON, after white space and a byte-order mark. A safetensors file may begin with a brace, too, as the lowest
 * byte of its length; but a length has zeros in it.
 * @param {Uint8Array} start
 */
const isJson = (start) =>
  !start.subarray(0, 8).includes(0) &&
  /^\s*[[{]/.test(new TextDecoder().decode(start).replace(/^\uFEFF/, ""));

/** A safetensors file: a header of less than 4 GB, and a brace. It may be cut short anywhere. @param {Uint8Array} start */
const looksSafe = (start) => start.length < 9 || start[8] === 0x7b;

/** @param {Blob} file @returns {Promise<Contents>} */
async function zipped(file) {
  const entries = (await zipEntries(file)).filter(({ name }) => !name.endsWith("/"));
  if (entries.some(({ name }) => /(^|\/)data\.pkl$/.test(name))) throw new FileError(PICKLED);
  const arrays = entries.filter(({ name }) => name.endsWith(".npy"));
  if (arrays.length === 0)
    throw new FileError(`This is a zip archive without NumPy arrays. ${EXPECTED}`);
  if (arrays.length > LIMITS.arrays)
    throw new FileError(
      `The file has ${arrays.length} arrays; expected ${LIMITS.arrays} at most. ${SMALLER}`,
    );
  const size = arrays.reduce((sum, entry) => sum + entry.size, 0);
  if (size > 2 * LIMITS.bytes) {
    throw new FileError(
      `The file unpacks to ${megabytes(size)}; the page opens up to ${megabytes(2 * LIMITS.bytes)}. ${SMALLER}`,
    );
  }
  const contents = { format: "NumPy archive", arrays: new Map(), facts: {} };
  for (const entry of arrays) {
    const name = entry.name.replace(/\.npy$/, "");
    put(contents, name, readNpy(await unzip(file, entry), name));
  }
  return contents;
}

/** @param {Contents} contents @param {string} name @param {ReturnType<typeof readNpy>} found */
function put({ arrays, facts }, name, found) {
  if ("strings" in found) facts[name] = nested(found.strings, found.shape);
  else if (found.shape.length === 0)
    facts[name] = found.dtype === "BOOL" ? found.data[0] === 1 : found.data[0];
  else arrays.set(name, found);
}

/** @param {Blob} file @returns {Promise<Contents>} */
async function jsoned(file) {
  if (file.size > LIMITS.json) {
    throw new FileError(
      `This JSON file has ${megabytes(file.size)}; the page opens up to ${megabytes(LIMITS.json)}. Save the arrays as .npz or .safetensors, which are a tenth as large.`,
    );
  }
  return { format: "JSON", ...readJson(await file.text(), checkNumbers) };
}

/** @param {Blob} file @returns {Promise<Contents | null>} null: it is not a table */
async function tabled(file) {
  const table = file.size > LIMITS.json ? null : readCsv(await file.text(), checkNumbers);
  return table && { format: "CSV", ...table };
}

/** @param {number} numbers */
function checkNumbers(numbers) {
  if (numbers > LIMITS.numbers) {
    throw new FileError(
      `The file has ${numbers.toLocaleString("en")} numbers; the page opens up to ${LIMITS.numbers.toLocaleString("en")}. ${SMALLER}`,
    );
  }
}

/** The metadata of safetensors is text; lists and numbers are JSON in it. @param {unknown} text */
function factOf(text) {
  try {
    return JSON.parse(String(text));
  } catch {
    return String(text);
  }
}

/** @param {string[]} strings @param {number[]} shape @returns {any} */
function nested(strings, shape) {
  if (shape.length === 0) return factOf(strings[0]);
  if (shape.length === 1) return strings;
  const size = strings.length / (shape[0] || 1);
  return Array.from({ length: shape[0] }, (_, index) =>
    nested(strings.slice(index * size, (index + 1) * size), shape.slice(1)),
  );
}
