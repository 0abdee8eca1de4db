// One geometry under three painters: what plotly is told, and what canvas and saved pictures draw.

import assert from "node:assert/strict";
import test from "node:test";
import { axisLabels, filling, layoutIn, MARGIN } from "../../static/js/draw/axes.js";
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
const layout = filling({ width: 500, height: 400 }, part);

test("plotly, canvas and marks show the same labels, cut alike, and the same titles", () => {
  const { xaxis, yaxis, annotations } = headFigure({ ...picture, layout }).layout;
  const shown = axisLabels(layout, labels);
  const texts = (of) => of.map(({ text }) => text);
  assert.deepEqual([yaxis.ticktext, xaxis.ticktext], [texts(shown.queries), texts(shown.keys)]);
  assert.equal(xaxis.ticklabeloverflow, "allow"); // by default plotly leaves out a label that leans over the edge
  assert.ok(shown.queries.length < 40 && shown.queries[0].place === 10); // thinned, from the part's first
  const canvas = axisMarks(layout, labels, picture.titles, paper);
  const titles = texts(annotations);
  assert.deepEqual(texts(canvas), [...yaxis.ticktext, ...xaxis.ticktext, ...titles]);
  const saved = heatmapMarks({ ...picture, layout }).filter(({ mark }) => mark === "text");
  assert.deepEqual(saved, canvas);
});

test("plotly's titles stand where the canvas has them", () => {
  const { annotations } = headFigure({ ...picture, layout }).layout;
  const { left, top } = layout.frame;
  const shifts = annotations.map(({ xshift = 0, yshift = 0 }) => [left + xshift, top - yshift]);
  const titles = axisMarks(layout, labels, picture.titles, paper).slice(-2);
  assert.deepEqual(
    shifts,
    titles.map(({ x, y }) => [x, y]),
  );
});

test("where plotly puts a tick, the others put the label", () => {
  const { xaxis, yaxis } = headFigure({ ...picture, layout }).layout;
  const { queries, keys } = axisLabels(layout, labels);
  const { left, top, width, height } = layout.frame;
  const along = (value, [from, to], start, length) =>
    start + ((value - from) / (to - from)) * length;
  const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} ${b}`);
  yaxis.tickvals.forEach((value, at) => {
    close(along(value, yaxis.range.toReversed(), top, height), queries[at].y);
  });
  xaxis.tickvals.forEach((value, at) => {
    close(along(value, xaxis.range, left, width), keys[at].x);
  });
  assert.deepEqual([left, top], [MARGIN.left, MARGIN.top]);
  assert.deepEqual(
    [width + MARGIN.left + MARGIN.right, height + MARGIN.top + MARGIN.bottom],
    [500, 400],
  );
});

test("a relayout sets just what the first layout of a zoom would have set", () => {
  const { xaxis, yaxis } = headFigure({ ...picture, layout }).layout;
  const change = axesChange(layout, labels);
  assert.deepEqual(change["xaxis.range"], xaxis.range);
  assert.deepEqual(change["yaxis.ticktext"], yaxis.ticktext);
  assert.equal(Object.keys(change).length, 6);
});

test("a label that is too wide for the margin is cut to it", () => {
  const wide = { queries: labels.keys, keys: labels.keys };
  const { queries, keys } = axisLabels(filling({ width: 900, height: 900 }, [0, 9, 0, 9]), wide);
  assert.equal(queries[0].text, "antidisesta…"); // twelve characters
  for (const { text } of [queries[1], keys[1]]) {
    assert.ok(text.length < wide.keys[1].length && text.endsWith("…"), text);
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
