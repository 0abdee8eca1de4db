import assert from "node:assert/strict";
import test from "node:test";
import { liveliest, mostMissed } from "../../static/js/numbers/liveliest.js";

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

test("the head whose mute moves the prediction most, either way, but never the very first", () => {
  const effect = (layer, head, change, kind = "self") => ({ kind, layer, head, change });
  const effects = [
    effect(0, 0, -9),
    effect(0, 1, 0.5),
    effect(1, 0, null),
    effect(1, 1, -0.75),
    effect(1, 1, -3, "cross"),
  ];
  assert.deepEqual(mostMissed(effects, "self"), { layer: 1, head: 1 });
  assert.deepEqual(mostMissed(effects.slice(0, 2), "self"), { layer: 0, head: 1 });
  assert.equal(mostMissed([effect(0, 0, -9), effect(0, 1, 0), effect(1, 0, null)], "self"), null);
});
