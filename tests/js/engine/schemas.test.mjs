// Masks and mutes are read as on the server: equal edits give equal settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "../../../static/js/engine/answering/refusal.js";
import {
  MASKS,
  MUTED,
  maskSettingsOf,
  mutedHeads,
  OWN_MASKS,
} from "../../../static/js/engine/answering/schemas/masks.js";

function refused(field, value, at) {
  const problems = [];
  field(value, [at], problems);
  const error = problems.length > 0 ? refusal(problems) : null;
  return error && [error.code, error.field, error.limit];
}

test("a mask of each kind takes its values and no others", () => {
  for (const [masks, expected] of [
    [{ causal: null, padding: false, padding_side: "left", window: null, prefix: 1 }, null],
    [{ causal: 1 }, ["invalid_value", "masks.causal", null]],
    [{ padding: null }, ["invalid_value", "masks.padding", null]],
    [{ padding_side: "both" }, ["invalid_value", "masks.padding_side", null]],
    [{ window: 0 }, ["invalid_value", "masks.window", 1]],
    [{ sinks: 2_000_000 }, ["invalid_value", "masks.sinks", 1_000_000]],
    [{ blocked: [{}, { key: -1 }] }, ["invalid_value", "masks.blocked.1.key", 0]],
    [{ allowed: [{ kind: "both" }] }, ["invalid_value", "masks.allowed.0.kind", null]],
    [{ allowed: [{ row: 1 }] }, ["unknown_field", "masks.allowed.0.row", null]],
    [{ mask: 1 }, ["unknown_field", "masks.mask", null]],
    [null, ["invalid_value", "masks", null]],
  ]) {
    assert.deepEqual(refused(MASKS, masks, "masks"), expected, JSON.stringify(masks));
  }
});

test("the order and repetition of cells and mutes do not matter", () => {
  const cell = { text: null, layer: 2, head: null, query: 4, key: 1, kind: null };
  const other = { ...cell, kind: "self" };
  const found = maskSettingsOf({ ...OWN_MASKS, blocked: [other, cell, { ...cell }] });
  assert.deepEqual(found.blocked, [other, cell]); // Python writes 'self' with a quote, which sorts before None
  assert.deepEqual(found, maskSettingsOf({ ...OWN_MASKS, blocked: [cell, other] }));
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

test("a muted head is a layer, a head, and perhaps a kind", () => {
  assert.equal(
    refused(
      MUTED,
      [
        [0, 1],
        [2, 3, "cross"],
      ],
      "muted",
    ),
    null,
  );
  for (const head of [
    [0],
    [0, 1, "x"],
    [0, 1, null],
    [0, 1, "self", 1],
    [true, 1],
    [0, 1.5],
    [0, -1],
  ]) {
    assert.deepEqual(refused(MUTED, [head], "muted"), ["invalid_value", "muted.0", null]);
  }
  assert.deepEqual(refused(MUTED, [0, 1], "muted"), ["invalid_value", "muted.0", null]);
});
