import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { InputError } from "../../../static/js/engine/errors.js";
import { readWeights, weightNames } from "../../../static/js/engine/scratch/uploads.js";

const cases = JSON.parse(readFileSync(new URL("data/uploads.json", import.meta.url), "utf8"));
const unreadable = /^Expected the weights as a safetensors file in base64; this one cannot be read/;

/** A file with that header, which no library would write. */
function file(header, size = 0) {
  const bytes = new TextEncoder().encode(header);
  const found = new Uint8Array(8 + bytes.length + size);
  new DataView(found.buffer).setBigUint64(0, BigInt(bytes.length), true);
  found.set(bytes, 8);
  return found;
}

test("a file is read or refused as in Python", () => {
  const counts = { read: 0, refused: 0 };
  for (const { file: base64, error: expected, names, tensors } of cases) {
    const content = new Uint8Array(Buffer.from(base64, "base64"));
    const shown = Buffer.from(content).toString("latin1");
    if (expected === undefined) {
      const found = readWeights(content);
      assert.deepEqual(weightNames(content), names, shown);
      assert.deepEqual(
        Object.fromEntries([...found].map(([name, x]) => [name, [x.shape, [...x.data]]])),
        tensors,
        shown,
      );
      counts.read++;
      continue;
    }
    assert.throws(
      () => readWeights(content),
      (error) => {
        assert.ok(error instanceof InputError, shown);
        assert.deepEqual([error.code, error.field], ["invalid_input", "scratch.weights"]);
        // a file that is not JSON for one of the two languages may show another fault in the other
        if (!unreadable.test(expected) && !unreadable.test(error.message))
          assert.equal(error.message, expected, shown);
        return true;
      },
    );
    counts.refused++;
  }
  assert.ok(counts.read > 10 && counts.refused > 50, JSON.stringify(counts));
});

test("a file may stand anywhere in a buffer", () => {
  const { file: base64, tensors } = cases.findLast((one) => one.tensors?.b);
  const content = Buffer.from(base64, "base64");
  const apart = new Uint8Array(content.length + 3);
  apart.set(content, 3);
  assert.deepEqual([...readWeights(apart.subarray(3)).get("b").data], tensors.b[1]);
});

test("a large or deep header is refused at once", () => {
  const long = `{"__metadata__":{"a":"${"x".repeat(65_536)}"}}`;
  assert.throws(() => readWeights(file(long)), {
    field: "scratch.weights",
    message: /^Expected a header of at most 65,536 bytes .* this one has 65,561\. /,
  });
  assert.throws(() => readWeights(file('{"a":'.repeat(5_000))), { message: unreadable });
  assert.throws(() => readWeights(file(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)), {
    message: unreadable,
  });
  const many = JSON.stringify(
    Object.fromEntries(
      Array(257)
        .fill({})
        .map((_, n) => [`a${n}`, {}]),
    ),
  );
  assert.throws(() => readWeights(file(many)), {
    message: /at most 256 tensors; this file has 257/,
  });
  const digits = `{"a":{"dtype":"F32","shape":[1${"0".repeat(4_000)}],"data_offsets":[0,4]}}`;
  assert.throws(() => readWeights(file(digits, 4)), { message: /does not match its shape/ });
});
