import assert from "node:assert/strict";
import test from "node:test";
import { filling, ticks } from "../../static/js/draw/axes.js";
import { headFigure, rowsOf } from "../../static/js/draw/figure.js";
import { paint } from "../../static/js/draw/raster.js";
import { matrixOf, reach, shrink } from "../../static/js/numbers/matrix.js";
import {
  csv,
  describe,
  label,
  percent,
  plain,
  shorten,
  tabled,
  weight,
} from "../../static/js/words/format.js";
import { explain, reasonOf, reasonsIn, strokes } from "../../static/js/words/hatch.js";

const token = (/** @type {string} */ text, /** @type {object} */ more = {}) => ({
  id: 7,
  text,
  start: 2,
  end: 5,
  special: false,
  padding: false,
  segment: 0,
  ...more,
});

test("one matrix of a tensor: text before head, row before column", () => {
  const data = Float32Array.from({ length: 2 * 3 * 2 * 5 }, (_, i) => i);
  const matrix = matrixOf({ shape: [2, 3, 2, 5], data }, 1, 2);
  assert.deepEqual([matrix.rows, matrix.cols, matrix.data[0], matrix.data[9]], [2, 5, 50, 59]);
});

test("values paint by the scale, and stay on it outside the range", () => {
  const table = Uint8ClampedArray.from({ length: 1024 }, (_, i) => Math.floor(i / 4));
  const matrix = { rows: 1, cols: 4, data: Float32Array.of(-9, 0, 1, 9) };
  const pixels = paint(matrix, table, { low: 0, high: 1 });
  assert.deepEqual([pixels[0], pixels[4], pixels[8], pixels[12]], [0, 0, 255, 255]);
});

test("a matrix too large for its place keeps its strongest cells, whatever their sign", () => {
  const data = new Float32Array(35);
  data[0 * 7 + 6] = 0.9;
  data[4 * 7 + 0] = -3;
  data[4 * 7 + 1] = 2;
  const small = shrink({ rows: 5, cols: 7, data }, 3);
  assert.deepEqual([small.rows, small.cols], [3, 3]);
  assert.deepEqual(
    [...small.data].map((value) => Math.round(value * 10) / 10),
    [0, 0, 0.9, 0, 0, 0, -3, 0, 0],
  );
  const fits = { rows: 2, cols: 3, data: new Float32Array(6) };
  assert.equal(shrink(fits, 3), fits);
});

test("the reach of zeros is not zero, so that nothing divides by it", () => {
  assert.equal(reach([0, 0]), 1);
  assert.equal(reach([1, -3]), 3);
});

test("every reason is named, and one is drawn", () => {
  assert.equal(explain(0), "");
  assert.equal(explain(3), "the padding mask and the causal mask");
  assert.equal(reasonOf(3)?.words, "the padding mask");
  assert.equal(reasonOf(1 | 8)?.words, "your painted mask");
  assert.deepEqual(
    reasonsIn(Uint8Array.of(0, 1, 5, 4)).map(({ bit }) => bit),
    [1, 4],
  );
});

test("no two reasons hatch alike, and all strokes stay in their cell", () => {
  const drawn = ["up", "down", "level", "cross", "dots"].map((angle) => strokes(angle, 8));
  assert.equal(new Set(drawn.map((lines) => JSON.stringify(lines))).size, 5);
  assert.ok(drawn.flat(2).every((at) => at >= 0 && at <= 8));
});

test("tokens are shown as typed, and none is invisible", () => {
  assert.equal(label(token(" Cat")), "Cat");
  assert.equal(label(token("  ")), "␣␣");
  assert.equal(label(token("         ")), "␣×9");
  assert.equal(label(token("\n")), "↵");
  assert.equal(label(token("\t")), "⇥");
  assert.equal(label(token(" }\n\n")), "}↵↵");
  assert.equal(label(token("\r\n    ")), "U+000d↵");
  assert.equal(label(token("\u00a0")), "U+00a0");
  assert.equal(label(token("")), "⋯");
  assert.equal(label(token("\u0000")), "U+0000");
  assert.equal(label(token("<img onerror=x>")), "<img onerror=x>");
  assert.match(describe(token("é"), 3), /^token 3: "é", id 7, characters 2 to 5$/);
  assert.match(
    describe(token(" é", { piece: "ĠÃ©" }), 3),
    /: " é", “ĠÃ©” in the vocabulary, id 7,/,
  );
  assert.match(describe(token("é", { segment: 1 }), 3), /characters 2 to 5 of the second segment$/);
  assert.match(describe(token("[PAD]", { special: true, padding: true }), 3), /id 7, padding$/);
});

test("an axis label cannot become markup", () => {
  assert.equal(plain("<b>&x</b>"), "&lt;b&gt;&amp;x&lt;/b&gt;");
});

test("long labels are cut between characters, not inside one", () => {
  assert.equal(shorten("abc", 3), "abc");
  assert.equal(shorten("🙂🙂🙂🙂", 3), "🙂🙂…");
});

test("numbers are honest near zero", () => {
  assert.equal(weight(0), "0.0000");
  assert.equal(weight(0.97231), "0.9723");
  assert.equal(weight(0.00001234), "1.2e-5");
  assert.equal(percent(0.0001), "< 0.1%");
  assert.equal(percent(0.4167), "41.7%");
});

test("labels of a long axis are thinned, those of a short one are all there", () => {
  assert.equal(ticks(["a", "b", "c"], 300).length, 3);
  const many = Array.from({ length: 100 }, (_, i) => String(i));
  const shown = ticks(many, 300);
  assert.equal(shown.length, 20);
  assert.deepEqual(shown[1], { place: 5, text: "5" });
  assert.deepEqual(ticks(many, 300, [50, 60])[0], { place: 50, text: "50" });
  const step = shown[1].place;
  for (let focus = 0; focus < 2 * step; focus += 1) {
    const found = ticks(many, 300, undefined, undefined, undefined, focus);
    assert.ok(found.some(({ place }) => place === focus)); // of the current row, whatever the step
    assert.ok(found[0].place < step);
  }
});

const paper = { ink: "ink", faint: "faint", line: "line", panel: "panel", font: "font" };
const table = new Uint8ClampedArray(1024);
const flat = (/** @type {number} */ rows, /** @type {number} */ cols) => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, (_, i) => i),
});

const crossed = { queries: ["x", "y"], keys: ["a", "b", "c"] };

test("queries and keys of two texts make a matrix that is not square", () => {
  const { data, layout } = headFigure({
    matrix: flat(2, 3),
    table,
    paper,
    range: { low: 0, high: 1 },
    hatching: "data:",
    box: { width: 300, height: 300 },
    layout: filling({ width: 300, height: 300 }, crossed, [0, 2, 0, 3], 12),
  });
  assert.deepEqual(data[0].z, [
    [0, 1, 2],
    [3, 4, 5],
  ]);
  assert.deepEqual(
    [layout.xaxis.range, layout.yaxis.range],
    [
      [-0.5, 2.5],
      [1.5, -0.5],
    ],
  );
  assert.deepEqual([layout.images[0].sizex, layout.images[0].sizey], [3, 2]);
});

test("rows of a flat matrix", () => {
  assert.deepEqual(rowsOf({ rows: 2, cols: 3, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test("a CSV field is quoted, and never a formula", () => {
  const ids = [
    { id: 7, text: "a", piece: "=a" },
    { id: 9, text: "b", piece: null },
  ];
  const queries = tabled(ids, ['say "hi"', "=1+1"]);
  const text = csv(queries, tabled(ids, ["a", "b,c"]), { cols: 2, data: [1, 2, 3, 4] });
  assert.deepEqual(text.split("\r\n"), [
    '"query","query id","query token","query piece","0 a #7","1 b,c #9"',
    '0,7,"say ""hi""","\'=a",1,2',
    '1,9,"\'=1+1","b",3,4',
    "",
  ]);
});
