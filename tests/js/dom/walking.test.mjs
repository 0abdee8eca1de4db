import assert from "node:assert/strict";
import test from "node:test";
import { document, press } from "./dom.mjs";

const { walking } = await import("../../../static/js/views/heatmap/walking.js");

function mounted() {
  const plot = document.createElement("div");
  document.body.replaceChildren(plot);
  const seen = { cell: null, chosen: null, passed: [] };
  walking(plot, {
    size: () => ({ rows: 3, cols: 5, row: 1 }),
    cell: () => seen.cell,
    go: (cell) => {
      seen.cell = cell;
    },
    choose: (cell) => {
      seen.chosen = cell;
    },
  });
  document.body.addEventListener("keydown", ({ key }) => seen.passed.push(key));
  plot.focus();
  return seen;
}

test("the first key enters the row that is read; the arrows stop at the edges", () => {
  const seen = mounted();
  press("ArrowUp");
  assert.deepEqual(seen.cell, [1, 0]);
  for (const key of ["ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight"]) press(key);
  assert.deepEqual(seen.cell, [2, 1]);
  press("End");
  press("ArrowRight");
  assert.deepEqual(seen.cell, [2, 4]);
  press("Home");
  assert.deepEqual(seen.cell, [2, 0]);
});

test("Home and End enter the row at their end of it", () => {
  const seen = mounted();
  press("End");
  assert.deepEqual(seen.cell, [1, 4]);
  press("Escape");
  press("Home");
  assert.deepEqual(seen.cell, [1, 0]);
});

test("Enter reads the row of a cell, and Escape leaves it", () => {
  const seen = mounted();
  press("Enter");
  assert.equal(seen.chosen, null);
  press("ArrowRight");
  press("Enter");
  assert.deepEqual(seen.chosen, [1, 0]);
  press("Escape");
  assert.equal(seen.cell, null);
});

test("the page gets the keys that do nothing here", () => {
  const seen = mounted();
  for (const key of ["ArrowDown", "m", "Escape", "Escape"]) press(key);
  assert.deepEqual(seen.passed, ["m", "Escape"]);
});
