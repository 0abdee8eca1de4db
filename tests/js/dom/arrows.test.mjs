import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { document } from "./dom.mjs";

const { arrow, arrows, compared } = await import("../../../static/js/learn/arrows.js");
const drawing = await readFile(
  new URL("../../../templates/learn/diagrams/03-arrows.svg.html", import.meta.url),
  "utf8",
);

test("weights are the softmax of the dot products, divided by the root of two", () => {
  const [one, other] = compared(
    [1, 1],
    [
      [2, 0],
      [0, -1],
    ],
  );
  assert.deepEqual([one.dot, other.dot], [2, -1]);
  assert.ok(Math.abs(one.weight / other.weight - Math.exp(3 / Math.SQRT2)) < 1e-9);
  assert.deepEqual(
    arrow(90, 2).map((each) => Math.round(1e9 * each) / 1e9),
    [0, 2],
  );
});

test("the drawing says without a script what it says with one, and follows the sliders", () => {
  document.body.innerHTML = drawing;
  const root = document.querySelector("figure");
  const said = () => [...root.querySelectorAll("[data-said]")].map((one) => one.textContent);
  const path = () => root.querySelector("[data-query]").getAttribute("d");
  const before = [said(), path()];
  arrows(root.querySelector("figcaption"));
  assert.deepEqual([said(), path()], before);
  assert.equal(root.querySelector("[data-with-script]").hasAttribute("hidden"), false);
  const [turn, length] = root.querySelectorAll("input");
  turn.value = "-120"; // the other way
  turn.dispatchEvent(new document.defaultView.Event("input"));
  assert.deepEqual(said(), ["−3.73 · 1%", "−1.10 · 5%", "2.96 · 94%"]);
  length.value = "0";
  length.dispatchEvent(new document.defaultView.Event("input"));
  assert.deepEqual(said(), ["0.00 · 33%", "0.00 · 33%", "0.00 · 33%"]);
});
