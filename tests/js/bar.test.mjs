import assert from "node:assert/strict";
import test from "node:test";
import { marks } from "../../static/js/draw/legends/bar.js";

test("a linear bar names its ends and its middle", () => {
  assert.deepEqual(marks({ low: 0, high: 1, steps: "linear" }), [
    { place: 0, text: "0" },
    { place: 0.5, text: "0.5" },
    { place: 1, text: "1" },
  ]);
  const texts = marks({ low: -3.27, high: 3.27 }).map(({ text }) => text);
  assert.deepEqual(texts, ["−3.3", "0", "3.3"]);
});

test("a bar of square roots gives the lowest quarter half of its length", () => {
  assert.deepEqual(marks({ low: 0, high: 2, steps: "root" }), [
    { place: 0, text: "0" },
    { place: 0.5, text: "0.5" },
    { place: 1, text: "2" },
  ]);
});

test("a logarithmic bar names every decade, and that its foot holds all below", () => {
  const found = marks({ low: 0, high: 2, steps: "log" });
  assert.deepEqual(
    found.map(({ text }) => text),
    ["≤2e−4", "0.002", "0.02", "0.2", "2"],
  );
  found.forEach(({ place }, decade) => {
    assert.ok(Math.abs(place - decade / 4) < 1e-9);
  });
});
