// A request has its defaults, and equal edits give equal settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "../../../static/js/engine/answering/limits.js";
import {
  inputsOf,
  maskSettingsOf,
  mutedHeads,
  readRequest,
} from "../../../static/js/engine/answering/request.js";

test("what a request leaves out has its default, at every depth", () => {
  const sent = { texts: ["a"], masks: { window: 3, blocked: [{ key: 1 }] }, analyse: { lens: {} } };
  const request = readRequest({ ...sent, parts: { heads: { heads: [1] } } }, LIMITS);
  const { masks, settings } = inputsOf(request, LIMITS);
  const cell = { text: null, layer: null, head: null, query: null, key: 1, kind: null };
  assert.deepEqual([masks.window, masks.padding_side, masks.blocked], [3, "right", [cell]]);
  assert.deepEqual(request.analyse.lens, { top_k: 5, position: null, tuned: false });
  assert.deepEqual([request.analyse.flow, request.analyse.match], [false, null]);
  const { heads, tensors, dtype } = request.parts.get("heads");
  assert.deepEqual([heads, tensors, dtype], [[1], ["pattern"], "float32"]);
  assert.deepEqual([request.predict.top_k, request.generate, settings], [10, null, null]);
  assert.deepEqual([...request.given], ["texts", "masks", "analyse", "parts"]);
});

test("too many texts, or too long ones, are refused with the limit", () => {
  const refused = (request) => {
    try {
      inputsOf(readRequest(request, LIMITS), LIMITS);
    } catch ({ code, field, limit }) {
      return [code, field, limit];
    }
  };
  assert.deepEqual(refused({ texts: Array(9).fill("a") }), ["too_many_texts", "texts", 8]);
  assert.deepEqual(refused({ texts: ["a", "b".repeat(20_001)] }), [
    "too_many_characters",
    "texts.1",
    20_000,
  ]);
  assert.deepEqual(refused({ texts: ["🙂".repeat(80_000)] })[0], "body_too_large");
});

test("the order and repetition of cells and mutes do not matter", () => {
  const own = { allowed: [] };
  const cell = { text: null, layer: 2, head: null, query: 4, key: 1, kind: null };
  const other = { ...cell, kind: "self" };
  const found = maskSettingsOf({ ...own, blocked: [other, cell, { ...cell }] });
  assert.deepEqual(found.blocked, [other, cell]); // Python writes 'self' with a quote, which sorts before None
  assert.deepEqual(found, maskSettingsOf({ ...own, blocked: [cell, other] }));
  const heads = [
    [2, 5, "cross"],
    [10, 0],
    [2, 5],
    [10, 0],
  ];
  assert.deepEqual(mutedHeads(heads), [
    [10, 0, null],
    [2, 5, "cross"],
    [2, 5, null],
  ]);
});

test("what needs the stream of a run is refused, not left out", () => {
  for (const [field, value] of Object.entries({
    interventions: [{ kind: "zero", at: "head", layer: 0 }],
    answer: { kind: "entropy" },
  })) {
    const request = readRequest({ texts: ["a"], [field]: value }, LIMITS);
    assert.throws(() => inputsOf(request, LIMITS), { code: "unavailable", field });
  }
});
