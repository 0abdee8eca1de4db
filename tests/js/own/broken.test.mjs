// Every broken file gets one clear message. A row: what is wrong, the file, and what the message must say.

import assert from "node:assert/strict";
import test from "node:test";
import { FileError } from "../../../static/js/files/errors.js";
import { floats, joined, npy, safetensors, zip } from "./files.mjs";
import { asNpy, nested, npz, opened, pattern, vectors } from "./opening.mjs";

const good = pattern([2, 3, 4, 4]);
const TOKENS = ["the", "cat", "sat", "down"];
const whole = safetensors({ pattern: good }, { tokens: JSON.stringify(TOKENS) });
const archive = npz({ pattern: asNpy(good) });
const text = (value) => JSON.stringify(value);
const bytes = (...list) => Uint8Array.from([...list, ...Array(64).fill(0)]);

/** A pattern with one number changed. @param {number} at @param {number} value */
function spoiled(at, value) {
  const data = good.data.slice();
  data[at] = value;
  return { shape: good.shape, data };
}

/** A safetensors file with a spoiled header. @param {(header: any) => void} change */
const header = (change) => safetensors({ pattern: good }, undefined, change);

/** A file that begins with a header of some bytes. @param {Uint8Array | string} json @param {number | bigint} [length] */
function withHeader(json, length) {
  const body = typeof json === "string" ? new TextEncoder().encode(json) : json;
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(length ?? body.length), true);
  return joined(size, body);
}

/** @type {[what: string, file: Uint8Array | string, message: RegExp, settings?: object][]} */
const BROKEN = [
  // formats
  ["an empty file", new Uint8Array(0), /empty/],
  ["text", "attention is all you need", /format of this file is unknown.*\.npz/s],
  ["a pickle", bytes(0x80, 4, 0x95), /pickled.*could run any program.*save_file/s],
  ["a torch checkpoint", zip({ "archive/data.pkl": new Uint8Array(9) }), /pickled/],
  ["a zip of pictures", zip({ "a.png": new Uint8Array(9) }), /zip archive without NumPy arrays/],
  ["HDF5", bytes(0x89, 0x48, 0x44, 0x46, 0x0d), /HDF5.*Expected a \.safetensors/s],
  ["GGUF", bytes(0x47, 0x47, 0x55, 0x46), /GGUF/],
  ["Parquet", bytes(0x50, 0x41, 0x52, 0x31), /Parquet/],
  ["gzip", bytes(0x1f, 0x8b, 8), /gzip. Unpack it first/],
  ["a PDF", bytes(0x25, 0x50, 0x44, 0x46), /PDF/],
  ["a picture", bytes(0x89, 0x50, 0x4e, 0x47), /picture/],
  // safetensors
  ["safetensors cut in its header", whole.slice(0, 40), /cut short: its header/],
  ["safetensors cut in its numbers", whole.slice(0, -5), /cut short: pattern is incomplete/],
  ["a header of 2 GB", withHeader("{", 2 ** 31), /cut short: its header is incomplete/],
  ["a header of 2^63 bytes", withHeader("{", 2n ** 63n - 1n), /cut short: its header/],
  [
    "a header of 40 MB",
    withHeader(new Uint8Array(40 * 2 ** 20).fill(0x20).fill(0x7b, 0, 1)),
    /at most 33,554,432/,
  ],
  ["a header that is no JSON", withHeader("{'pattern': 1}"), /header is not JSON/],
  [
    "a tensor without a place",
    header((all) => delete all.pattern.data_offsets),
    /does not say where pattern is/,
  ],
  [
    "a tensor that ends before it begins",
    header((all) => all.pattern.data_offsets.reverse()),
    /does not say where/,
  ],
  [
    "a tensor outside the file",
    header((all) => {
      all.pattern.data_offsets = [9e9, 9e9 + 384];
    }),
    /cut short/,
  ],
  [
    "a shape of another size",
    header((all) => {
      all.pattern.shape = [2, 3, 4, 5];
    }),
    /its shape \[2, 3, 4, 5\] in F32 needs 480/,
  ],
  [
    "a negative size",
    header((all) => {
      all.pattern.shape = [-2, 3, 4, 4];
    }),
    /does not say where/,
  ],
  [
    "an unknown dtype",
    header((all) => {
      all.pattern.dtype = "F8_E5M2";
    }),
    /dtype F8_E5M2; expected one of F16/,
  ],
  [
    "tensors over each other",
    header((all) => {
      all.other = all.pattern;
    }),
    /over each other/,
  ],
  [
    "a null in place of a tensor",
    header((all) => {
      all.pattern = null;
    }),
    /does not say where/,
  ],
  // NumPy
  ["a npz cut short", archive.slice(0, 200), /cut short: the directory/],
  ["a npz without its middle", joined(archive.slice(0, 100), archive.slice(160)), /damaged/],
  [
    "a bomb that says it",
    zip(
      { "pattern.npy": new Uint8Array(10) },
      {
        change: (one) => {
          one.size = 3e9;
        },
      },
    ),
    /unpacks to 2861 MB.*Save fewer layers/s,
  ],
  [
    "a bomb that hides it",
    zip(
      { "pattern.npy": new Uint8Array(9e6) },
      {
        deflate: true,
        change: (one) => {
          one.size = 500;
        },
      },
    ),
    /holds more than its directory says/,
  ],
  [
    "a wrong checksum",
    zip(
      { "pattern.npy": asNpy(good) },
      {
        change: (one) => {
          one.crc ^= 1;
        },
      },
    ),
    /checksum/,
  ],
  [
    "an encrypted npz",
    zip(
      { "pattern.npy": asNpy(good) },
      {
        change: (one) => {
          one.flags = 1;
        },
      },
    ),
    /encrypted/,
  ],
  [
    "a npz packed with LZMA",
    zip(
      { "pattern.npy": asNpy(good) },
      {
        change: (one) => {
          one.method = 14;
        },
      },
    ),
    /np\.savez/,
  ],
  [
    "deflated rubbish",
    zip(
      { "pattern.npy": new Uint8Array(300).fill(255) },
      {
        change: (one) => {
          one.method = 8;
        },
      },
    ),
    /cannot be unpacked/,
  ],
  [
    "a npz of something else",
    zip({ "pattern.npy": new Uint8Array(200) }),
    /pattern is not a NumPy array/,
  ],
  [
    "pickled objects",
    npz({ pattern: npy({ shape: [2], bytes: new Uint8Array(16), descr: "'|O'" }) }),
    /Python objects, which are pickled/,
  ],
  [
    "complex numbers",
    npz({ pattern: npy({ shape: [2], bytes: new Uint8Array(16), descr: "'<c8'" }) }),
    /dtype '<c8'; expected floats/,
  ],
  [
    "records",
    npz({
      pattern: npy({
        shape: [2],
        bytes: new Uint8Array(16),
        descr: "[('a', '<f4'), ('b', '<f4')]",
      }),
    }),
    /NumPy dtype \[/,
  ],
  ["npy cut short", asNpy(good).slice(0, -9), /cut short.*needs 384/],
  ["npy cut in its header", asNpy(good).slice(0, 20), /no complete header/],
  ["npy of version 9", npy({ shape: [1], bytes: floats([1]), version: 9 }), /version 9/],
  [
    "npy without a shape",
    joined(asNpy(good).slice(0, 10), new TextEncoder().encode("{'descr': '<f4'}".padEnd(200))),
    /header .* is damaged/,
  ],
  // JSON
  [
    "JSON cut short",
    text({ pattern: nested(good) }).slice(0, -20),
    /not valid JSON, or it is cut short/,
  ],
  [
    "JSON with NaN",
    `{"pattern": [[1, 0], [NaN, NaN]]}`,
    /NaN or Infinity, which JSON does not know/,
  ],
  [
    "JSON with null",
    text({
      pattern: [
        [1, 0],
        [null, 1],
      ],
    }),
    /pattern\[1\]\[0\] is null; expected a number/,
  ],
  [
    "JSON with text among numbers",
    text({
      pattern: [
        [1, 0],
        ["a", 1],
      ],
    }),
    /pattern\[1\]\[0\] is "a"/,
  ],
  [
    "JSON with rows of different lengths",
    text({ pattern: [[1, 0], [1]] }),
    /differ in length: the length of pattern\[1\] is 1, .*Pad/s,
  ],
  [
    "JSON with a list too few",
    text({
      pattern: [
        [
          [1, 0],
          [0, 1],
        ],
        [1, 2],
      ],
    }),
    /pattern\[1\]\[0\] is 1; expected a list/,
  ],
  ["JSON nested too deep", `{"pattern": ${"[".repeat(30)}1${"]".repeat(30)}}`, /more than 8 lists/],
  [
    "JSON that says it is huge",
    `{"pattern": [${`[${"0,".repeat(8999)}0],`.repeat(1)}${"[0],".repeat(8999)}[0]]}`,
    /numbers; the page opens up to/,
  ],
  ["JSON without arrays", text({ hello: "world" }), /no arrays of numbers/],
  ["JSON that is a number", "[", /not valid JSON/],
  // what is in it
  ["no arrays", safetensors({}), /no arrays of numbers/],
  [
    "the weights of a model",
    safetensors({
      "layers.0.q_proj.weight": vectors([4, 4]),
      "layers.0.q_proj.bias": vectors([4]),
    }),
    /weights of a model/,
  ],
  [
    "names that say nothing",
    safetensors({ foo: good, bar: good }),
    /called a pattern, or q and k.*foo \[2, 3, 4, 4\]/s,
  ],
  [
    "only scores",
    safetensors({ scores: vectors([2, 3, 4, 4]), z: vectors([2, 3, 4, 8]) }),
    /called a pattern/,
  ],
  [
    "one axis",
    safetensors({ pattern: { shape: [4], data: [0, 0, 1, 0] } }),
    /No array in this file/,
  ],
  ["six axes", safetensors({ pattern: pattern([1, 1, 2, 3, 4, 4]) }), /expected 2 to 5 axes/],
  [
    "nothing in an array",
    safetensors({ pattern: { shape: [2, 3, 0, 4], data: [] } }),
    /pattern is empty/,
  ],
  [
    "NaN",
    safetensors({ pattern: spoiled(53, Number.NaN) }),
    /NaN at layer 1, head 0, query 1, key 1\. A row/,
  ],
  [
    "more NaN",
    safetensors({
      pattern: { shape: good.shape, data: good.data.map((n, at) => (at < 4 ? Number.NaN : n)) },
    }),
    /and 3 more such numbers/,
  ],
  [
    "infinity",
    safetensors({ pattern: spoiled(0, Number.POSITIVE_INFINITY) }),
    /Infinity at layer 0/,
  ],
  [
    "masked scores",
    safetensors({ pattern: spoiled(0, Number.NEGATIVE_INFINITY) }),
    /−Infinity.*after the softmax/s,
  ],
  [
    "scores",
    safetensors({ pattern: spoiled(17, -3.25) }),
    /-3\.25 at layer 0, head 1, query 0, key 1.*may be scores/s,
  ],
  [
    "NaN in q",
    safetensors({
      q: { ...vectors([2, 4, 3]), data: floats([]).length ? [] : Array(24).fill(Number.NaN) },
      k: vectors([2, 4, 3]),
    }),
    /q has NaN at head 0, position 0, channel 0/,
  ],
  // shapes that do not agree
  ["q without k", safetensors({ q: vectors([2, 3, 4, 5]) }), /q but no k/],
  [
    "q and k of different widths",
    safetensors({ q: vectors([2, 3, 4, 5]), k: vectors([2, 3, 4, 6]), v: vectors([2, 3, 4, 5]) }),
    /differ in d_head/,
  ],
  [
    "q and k of different depths",
    safetensors({ q: vectors([2, 3, 4, 5]), k: vectors([1, 3, 4, 5]) }),
    /q has 2 layers, k has 1 layer/,
  ],
  [
    "heads that cannot be grouped",
    safetensors({ q: vectors([2, 4, 5, 6]), k: vectors([2, 3, 5, 6]), v: vectors([2, 3, 5, 6]) }),
    /not a multiple/,
  ],
  [
    "k and v of different lengths",
    safetensors({ q: vectors([2, 3, 4, 5]), k: vectors([2, 3, 4, 5]), v: vectors([2, 3, 6, 5]) }),
    /k and v have different numbers of tokens/,
  ],
  [
    "a pattern of other heads than q",
    safetensors({
      pattern: pattern([2, 2, 4, 4]),
      q: vectors([2, 3, 4, 5]),
      k: vectors([2, 3, 4, 5]),
    }),
    /pattern and q have different numbers of heads/,
  ],
  [
    "layers of different lengths",
    safetensors({ "pattern.0": pattern([3, 4, 4]), "pattern.1": pattern([3, 5, 5]) }),
    /layer 1 has 5 keys, others have 4/,
  ],
  [
    "layers of different depths",
    safetensors({ "pattern.0": pattern([3, 4, 4]), "pattern.1": pattern([4, 4]) }),
    /pattern\.1 has 2 axes/,
  ],
  [
    "more queries than keys in one sequence",
    safetensors({ pattern: pattern([2, 3, 4, 6]) }),
    /4 queries and 6 keys/,
    { two: false },
  ],
  [
    "too few tokens",
    safetensors({ pattern: good }, { tokens: '["a", "b", "c"]' }),
    /3 tokens, but the arrays have 4 places/,
  ],
  [
    "tokens of another number of texts",
    safetensors({ pattern: good }, { tokens: '[["a"], ["b"]]' }),
    /1 text, but there are tokens for 2/,
  ],
  [
    "two axes of one name",
    whole,
    /Two axes are called “head”/,
    { axes: { pattern: ["head", "head", "query", "key"] } },
  ],
  [
    "no axis of keys",
    whole,
    /No axis is called “key”/,
    { axes: { pattern: ["layer", "text", "head", "query"] } },
  ],
  [
    "too many tokens",
    safetensors({ pattern: pattern([2100, 2100]) }),
    /2,100 tokens; the page shows up to 2,048\. Save a part of the text\./,
  ],
  [
    "tokens that are a book",
    safetensors({ pattern: pattern([2, 2]) }, { tokens: text(["a".repeat(20_000), "b"]) }),
    /20,002 characters in a text; the page shows up to 20,000/,
  ],
  // this project's own file
  [
    "a saved file without heads",
    text({ model: "m", tokens: [[{ text: "a", start: 0, end: 1 }]], sites: [] }),
    /neither patterns nor q, k and v.*Ask the API/s,
  ],
  [
    "a saved file with damaged tokens",
    text({ model: "m", tokens: [["a"]], sites: [] }),
    /tokens of this saved file are damaged/,
  ],
];

for (const [what, file, message, settings] of BROKEN) {
  test(`${what}: one clear message`, async () => {
    await assert.rejects(opened(file, settings), (error) => {
      assert.ok(error instanceof FileError, error.stack);
      assert.match(error.message, message);
      assert.match(error.message, /^[A-Z“−-]|^\S+ (has|is|holds)|^pattern\[/);
      assert.ok(error.message.length < 600, error.message);
      return true;
    });
  });
}

test("there are at least 60 broken files", () => assert.ok(BROKEN.length >= 60));
