import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { isNpy, readNpy } from "../../../static/js/files/npy.js";
import { readSafetensors } from "../../../static/js/files/safetensors.js";
import { unzip, zipEntries } from "../../../static/js/files/zip.js";
import { floats, npy, safetensors, zip } from "./files.mjs";

/** A file with one tensor of any dtype. @param {string} dtype @param {ArrayBufferView} values */
function one(dtype, values) {
  const bytes = new Uint8Array(values.buffer);
  const whole = safetensors({ x: { shape: [0], data: [] } }, undefined, (header) => {
    header.x = { dtype, shape: [values.length], data_offsets: [0, bytes.length] };
  });
  return new Uint8Array([...whole, ...bytes]).buffer;
}

test("every dtype of safetensors gives the numbers that were written", () => {
  const cases = [
    ["F16", Uint16Array.of(0x3c00, 0xc000, 0x3555), [1, -2, 0.333251953125]],
    ["BF16", Uint16Array.of(0x3f80, 0xc000, 0x3eab), [1, -2, 0.333984375]],
    ["F32", Float32Array.of(1, -2, 0.5), [1, -2, 0.5]],
    ["F64", Float64Array.of(1, -2, 0.5), [1, -2, 0.5]],
    ["I8", Int8Array.of(1, -2, 127), [1, -2, 127]],
    ["I16", Int16Array.of(1, -2, 300), [1, -2, 300]],
    ["I32", Int32Array.of(1, -2, 70000), [1, -2, 70000]],
    ["I64", BigInt64Array.of(1n, -2n, 3n), [1, -2, 3]],
    ["U8", Uint8Array.of(1, 2, 255), [1, 2, 255]],
    ["U16", Uint16Array.of(1, 2, 65535), [1, 2, 65535]],
    ["U32", Uint32Array.of(1, 2, 70000), [1, 2, 70000]],
    ["U64", BigUint64Array.of(1n, 2n, 3n), [1, 2, 3]],
    ["BOOL", Uint8Array.of(1, 0, 1), [1, 0, 1]],
  ];
  for (const [dtype, written, read] of cases) {
    const { tensors } = readSafetensors(one(dtype, written));
    assert.deepEqual([...tensors.get("x").data], read, dtype);
  }
});

test("a header of two gigabytes is refused before anything of that size is made", () => {
  const bytes = new Uint8Array(64);
  new DataView(bytes.buffer).setBigUint64(0, 2n ** 31n, true);
  assert.throws(() => readSafetensors(bytes.buffer), /cut short: its header/);
});

test("small and large ends, both orders and all versions of npy agree", () => {
  const rows = [0, 1, 2, 3, 4, 5]; // of a 2 × 3 array
  const columns = [0, 3, 1, 4, 2, 5];
  const big = new Uint8Array(24);
  rows.forEach((n, index) => {
    new DataView(big.buffer).setFloat32(4 * index, n, false);
  });
  const files = [
    { bytes: floats(rows) },
    { bytes: floats(rows), version: 2 },
    { bytes: floats(rows), version: 3 },
    { bytes: floats(columns), fortran: true },
    { bytes: big, descr: "'>f4'" },
    { bytes: new Uint8Array(Float64Array.from(rows).buffer), descr: "'<f8'" },
    { bytes: new Uint8Array(Int16Array.from(rows).buffer), descr: "'<i2'" },
  ];
  for (const file of files) {
    const { buffer } = npy({ shape: [2, 3], ...file });
    assert.ok(isNpy(new Uint8Array(buffer)));
    const { shape, data } = readNpy(buffer, "x");
    assert.deepEqual([shape, [...data]], [[2, 3], rows]);
  }
});

test("text in npy is read, in characters beyond the basic plane, too", () => {
  const points = [..."a😀é"].map((letter) => letter.codePointAt(0));
  const wide = Uint32Array.from([points[0], points[1], points[2], 0]);
  const unicode = { shape: [2], bytes: new Uint8Array(wide.buffer), descr: "'<U2'" };
  assert.deepEqual(readNpy(npy(unicode).buffer, "tokens").strings, ["a😀", "é"]);
  const bytes = { shape: [2], bytes: new TextEncoder().encode("ab\0xyz"), descr: "'|S3'" };
  assert.deepEqual(readNpy(npy(bytes).buffer, "tokens").strings, ["ab", "xyz"]);
});

/** NumPy arrays of objects, as np.save and pickle write them. @type {Record<string, string>} */
const OBJECTS = JSON.parse(readFileSync(new URL("objects.json", import.meta.url), "utf8"));
const objects = (/** @type {string} */ name) =>
  readNpy(Uint8Array.from(Buffer.from(OBJECTS[name], "base64")).buffer, "attn");

test("text is read out of pickled arrays, whatever the protocol", () => {
  for (const protocol of [2, 3, 4, 5]) {
    const read = objects(`protocol ${protocol}`);
    assert.deepEqual([read.shape, read.strings], [[2], ["the", "é"]]);
  }
  assert.deepEqual(objects("lists").strings, [["a", "b"], ["c"]]);
});

test("other pickled arrays are refused with a way to save numbers, and nothing of them runs", () => {
  for (const name of ["arrays", "a call"])
    assert.throws(
      () => objects(name),
      /could run any program.*np\.asarray\(attn, dtype="float32"\)/s,
    );
  const cut = npy({ shape: [1], bytes: new Uint8Array(9), descr: "'|O'" });
  assert.throws(() => readNpy(cut.buffer, "attn"), /could run any program/);
  const whole = Buffer.from(OBJECTS["protocol 4"], "base64");
  for (let end = 130; end < whole.length; end += 1)
    assert.throws(() => readNpy(Uint8Array.from(whole.subarray(0, end)).buffer, "attn"), /pickled/);
});

test("stored and deflated archives unpack to the same bytes", async () => {
  const data = new Uint8Array(100_000).map((_, index) => index % 251);
  for (const deflate of [false, true]) {
    const blob = new Blob([zip({ "a.npy": data, "b.npy": new Uint8Array(0) }, { deflate })]);
    const [first, second] = await zipEntries(blob);
    assert.deepEqual([first.name, second.name], ["a.npy", "b.npy"]);
    assert.deepEqual(new Uint8Array(await unzip(blob, first)), data);
    assert.equal((await unzip(blob, second)).byteLength, 0);
  }
});

test("an archive that unpacks to more than it says is stopped", async () => {
  const bomb = zip(
    { "a.npy": new Uint8Array(50_000_000) },
    {
      deflate: true,
      change: (entry) => {
        entry.size = 1000;
      },
    },
  );
  const blob = new Blob([bomb]);
  const [entry] = await zipEntries(blob);
  await assert.rejects(unzip(blob, entry), /holds more than its directory says/);
});

test("a damaged archive is never read as numbers", async () => {
  const spoiled = [
    [(entry) => Object.assign(entry, { crc: 1 }), /checksum/],
    [(entry) => Object.assign(entry, { size: 20_001 }), /holds less/],
    [(entry) => Object.assign(entry, { at: 7 }), /not where its directory says/],
    [(entry) => Object.assign(entry, { method: 14 }), /np\.savez/],
    [(entry) => Object.assign(entry, { flags: 1 }), /encrypted/],
    [(entry) => Object.assign(entry, { packed: 0xffffffff }), /past 4 GB/],
  ];
  for (const [change, message] of spoiled) {
    const blob = new Blob([zip({ "a.npy": new Uint8Array(20_000) }, { change })]);
    const [entry] = await zipEntries(blob);
    await assert.rejects(unzip(blob, entry), message);
  }
});
