import assert from "node:assert/strict";
import test from "node:test";
import { paint } from "../../static/js/draw/raster.js";
import {
  boxIn,
  cellIn,
  moved,
  nearer,
  partOf,
  zoomBy,
  zoomOf,
} from "../../static/js/draw/viewport.js";
import { cut, shrink } from "../../static/js/numbers/matrix.js";

const frame = (/** @type {any} */ part) => ({ left: 100, top: 50, width: 200, height: 400, part });

test("from a point to its cell and back, also where it is zoomed", () => {
  const seen = frame([10, 20, 30, 34]);
  assert.deepEqual(cellIn(seen, 100, 50), [10, 30]);
  assert.deepEqual(cellIn(seen, 299.9, 449.9), [19, 33]);
  for (const [x, y] of [
    [99, 60],
    [300, 60],
    [150, 49],
    [150, 450],
  ]) {
    assert.equal(cellIn(seen, x, y), null);
  }
  assert.deepEqual(boxIn(seen, 12, 31), { x: 150, y: 130, width: 50, height: 40 });
  assert.equal(boxIn(seen, 9, 31), null);
  assert.equal(boxIn(seen, 12, 34), null);
  const half = frame([10.5, 20.5, 30, 34]);
  assert.deepEqual(
    boxIn(half, 10, 30),
    { x: 100, y: 50, width: 50, height: 20 },
    "what is seen of it",
  );
});

test("a zoom is whole cells within the text, and all of it is none", () => {
  assert.deepEqual(zoomOf([9.6, 20.2, -3, 7], 100, 100), [10, 21, 0, 10]);
  assert.deepEqual(zoomOf([98, 99, 98, 99], 100, 100), [96, 100, 96, 100], "a few cells at least");
  assert.equal(zoomOf([-1, 101, 0, 100], 100, 100), null);
  assert.deepEqual(zoomOf([0, 1, 0, 1], 2, 2), null, "a text of two tokens is never cut");
});

test("a zoom that a text is too short for shows all of it", () => {
  assert.deepEqual(partOf([10, 20, 10, 20], 15, 40), [10, 15, 10, 20]);
  assert.deepEqual(partOf([10, 20, 10, 20], 8, 40), [0, 8, 0, 40]);
  assert.deepEqual(partOf(null, 8, 40), [0, 8, 0, 40]);
});

test("zooming keeps the place under the pointer, moving stays inside", () => {
  assert.deepEqual(nearer([0, 100, 0, 100], 2, [20, 60]), [10, 60, 30, 80]);
  assert.deepEqual(moved([10, 20, 30, 40], 1000, -1000, 100, 100), [90, 100, 0, 10]);
});

test("the keys zoom and move, and 0 shows all", () => {
  const once = zoomBy("+", null, 100, 100);
  assert.deepEqual(once, [19, 82, 19, 82]);
  assert.deepEqual(zoomBy("ArrowRight", once, 100, 100), [19, 82, 35, 98]);
  assert.equal(zoomBy("-", once, 100, 100), null);
  assert.equal(zoomBy("0", once, 100, 100), null);
});

test("a part of a matrix, and one shrunk along one side only", () => {
  const matrix = { rows: 3, cols: 4, data: Float32Array.from({ length: 12 }, (_, i) => i) };
  assert.deepEqual([...cut(matrix, [1, 3, 2, 4]).data], [6, 7, 10, 11]);
  assert.equal(cut(matrix, [0, 3, 0, 4]).data, matrix.data, "all of it is not copied");
  const flat = shrink(matrix, 1, 4);
  assert.deepEqual([flat.rows, flat.cols, ...flat.data], [1, 4, 8, 9, 10, 11]);
});

test("every pixel is opaque, whatever the table says", () => {
  const table = new Uint8ClampedArray(1024);
  const pixels = paint({ rows: 1, cols: 2, data: Float32Array.of(0, 1) }, table, {
    low: 0,
    high: 1,
  });
  assert.deepEqual([pixels[3], pixels[7]], [255, 255]);
});
