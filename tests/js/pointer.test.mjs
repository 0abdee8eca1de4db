// What lies over the cells of the heatmap: their numbers, and the value beside the pointer.

import assert from "node:assert/strict";
import test from "node:test";
import { filling, layoutInText } from "../../static/js/draw/axes.js";
import { cellNumbers } from "../../static/js/draw/cellnumbers.js";
import { boxIn } from "../../static/js/draw/viewport.js";
import { numbersIn } from "../../static/js/views/heatmap/over/numbers.js";
import { besideCell } from "../../static/js/views/heatmap/over/places.js";
import { cellValue } from "../../static/js/views/heatmap/over/value.js";

const paper = { ink: "rgb(0,0,0)", faint: "", line: "", panel: "rgb(255,255,255)", font: "" };
const look = { table: new Uint8ClampedArray(1024), range: { low: 0, high: 1 }, paper };
const matrix = { rows: 3, cols: 5, data: Float32Array.from({ length: 15 }, (_, at) => at / 15) };
const open = { data: new Uint8Array(15) };
/** @param {number} width @param {number} height @param {object} [sizes] */
const sizesAt = (width, height, sizes = { least: 11, most: 16 }) => {
  const plot = { x: 7, y: 9, width: 5 * width, height: 3 * height };
  const marks = cellNumbers(matrix, open, plot, look, /** @type {any} */ (sizes));
  return [...new Set(marks.map((mark) => /** @type {any} */ (mark).size))];
};

test("numbers grow with their cells, never below the smallest size, and else there are none", () => {
  assert.deepEqual(sizesAt(60, 16), [11]);
  assert.deepEqual(sizesAt(60, 20.5), [15]);
  assert.deepEqual(sizesAt(34, 60), [12]); // the width decides
  assert.deepEqual(sizesAt(200, 200), [16]);
  assert.deepEqual(sizesAt(60, 15.9), []);
  assert.deepEqual(sizesAt(28, 60), []);
  assert.deepEqual(sizesAt(60, 30, { least: 24, most: 36 }), []); // of a picture for a projector
  assert.deepEqual(sizesAt(90, 40, { least: 24, most: 36 }), [33]);
});

test("a value covers neither its cell nor its row or column, and stays in the picture", () => {
  const size = { width: 103, height: 24 };
  const labels = { queries: Array(9).fill("word"), keys: Array(9).fill("word") };
  const whole = /** @type {const} */ ([0, 9, 0, 9]);
  const narrow = layoutInText(320, labels);
  const pictures = [
    {
      layout: filling({ width: 560, height: 520 }, labels, [...whole], 11),
      width: 560,
      height: 520,
    },
    {
      layout: filling({ width: 330, height: 340 }, labels, [2, 6, 3, 7], 11),
      width: 330,
      height: 340,
    },
    { layout: narrow.layout, width: 320, height: narrow.height },
  ];
  for (const { layout, ...picture } of pictures) {
    const [q0, q1, k0, k1] = layout.frame.part;
    for (let query = q0; query < q1; query += 1) {
      for (let key = k0; key < k1; key += 1) {
        const cell = boxIn(layout.frame, query, key);
        const { x, y } = besideCell(cell, size, layout, picture);
        const where = `${query} ${key} of ${picture.width}: ${x} ${y}`;
        const [right, below] = [x + size.width, y + size.height];
        const beside = right <= cell.x || x >= cell.x + cell.width;
        const past = below <= cell.y || y >= cell.y + cell.height;
        assert.ok(beside || past, where);
        if (picture.width > 400) assert.ok(beside && past, where); // it leaves the row and the column free
        assert.ok(x >= 0 && y >= 0 && right <= picture.width && below <= picture.height, where);
      }
    }
  }
});

test("a cell that fills the picture keeps its value in the corner", () => {
  const layout = filling(
    { width: 200, height: 200 },
    { queries: ["a"], keys: ["b"] },
    [0, 1, 0, 1],
    11,
  );
  const cell = { x: 0, y: 0, width: 200, height: 200 };
  const room = { width: 200, height: 200 };
  const { x, y } = besideCell(cell, { width: 90, height: 24 }, layout, room);
  assert.deepEqual([x, y], [0, 0]);
});

/** The selected head of a text of two tokens. @param {number[]} bits @param {number[]} pattern */
const detailWith = (bits, pattern) =>
  /** @type {any} */ ({
    site: { name: "layers.0" },
    text: 0,
    blocks: [],
    keys: [{}, {}],
    exact: "all",
    blocked: { rows: 2, cols: 2, data: Uint8Array.from(bits) },
    pattern: { rows: 2, cols: 2, data: Float32Array.from(pattern) },
    scores: { rows: 2, cols: 2, data: Float32Array.of(-1.5, 0.25, 2, 3) },
  });
const said = (/** @type {any} */ parts) =>
  parts.map((/** @type {any} */ part) => (typeof part === "string" ? part : part.bold)).join("");

test("the value is the number of the cell, or says why there is none", () => {
  const detail = detailWith([0, 1, 0, 2], [1, 0, 0.4, 0.6]);
  assert.equal(said(cellValue(detail, "pattern", [1, 0])), "weight 0.4000");
  assert.equal(said(cellValue(detail, "scores", [0, 0])), "score −1.5000");
  assert.equal(said(cellValue(detail, "pattern", [0, 1])), "blocked by the causal mask");
  assert.equal(said(cellValue(detail, "scores", [0, 1])), "score 0.2500"); // before the mask
  assert.match(
    said(cellValue(detail, "pattern", [1, 1])),
    /^weight 0.6000, although blocked by the padding mask/,
  );
  const waiting = { ...detail, exact: [0, 0] }; // the rows of a long text come later
  assert.equal(said(cellValue(waiting, "pattern", [1, 0])), "…");
});

test("a row of a long text has numbers once they are exact", () => {
  const all = detailWith([0, 1, 0, 0], [1, 0, 0.4, 0.6]);
  const { matrix, blocked } = numbersIn(all, "pattern", [0, 2, 1, 2]);
  assert.deepEqual([...matrix.data], [0, Math.fround(0.6)]);
  assert.deepEqual([...blocked.data], [1, 0]);
  const tensors = new Map([
    ["layers.0.pattern", { shape: [1, 1, 1, 2], data: Float32Array.of(0.25, 0.75) }],
    ["layers.0.blocked_by", { shape: [1, 1, 1, 2], data: new Uint8Array(2) }],
  ]);
  const long = { ...all, exact: [1, 2], blocks: [{ start: 1, stop: 2, tensors }] };
  const some = numbersIn(long, "pattern", [0, 2, 0, 2]);
  assert.deepEqual([...some.matrix.data], [Number.NaN, Number.NaN, 0.25, 0.75]);
  const plot = { x: 0, y: 0, width: 200, height: 200 };
  const shown = cellNumbers(some.matrix, some.blocked, plot, look);
  assert.deepEqual(
    shown.map((mark) => /** @type {any} */ (mark).text),
    ["0.25", "0.75"],
  );
});

test("shares are whole per cents, as far as that is honest", () => {
  const shares = [0, 0.0049, 0.0051, 0.36, 0.994, 0.9965, 0.99999, 1, 1 - 5e-8, Number.NaN];
  const of = { rows: 1, cols: shares.length, data: Float32Array.from(shares) };
  const none = { data: new Uint8Array(shares.length) };
  const plot = { x: 0, y: 0, width: 600, height: 40 };
  const marks = cellNumbers(of, none, plot, { ...look, percent: true });
  const shown = marks.map((mark) => [
    Math.floor(/** @type {any} */ (mark).x / 60),
    /** @type {any} */ (mark).text,
  ]);
  assert.deepEqual(shown, [
    [2, "1"],
    [3, "36"],
    [4, "99"],
    [5, ">99"],
    [6, ">99"],
    [7, "100"],
    [8, "100"],
  ]);
});
