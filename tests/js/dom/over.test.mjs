import assert from "node:assert/strict";
import test from "node:test";
import { document } from "./dom.mjs";

const { over } = await import("../../../static/js/views/heatmap/over/over.js");

/** Frames that are drawn when the test says so. @type {(() => void)[]} */
let frames = [];
globalThis.requestAnimationFrame = (draw) => frames.push(() => draw(0));
globalThis.devicePixelRatio = 1;

const part = /** @type {[number, number, number, number]} */ ([0, 3, 0, 5]);
// cells of 100 by 100 pixels
const layout = {
  frame: { left: 84, top: 84, width: 500, height: 300, part },
  room: { queries: 80, keys: 80 },
  flat: false,
  size: 11,
  titles: { x: 8, y: 8 },
};
const picture = /** @type {any} */ ({
  labels: { queries: ["a", "b", "c"], keys: ["v", "w", "x", "y", "z"] },
  table: new Uint8ClampedArray(1024),
  range: { low: 0, high: 1 },
  paper: { ink: "", faint: "", line: "", panel: "", font: "" },
});

const matrix = { rows: 3, cols: 5, data: new Float32Array(15) };
const below = { picture, numbersOf: () => ({ matrix, blocked: { data: new Uint8Array(15) } }) };

function mounted() {
  frames = [];
  const plot = document.createElement("div");
  document.body.replaceChildren(plot);
  const layer = over(plot, { inText: false });
  layer.draw({ layout, ...below }, { row: 0, value: [] });
  return { plot, layer };
}

const next = () => {
  for (const draw of frames.splice(0)) draw();
};
/** @param {Element} plot @param {string} selector */
const boxOf = (plot, selector) => {
  const { hidden, style } = plot.querySelector(selector);
  return hidden
    ? null
    : ["left", "top", "width", "height"].map((side) => Number.parseFloat(style[side]));
};
const cell = { row: 0, query: 2, key: 3, cell: /** @type {[number, number]} */ ([2, 3]) };

test("the cell, its row and its column are marked where they are, once a frame", () => {
  const { plot, layer } = mounted();
  assert.deepEqual(boxOf(plot, "[data-plot]"), [84, 84, 500, 300]);
  assert.deepEqual(boxOf(plot, ".band-row"), [84, 84, 500, 100]);
  assert.equal(boxOf(plot, ".band-cell"), null);
  layer.mark({ ...cell, key: 1, cell: [2, 1], value: ["0.1"] });
  layer.mark({ ...cell, value: ["weight ", { bold: "0.5" }] });
  assert.equal(frames.length, 1);
  next();
  assert.deepEqual(boxOf(plot, ".band-cell"), [384, 284, 100, 100]);
  assert.deepEqual(boxOf(plot, ".band-query"), [84, 284, 500, 100]);
  assert.deepEqual(boxOf(plot, ".band-key"), [384, 84, 100, 300]);
  const lit = [...plot.querySelectorAll(".lit-token:not([hidden])")];
  assert.deepEqual(
    lit.map(({ textContent }) => textContent),
    ["c", "y"],
  );
  assert.equal(plot.querySelector(".cell-value").textContent, "weight 0.5");
  layer.mark({ row: 0, value: [] });
  next();
  for (const gone of [".band-cell", ".band-query", ".band-key", ".lit-token", ".cell-value"]) {
    assert.equal(plot.querySelector(gone).hidden, true, gone);
  }
});

test("what is zoomed out of sight is not marked", () => {
  const { plot, layer } = mounted();
  const zoomed = { ...layout, frame: { ...layout.frame, part: [0, 2, 0, 5] } };
  layer.draw({ layout: zoomed, ...below }, { ...cell, value: [] });
  assert.equal(boxOf(plot, ".band-cell"), null);
  assert.equal(boxOf(plot, ".band-query"), null);
  assert.equal(plot.querySelector(".lit-query").hidden, true);
  assert.deepEqual(boxOf(plot, ".band-key"), [384, 84, 100, 300]);
});

test("a screen reader is told by the line above the picture, and only there", () => {
  const { plot } = mounted();
  assert.equal(plot.firstElementChild.getAttribute("aria-hidden"), "true");
});
