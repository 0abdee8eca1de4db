import assert from "node:assert/strict";
import test from "node:test";
import { layoutIn, sizeFor } from "../../static/js/draw/axes.js";
import { clipped, spacing } from "../../static/js/draw/hatchpath.js";
import { heatmapMarks, plotOf } from "../../static/js/draw/heatmap.js";
import { hatchLegend } from "../../static/js/draw/legends/legend.js";
import { numbers } from "../../static/js/draw/legends/scalebar.js";
import { fitted, widthOf } from "../../static/js/draw/textwidth.js";
import { axisTitles } from "../../static/js/words/axes.js";

const table = new Uint8ClampedArray(1024).map((_, at) => (at % 4 === 3 ? 255 : at >> 2));
const paper = { ink: "#111", faint: "#666", line: "#ddd", panel: "#fff", font: "serif" };
const queries = ["[BOS]", "The", "cat"];
const keys = ["[BOS]", "The", "</text>", "antidisestablish", "a"];
const matrix = { rows: 3, cols: 5, data: Float32Array.from({ length: 15 }, (_, at) => at / 15) };
const labels = { queries, keys };
const options = {
  matrix,
  labels,
  table,
  range: { low: 0, high: 1 },
  blocked: null,
  paper,
  hatch: "#888",
  unit: "weight",
  titles: axisTitles("self"),
};
const corner = { x: 20, y: 10 };
/** @param {object} more @param {object} how of the layout */
const drawn = ({ width = 500, height = 300, ...more } = {}, how = {}) => {
  const all = { ...options, ...more };
  const layout = layoutIn({ ...corner, width, height }, all.labels, how);
  return { marks: heatmapMarks({ ...all, layout }), plot: plotOf(layout) };
};
/** @param {{marks: any[]}} picture @param {string} kind */
const of = ({ marks }, kind) => marks.filter(({ mark }) => mark === kind);

test("the cells are the colours of the numbers, one pixel each, where the plot says", () => {
  const picture = drawn();
  const [cells] = of(picture, "image");
  const { x, y, width, height } = picture.plot;
  assert.deepEqual([cells.x, cells.y, cells.width, cells.height], [x, y, width, height]);
  assert.deepEqual([cells.pixels.width, cells.pixels.height], [5, 3]);
  assert.equal(cells.pixels.data[4 * 7], Math.round((255 * 7) / 15));
});

test("all stays in its box", () => {
  for (const [width, height] of [
    [500, 300],
    [200, 480],
    [120, 120],
  ]) {
    const { plot, marks } = drawn({ width, height });
    assert.ok(plot.x > 20 && plot.x + plot.width <= 20 + width);
    assert.ok(plot.y > 10 && plot.y + plot.height <= 10 + height);
    for (const mark of marks) {
      if (mark.mark !== "text") continue;
      assert.ok(mark.x >= 20 && mark.x <= 20 + width, mark.text);
      assert.ok(mark.y >= 10 && mark.y <= 10 + height, mark.text);
    }
  }
});

test("tokens stand at their row or column, and both axes are named", () => {
  const picture = drawn({ titles: axisTitles("cross") });
  const texts = of(picture, "text");
  const { x, y, width, height } = picture.plot;
  const cat = texts.find(({ text }) => text === "cat");
  assert.ok(Math.abs(cat.y - (y + (height * 2.5) / 3)) < 1e-9 && cat.anchor === "end" && cat.x < x);
  const close = texts.find(({ text }) => text === "</text>");
  assert.ok(Math.abs(close.x - (x + (width * 2.5) / 5)) < 1e-9 && close.y < y);
  assert.ok(texts.some(({ text }) => text === "antidisesta…"));
  assert.ok(texts.some(({ text }) => text === "← target queries"));
  assert.ok(texts.some(({ text }) => text === "source keys →"));
});

test("labels thin out, cells do not", () => {
  const many = Array.from({ length: 300 }, (_, index) => `t${index}`);
  const data = new Float32Array(300 * 5);
  const picture = drawn({ matrix: { rows: 300, cols: 5, data }, labels: { queries: many, keys } });
  const rows = of(picture, "text").filter(({ text }) => /^t\d/.test(text));
  assert.ok(rows.length > 5 && rows.length <= picture.plot.height / 13 + 1);
  assert.equal(of(picture, "image")[0].pixels.height, 300);
});

test("the scale has its numbers; without it the cells take its room", () => {
  const heading = { ...corner, width: 500, text: "Layer 1" };
  const picture = drawn({ range: { low: -2, high: 2 }, heading }, { heading: true });
  const texts = of(picture, "text").map(({ text }) => text);
  for (const text of ["−2", "0", "2", "weight", "Layer 1"]) assert.ok(texts.includes(text), text);
  assert.equal(of(picture, "image").length, 2);
  const bare = drawn({ unit: undefined }, { scale: false });
  assert.equal(of(bare, "image").length, 1);
  assert.ok(bare.plot.width > picture.plot.width);
  assert.deepEqual(numbers({ low: 0, high: 1 }, 5), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(numbers({ low: -3.7, high: 3.7 }, 5), [-2, 0, 2]);
});

test("a logarithmic scale has its decades", () => {
  const texts = of(drawn({ range: { low: 0, high: 1, steps: "log" } }), "text").map(
    ({ text }) => text,
  );
  for (const text of ["1", "0.1", "0.01", "weight, log"]) assert.ok(texts.includes(text), text);
});

test("cells can be asked to be square, and the room for that is known", () => {
  for (const cell of [3, 17, 40]) {
    const { plot } = drawn(sizeFor(labels, cell), { cell });
    assert.ok(Math.abs(plot.width - 5 * cell) < 1e-9 && Math.abs(plot.height - 3 * cell) < 1e-9);
  }
});

test("hatching lies in the blocked cells and nowhere else", () => {
  const data = new Uint8Array(15);
  data[1 * 5 + 3] = 1; // causal
  data[0] = 8; // painted
  const picture = drawn({ blocked: { rows: 3, cols: 5, data } });
  const paths = of(picture, "path");
  assert.equal(paths.length, 2);
  const { x, y, width, height } = picture.plot;
  const boxes = [
    [0, 0],
    [1, 3],
  ].map(([row, col]) => [x + (width * col) / 5, y + (height * row) / 3]);
  paths.forEach(({ d }, index) => {
    const points = [...d.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, px, py]) => [+px, +py]);
    assert.ok(points.length >= 8);
    for (const [px, py] of points) {
      assert.ok(px >= boxes[index][0] - 0.01 && px <= boxes[index][0] + width / 5 + 0.01);
      assert.ok(py >= boxes[index][1] - 0.01 && py <= boxes[index][1] + height / 3 + 0.01);
    }
  });
});

test("a line of hatching runs on through neighbours, and stops where they do", () => {
  const cells = { rows: 1, cols: 4 };
  const lines = clipped(
    "level",
    8,
    { width: 40, height: 8 },
    cells,
    (_, col) => col === 1 || col === 2,
  );
  assert.deepEqual(lines, [[10, 4, 30, 4]]);
  const up = clipped("up", 8, { width: 16, height: 8 }, { rows: 1, cols: 1 }, () => true);
  assert.deepEqual(up, [
    [0, 4, 4, 0],
    [4, 8, 12, 0],
    [12, 8, 16, 4],
  ]);
  const down = clipped("down", 8, { width: 16, height: 8 }, { rows: 1, cols: 1 }, () => true);
  assert.deepEqual(down, [
    [0, 4, 4, 8],
    [4, 0, 12, 8],
    [12, 0, 16, 4],
  ]);
});

test("every small cell that is blocked has a stroke", () => {
  for (const bits of [1, 2, 4, 8, 16]) {
    const data = new Uint8Array(60 * 60);
    data[31 * 60 + 17] = bits;
    const many = Array.from({ length: 60 }, String);
    const big = { rows: 60, cols: 60, data: new Float32Array(3600) };
    const blocked = { rows: 60, cols: 60, data };
    const all = { queries: many, keys: many };
    const picture = drawn({ matrix: big, labels: all, blocked, height: 420 });
    assert.equal(of(picture, "path").length, 1, String(bits));
  }
});

test("cells too small to tell apart are hatched closely on paper, sparsely on a screen", () => {
  assert.deepEqual([spacing(20, 30), spacing(20, 5), spacing(2, 3)], [9, 5, 4]);
  assert.deepEqual([spacing(20, 5, true), spacing(2, 3, true)], [5, 9]);
});

test("the legend names the reasons that occur, and wraps", () => {
  const blocked = { rows: 1, cols: 3, data: Uint8Array.from([0, 1, 2]) };
  const place = { blocked, x: 5, y: 7, paper, hatch: "#888" };
  const wide = hatchLegend({ ...place, width: 800 });
  const words = of(wide, "text").map(({ text }) => text);
  assert.deepEqual(words, ["blocked by the padding mask", "blocked by the causal mask"]);
  const narrow = hatchLegend({ ...place, width: 150 });
  assert.ok(narrow.height > wide.height);
  const none = hatchLegend({
    ...place,
    blocked: { rows: 1, cols: 1, data: new Uint8Array(1) },
    width: 80,
  });
  assert.deepEqual(none, { marks: [], height: 0 });
});

test("texts are measured generously, and cut to fit", () => {
  assert.ok(widthOf("日本", 10) >= 20 && widthOf("ii", 10) < 20);
  assert.equal(fitted("short", 10, 100), "short");
  assert.match(fitted("a long title of a picture", 10, 60), /^a lon.*…$/);
});
