import assert from "node:assert/strict";
import test from "node:test";
import { inPlanes, outOfPlanes } from "../../static/js/files/planes.js";
import { writeSafetensors } from "../../static/js/files/safetensors-writer.js";

/** @typedef {import("../../static/js/files/safetensors-writer.js").Stored} Stored */

/** @param {Uint8Array<ArrayBuffer>[]} parts */
const joined = (parts) => new Blob(parts).arrayBuffer();

test("the first bytes of the widest numbers come first, and single bytes stay as they are", async () => {
  /** @type {Map<string, Stored>} */
  const tensors = new Map([
    ["bits", { dtype: "U8", shape: [2], data: Uint8Array.of(7, 9) }],
    ["q", { dtype: "F32", shape: [2], data: Float32Array.of(1, 2) }],
  ]);
  const file = new Uint8Array(await joined(inPlanes({}, tensors)));
  // 1 is 00 00 80 3f, and 2 is 00 00 00 40
  assert.deepEqual([...file.subarray(-10)], [0, 0, 0, 0, 0x80, 0, 0x3f, 0x40, 7, 9]);
});

test("what was put into planes is read again, with numbers of several widths", async () => {
  /** @type {Map<string, Stored>} */
  const tensors = new Map([
    ["k", { dtype: "F16", shape: [3], data: Uint16Array.of(1, 2, 0x3c00) }],
    ["q", { dtype: "F32", shape: [2], data: Float32Array.of(0.1, -2e-7) }],
    ["bits", { dtype: "U8", shape: [1], data: Uint8Array.of(4) }],
    ["v", { dtype: "F32", shape: [1], data: Float32Array.of(3e9) }],
  ]);
  const again = outOfPlanes(await joined(inPlanes({ trace: "{}" }, tensors)));
  const expected = writeSafetensors({ trace: "{}", byte_planes: "4" }, tensors);
  assert.deepEqual(new Uint8Array(again), expected);
});
