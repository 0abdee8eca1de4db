import assert from "node:assert/strict";
import test from "node:test";
import { detailOf, exactRow } from "../../static/js/numbers/detail.js";
import { blockWith, isExact, pictured, withRows } from "../../static/js/numbers/exact.js";

const N = 40;
const token = (/** @type {number} */ place) => ({
  id: place,
  text: `t${place}`,
  start: 0,
  end: 0,
  special: false,
  padding: false,
  segment: 0,
});
const site = {
  name: "layers.1",
  kind: "self",
  layer: 1,
  heads: [2],
  blocked_rows: [],
  query_tokens: "tokens",
  key_tokens: "tokens",
};
/** Two texts of N tokens; the picture has `side` cells a side. @param {number} side */
const picture = (side) => ({
  trace: {
    model: "m",
    tokens: [0, 1].map(() => Array.from({ length: N }, (_, i) => token(i))),
    target_tokens: null,
    sites: [site],
    predictions: null,
    predicted_at: null,
  },
  tensors: new Map([
    [
      "layers.1.pattern",
      { shape: [2, 1, side, side], data: new Uint8Array(2 * side * side).fill(51) },
    ],
    ["layers.1.blocked_by", { shape: [2, 1, side, side], data: new Uint8Array(2 * side * side) }],
  ]),
});
const [start, stop] = blockWith(37, N);
const rows = {
  trace: /** @type {any} */ (null),
  tensors: new Map(
    ["pattern", "scores", "blocked_by"].map((name) => [
      `layers.1.${name}`,
      {
        shape: [2, 1, stop - start, N],
        data: Float32Array.from({ length: 2 * (stop - start) * N }, (_, i) => i / 4096),
      },
    ]),
  ),
};
/** @param {any} detail @returns {any} */
const state = (detail, shown = 1) => ({ detail, shown, query: 37, segments: "all", models: [] });

test("rows come in blocks that end with the text", () => {
  assert.deepEqual(
    [blockWith(0, N), blockWith(31, N), blockWith(37, N)],
    [
      [0, 16],
      [16, 32],
      [32, 40],
    ],
  );
});

test("a picture is in shares, and no row of it is exact until it comes", () => {
  const first = /** @type {any} */ (pictured(/** @type {any} */ (picture(N))));
  const detail = detailOf(state(first));
  assert.ok(Math.abs((detail?.pattern.data[5] ?? 0) - 0.2) < 1e-7);
  assert.deepEqual([detail?.exact, detail?.pooled], [[37, 37], null]);
  assert.equal(detail && exactRow(detail, "pattern", 37), null);
  assert.equal(isExact(first, 37), false);

  const second = withRows(first, /** @type {any} */ (rows), start);
  const now = detailOf(state(second));
  assert.deepEqual(now?.exact, [32, 40]);
  assert.ok(isExact(second, 37) && !isExact(second, 31));
  // the second text's rows follow those of the first
  const at = (stop - start + (37 - start)) * N + 3;
  const exact = now && exactRow(now, "pattern", 37);
  assert.equal(exact?.values[3], Math.fround(at / 4096));
  assert.equal(exact?.scores?.[3], Math.fround(at / 4096));
  assert.equal(now?.pattern.data[37 * N + 3], Math.fround(at / 4096), "and it is in the picture");
  assert.ok(Math.abs((now?.pattern.data[31 * N + 3] ?? 0) - 0.2) < 1e-7, "where the others stay");
  assert.ok(
    Math.abs(first.tensors.get("layers.1.pattern").data[37 * N + 3] - 0.2) < 1e-7,
    "a copy",
  );
  assert.equal(now && exactRow(now, "pattern", 31), null);
});

test("a pooled picture keeps its cells, and its rows are read beside it", () => {
  const detail = withRows(
    pictured(/** @type {any} */ (picture(20))),
    /** @type {any} */ (rows),
    start,
  );
  const now = detailOf(state(detail));
  assert.deepEqual(now?.pooled, { rows: 2, cols: 2 });
  assert.ok(now?.pattern.data.every((value) => Math.abs(value - 0.2) < 1e-7));
  assert.equal(now && exactRow(now, "pattern", 39)?.values.length, N);
});
