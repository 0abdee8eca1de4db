import assert from "node:assert/strict";
import test from "node:test";
import { readSafetensors } from "../../static/js/files/safetensors.js";

/** @param {object} header @param {Uint8Array} body */
function file(header, body) {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + body.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(body, 8 + json.length);
  return bytes.buffer;
}

const floats = new Uint8Array(new Float32Array([0.5, -1, 2, 0.25, 8, 16]).buffer);
const header = {
  __metadata__: { trace: '{"model":"m"}' },
  "layers.0.pattern": { dtype: "F32", shape: [2, 3], data_offsets: [0, 24] },
  "layers.0.blocked_by": { dtype: "U8", shape: [2], data_offsets: [24, 26] },
};

test("numbers, shapes and metadata come out as they went in, at any alignment", () => {
  for (const padding of ["", " ", "   "]) {
    const odd = { ...header, __metadata__: { trace: `{"model":"m"}${padding}` } };
    const { metadata, tensors } = readSafetensors(file(odd, new Uint8Array([...floats, 1, 16])));
    assert.deepEqual(JSON.parse(metadata.trace), { model: "m" });
    assert.deepEqual(tensors.get("layers.0.pattern").shape, [2, 3]);
    assert.deepEqual([...tensors.get("layers.0.pattern").data], [0.5, -1, 2, 0.25, 8, 16]);
    assert.deepEqual([...tensors.get("layers.0.blocked_by").data], [1, 16]);
  }
});

test("a file that is cut short is an error, not a picture", () => {
  const whole = file(header, new Uint8Array([...floats, 1, 16]));
  for (const length of [0, 7, 20, whole.byteLength - 1]) {
    assert.throws(() => readSafetensors(whole.slice(0, length)), /cut short/);
  }
});

test("float16 comes out as float32, to the smallest and the largest number", () => {
  const bits = new Uint16Array([0x3555, 0xc000, 0x0001, 0x83ff, 0x7bff, 0x8000, 0xfc00, 0x7e00]);
  const half = { x: { dtype: "F16", shape: [8], data_offsets: [0, 16] } };
  const { tensors } = readSafetensors(file(half, new Uint8Array(bits.buffer)));
  const { data } = tensors.get("x");
  assert.ok(data instanceof Float32Array);
  assert.deepEqual(
    [...data],
    [1365 / 4096, -2, 2 ** -24, -1023 * 2 ** -24, 65504, -0, -Infinity, NaN],
  );
});

test("a dtype that is not read is named", () => {
  const eighth = { x: { dtype: "F8_E4M3", shape: [1], data_offsets: [0, 2] } };
  assert.throws(() => readSafetensors(file(eighth, new Uint8Array(2))), /x has dtype F8_E4M3/);
});
