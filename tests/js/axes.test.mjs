// One geometry under three painters: what plotly is told, and what canvas and saved pictures draw.

import assert from "node:assert/strict";
import test from "node:test";
import { axisLabels, filling, layoutIn } from "../../static/js/draw/axes.js";
import { axesChange, headFigure, shapesOf } from "../../static/js/draw/figure.js";
import { axisMarks, heatmapMarks } from "../../static/js/draw/heatmap.js";
import { bandsOf, lineMarks, overlayOf, veilMarks } from "../../static/js/draw/overlays.js";
import { showing } from "../../static/js/draw/viewport.js";
import { axisTitles } from "../../static/js/words/axes.js";

const many = (name, n) =>
  Array.from({ length: n }, (_, index) =>
    index % 3 ? `${name}${index}` : `antidisestablishmentarianism${index}`,
  );
const labels = { queries: many("q", 60), keys: many("日本語の長い言葉", 70) };
const paper = { ink: "ink", faint: "faint", line: "line", panel: "panel", font: "font" };
const matrix = { rows: 60, cols: 70, data: new Float32Array(4200) };
const picture = {
  matrix,
  labels,
  paper,
  table: new Uint8ClampedArray(1024),
  range: { low: 0, high: 1 },
  blocked: null,
  hatch: "hatch",
  hatching: null,
  titles: axisTitles("cross"),
};
const part = /** @type {[number, number, number, number]} */ ([10, 50, 5, 69]);
const box = { width: 500, height: 400 };
const layout = filling(box, labels, part, 12);

test("canvas and marks show the same labels, cut alike, and plotly has none of its own", () => {
  const shown = axisLabels(layout, labels);
  assert.ok(shown.queries.length < 40 && shown.queries[0].place === 10); // thinned, from the part's first
  const canvas = axisMarks(layout, labels, picture.titles, paper);
  const saved = heatmapMarks({ ...picture, layout }).filter(({ mark }) => mark === "text");
  assert.deepEqual(saved, canvas);
  const { xaxis, yaxis } = headFigure({ ...picture, layout, box }).layout;
  assert.deepEqual([xaxis.showticklabels, yaxis.showticklabels], [false, false]);
  assert.deepEqual([xaxis.ticks, yaxis.ticks], ["", ""]); // plotly would mark every second label
});

test("plotly's cells are where the canvas has them", () => {
  const { margin, xaxis, yaxis } = headFigure({ ...picture, layout, box }).layout;
  const { left, top, width, height } = layout.frame;
  assert.deepEqual([margin.l, margin.t], [left, top]);
  assert.deepEqual(
    [box.width - margin.l - margin.r, box.height - margin.t - margin.b],
    [width, height],
  );
  assert.deepEqual(xaxis.range, [4.5, 68.5]);
  assert.deepEqual(yaxis.range, [49.5, 9.5]);
});

const words = (/** @type {number} */ n) => Array.from({ length: n }, (_, at) => `word${at}`);
/** @param {number} n @param {number} width @param {number} height */
const filled = (n, width, height) => {
  const of = { queries: words(n), keys: words(n) };
  return filling({ width, height }, of, [0, n, 0, n], 12);
};

test("the whole matrix fills its box, with cells of at most 1.6 : 1, in whole pixels", () => {
  for (const n of [2, 11, 45, 309, 1024]) {
    for (const [width, height] of [
      [757, 398],
      [357, 281],
      [1400, 700],
      [400, 900],
    ]) {
      const { left, top, width: wide, height: high } = filled(n, width, height).frame;
      const ratio = wide / high;
      const where = `${n} tokens in ${width} × ${height}: ${wide} × ${high}`;
      assert.ok(ratio < 1.61 && ratio > 0.62, where);
      assert.ok(left + wide <= width && top + high <= height, where);
      const full = left + wide > width - 50 || top + high > height - 10; // labels that lean need room on the right
      assert.ok(full || ratio < 0.63 || ratio > 1.59, where);
      for (const side of [left, top, wide, high]) assert.equal(side, Math.round(side), where);
    }
  }
});

test("a zoom moves no axis, and labels that fit stand upright", () => {
  const whole = filling(box, labels, [0, 60, 0, 70], 12).frame;
  assert.deepEqual({ ...layout.frame, part: null }, { ...whole, part: null });
  assert.equal(filled(5, 757, 398).flat, true);
  assert.equal(filled(45, 757, 398).flat, false);
  const uneven = ["herself", "in", "the", "mirror", "."]; // only neighbours can overlap
  const of = { queries: uneven, keys: uneven };
  assert.equal(filling({ width: 330, height: 230 }, of, [0, 5, 0, 5], 12).flat, true);
});

test("a relayout sets just what the first layout of a zoom would have set", () => {
  const { xaxis, yaxis } = headFigure({ ...picture, layout, box }).layout;
  const change = axesChange(layout);
  assert.deepEqual(change, { "xaxis.range": xaxis.range, "yaxis.range": yaxis.range });
});

test("a label that is too wide for the margin is cut to it", () => {
  const wide = { queries: labels.keys, keys: labels.keys };
  const { queries, keys } = axisLabels(
    filling({ width: 240, height: 150 }, wide, [0, 9, 0, 9], 12),
    wide,
  );
  for (const { text } of [queries[0], keys[0]]) assert.match(text, /^antid.*…$/);
  for (const { text, place } of [...queries, ...keys]) {
    assert.ok(text.length < wide.keys[place].length && text.endsWith("…"), text);
  }
});

const tokens = (n, second) =>
  Array.from({ length: n }, (_, index) => ({ padding: false, segment: index >= second ? 1 : 0 }));

test("veils and boundaries lie at the same place in all three", () => {
  const overlay = overlayOf(
    { queries: tokens(60, 30), keys: tokens(70, 40) },
    { queries: [0, 30], keys: [40, 70] },
  );
  const shapes = shapesOf(overlay, { veil: "veil", paper });
  const { left, top, width, height } = layout.frame;
  const [q0, q1, k0, k1] = part;
  /** What is seen of a shape of plotly, in pixels. */
  const seen = ({ x0, x1, y0, y1 }) => {
    const [west, east] = [x0, x1].map((x) => ((clamp(x + 0.5, k0, k1) - k0) / (k1 - k0)) * width);
    const [north, south] = [y0, y1].map(
      (y) => ((clamp(y + 0.5, q0, q1) - q0) / (q1 - q0)) * height,
    );
    return [left + west, top + north, east - west, south - north].map((side) => side.toFixed(6));
  };
  const drawn = ({ x, y, width, height }) => [x, y, width, height].map((side) => side.toFixed(6));
  const visible = ([, , wide, high]) => wide > 0 && high > 0;
  const boxes = (name) => shapes.filter((shape) => shape.name === name).map(seen);
  assert.deepEqual(
    veilMarks(layout.frame, overlay.veils, { fill: "veil" }).map(drawn),
    boxes("outside").filter(visible),
  );
  const lines = lineMarks(layout.frame, overlay.lines, paper).map(({ d }) => d);
  const [x, y] = [left + (width * (40 - k0)) / (k1 - k0), top + (height * (30 - q0)) / (q1 - q0)];
  const paths = [`M${x} ${top}L${x} ${top + height}`, `M${left} ${y}L${left + width} ${y}`];
  assert.deepEqual(lines, [...paths, ...paths]); // a light line under a dark one
  assert.equal(boxes("boundary").length, 4);
});

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

test("what is read or pointed at is marked once", () => {
  const size = { rows: 3, cols: 5 };
  assert.equal(bandsOf({ row: 1, query: 1 }, size).length, 1);
  assert.equal(bandsOf({ row: null }, size).length, 0);
  const [band] = bandsOf({ row: null, cell: [2, 4] }, size);
  assert.deepEqual(band.box, { x0: 3.5, x1: 4.5, y0: 1.5, y1: 2.5 });
  const names = bandsOf({ row: 1, query: 1, key: 4, cell: [1, 4] }, size).map(({ name }) => name);
  assert.deepEqual(names, ["row", "query", "key", "cell"]); // of a cell in the current row, too
});

test("the layout of a box keeps labels and cells inside, zoomed or not", () => {
  for (const shown of [part, /** @type {const} */ ([0, 60, 0, 70])]) {
    const { frame, titles } = layoutIn({ x: 7, y: 9, width: 400, height: 300 }, labels, {
      part: [...shown],
    });
    assert.ok(frame.left > titles.x && titles.x > 7 && frame.left + frame.width <= 407);
    assert.ok(frame.top > titles.y && titles.y > 9 && frame.top + frame.height <= 309);
    assert.deepEqual(frame.part, [...shown]);
  }
});

test("the visible part moves no further than a cell needs", () => {
  assert.deepEqual(showing([2, 6, 3, 8], [4, 5]), [2, 6, 3, 8]);
  assert.deepEqual(showing([2, 6, 3, 8], [6, 1]), [3, 7, 1, 6]);
});
