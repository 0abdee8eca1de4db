import assert from "node:assert/strict";
import test from "node:test";
import { scale } from "../../static/js/draw/color.js";
import { channelAt, VECTORS, vectorsMarks } from "../../static/js/draw/vectors.js";

const table = scale(
  [
    [255, 0, 0],
    [255, 255, 255],
    [0, 0, 255],
  ],
  2,
);
const paper = { ink: "#111", faint: "#777", line: "#999", panel: "#fff", font: "sans-serif" };
const queries = ["a", "b", "c"];

/** Three tokens of two channels: the first falls with the token, the second is 0. @param {number} size */
const matrix = (size) => ({ rows: 3, cols: 2, data: Float32Array.of(size, 0, 0, 0, -size, 0) });

/** @param {string[]} keys @param {[number, number]} shown */
const drawn = (keys = queries, shown = [0, 3]) =>
  vectorsMarks({
    parts: [
      { name: "q", labels: queries, shown, matrix: matrix(2) },
      { name: "k", labels: keys, shown, matrix: matrix(4) },
      { name: "v", labels: keys, shown, matrix: matrix(0.5) },
    ],
    table,
    paper,
    width: 392,
    height: 356,
  });

/** @param {ReturnType<typeof drawn>} picture */
const textsOf = ({ marks }) => marks.flatMap((mark) => (mark.mark === "text" ? [mark.text] : []));

test("q, k and v stand side by side, each with the ends of its own scale and one axis for all", () => {
  const picture = drawn();
  assert.deepEqual(textsOf(picture), ["q", "±2.0", "a", "b", "c", "k", "±4.0", "v", "±0.50"]);
  const [q, k, v] = picture.cells;
  assert.equal(q.x, 84);
  assert.ok(q.x + q.width < k.x && k.x + k.width < v.x && v.x + v.width <= 392 - 8);
  assert.deepEqual([q.y, q.height], [VECTORS.top, 356 - VECTORS.top - VECTORS.bottom]);
});

test("the largest number has the last colour, zero the middle one, and its negative the first", () => {
  for (const mark of drawn().marks) {
    if (mark.mark !== "image") continue;
    const { width, height, data } = mark.pixels;
    assert.deepEqual([width, height], [2, 3]);
    assert.deepEqual([...data.subarray(0, 4)], [0, 0, 255, 255]);
    assert.ok(Math.min(...data.subarray(4, 12)) > 250);
    assert.deepEqual([...data.subarray(16, 20)], [255, 0, 0, 255]);
  }
});

test("keys that are other tokens get an axis of their own", () => {
  assert.deepEqual(textsOf(drawn(["x", "y", "z"])), [
    "q",
    "±2.0",
    "a",
    "b",
    "c",
    "k",
    "±4.0",
    "x",
    "y",
    "z",
    "v",
    "±0.50",
  ]);
});

test("the pointer finds the channel, also while a part of the tokens is shown", () => {
  const { cells } = drawn(queries, [1, 3]);
  const [q, , v] = cells;
  assert.deepEqual(channelAt(cells, q.x + 1, q.y + 1), { name: "q", token: 1, channel: 0 });
  const end = [v.x + v.width - 1, v.y + v.height - 1];
  assert.deepEqual(channelAt(cells, end[0], end[1]), { name: "v", token: 2, channel: 1 });
  assert.equal(channelAt(cells, q.x - 1, q.y + 1), null);
  assert.equal(channelAt(cells, q.x + q.width + 1, q.y + 1), null);
});
