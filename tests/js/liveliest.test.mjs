import assert from "node:assert/strict";
import test from "node:test";
import { liveliest } from "../../static/js/numbers/liveliest.js";

/** An answer with heads of three tokens. @param {number[][]} heads @returns {any} */
const answer = (heads) => ({
  trace: { sites: [{ name: "layers.0", layer: 0, heads: heads.map((_, head) => head) }] },
  tensors: new Map([
    ["layers.0.pattern", { shape: [1, heads.length, 3, 3], data: Uint8Array.from(heads.flat()) }],
  ]),
});
const resting = [255, 0, 0, 255, 0, 0, 255, 0, 0];
const itself = [255, 0, 0, 0, 255, 0, 0, 0, 255];
const before = [255, 0, 0, 255, 0, 0, 0, 255, 0];
const both = [0, 255, 0, 0, 0, 255, 0, 255, 0];

test("a head that looks elsewhere comes before those that rest on the first token or on themselves", () => {
  assert.deepEqual(liveliest(answer([resting, itself, before]), 0), { layer: 0, head: 2 });
  assert.deepEqual(liveliest(answer([before, both]), 0), { layer: 0, head: 1 }); // in more rows
});

test("of heads that all rest, none is livelier", () => {
  assert.equal(liveliest(answer([resting, itself]), 0), null);
  assert.equal(liveliest({ ...answer([before]), tensors: new Map() }, 0), null);
});
