// Numbers in other types are those that torch and numpy make of them, and files of them can be read again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asTensor, nested, toArray } from "../../../static/js/engine/answering/arrays.js";
import { halved, halves } from "../../../static/js/files/halves.js";
import { readSafetensors } from "../../../static/js/files/safetensors.js";
import { writeSafetensors } from "../../../static/js/files/safetensors-writer.js";

const tensor = (shape, numbers) => ({ shape, data: Float32Array.from(numbers) });

test("float16 is the nearest, and of two equally near the even one", () => {
  // numpy.array(numbers, "float32").astype("float16").view("uint16")
  const cases = [
    [0, 0],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [0.1, 0x2e66],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [1e30, 0x7c00],
    [-1e30, 0xfc00],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 ** -14, 0x0400],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [3 * 2 ** -25, 2],
    [2 ** -14 - 2 ** -25, 0x0400],
    [1e-30, 0],
  ];
  const numbers = Float32Array.from(cases, ([number]) => number);
  assert.deepEqual(
    [...halved(numbers)],
    cases.map(([, bits]) => bits),
  );
});

test("every float16 stays what it is", () => {
  const all = Uint16Array.from({ length: 0x10000 }, (_, i) => i).filter(
    (bits) => (bits & 0x7c00) !== 0x7c00 || (bits & 0x3ff) === 0,
  );
  assert.deepEqual(halved(halves(all)), all);
});

test("a share becomes 255 · share, rounded to even", () => {
  const shares = [0, 1, 0.5 / 255, 1.5 / 255, 1.5, -1];
  const { dtype, data } = toArray(tensor([6], shares), "uint8", "select");
  assert.deepEqual([dtype, ...data], ["U8", 0, 255, 0, 2, 255, 0]);
});

test("what float16 cannot hold is refused, in the words of the look that asked", () => {
  assert.throws(() => toArray(tensor([1], [65_520]), "float16", "parts.grid"), {
    code: "dtype_overflow",
    field: "parts.grid.dtype",
    status: 422,
  });
});

test("an answer is a copy: the trace keeps its numbers when the answer is handed over", () => {
  const own = tensor([2], [1, 2]);
  toArray(own, "float32", "select").data[0] = 9;
  assert.equal(own.data[0], 1);
});

test("nested lists have the shortest numbers that name a float32", () => {
  const found = nested(
    toArray(tensor([2, 1, 2], [0.1, 1e-7, 16777216, -0.3]), "float32", "select"),
  );
  assert.equal(JSON.stringify(found), "[[[0.1,1e-7]],[[16777216,-0.3]]]");
  assert.deepEqual(nested(toArray(tensor([2, 0], []), "float32", "select")), [[], []]);
});

test("a written file is read as the same numbers", () => {
  const arrays = new Map([
    ["bits", toArray({ shape: [3], data: Uint8Array.of(1, 2, 255) }, "float32", "select")],
    ["half", toArray(tensor([3], [0.1, -2, 3]), "float16", "select")],
    ["full", toArray(tensor([1, 2], [0.1, -2e30]), "float32", "select")],
  ]);
  const { metadata, tensors } = readSafetensors(
    writeSafetensors({ trace: '{"ü": 1}' }, arrays).buffer,
  );
  assert.deepEqual(metadata, { trace: '{"ü": 1}' });
  for (const [name, array] of arrays) {
    const { shape, data } = tensors.get(name);
    assert.deepEqual({ shape, data }, asTensor(array), name);
  }
});
