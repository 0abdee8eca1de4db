// Where the parts of a circuit stand.

import assert from "node:assert/strict";
import test from "node:test";
import { document, texts } from "./dom/dom.mjs";

const { placesOf, wiring } = await import("../../static/js/study/wiring.js");

const EDGES = [
  { sender: "tokens", receiver: "L0H5", through: "v", mean: 0.2 },
  { sender: "tokens", receiver: "L0H12", through: "k", mean: 0.05 },
  { sender: "L0H5", receiver: "mlp 0", through: "mlp", mean: 0.2 },
  { sender: "mlp 0", receiver: "L10H1", through: "q", mean: 0.1 },
  { sender: "L10H1", receiver: "logit", through: "logit", mean: -0.1 },
  { sender: "mlp 0", receiver: "logit", through: "logit", mean: 0.4 },
];
const CIRCUIT = {
  edges: EDGES,
  n_edges: 802,
  faithfulness: [0.91, 0.86, 0.97],
  held_out: [0.88, null, null],
  without: [0, 0, 0],
};

test("rows rise from the tokens to the answer, and boxes of a row do not touch", () => {
  const { nodes, width, height } = placesOf(CIRCUIT);
  assert.deepEqual(
    [...nodes.values()].toSorted((one, other) => one.row - other.row).map(({ name }) => name),
    ["tokens", "L0H12", "L0H5", "mlp 0", "L10H1", "logit"],
  );
  for (const one of nodes.values()) {
    assert.ok(one.x > 0 && one.x < width && one.y > 0 && one.y < height, one.name);
    for (const other of nodes.values()) {
      if (other.row > one.row) assert.ok(other.y < one.y);
      if (other !== one && other.row === one.row) assert.ok(Math.abs(other.x - one.x) > 80);
    }
  }
});

test("each edge is a line, and the drawing says what it shows", () => {
  document.body.replaceChildren(wiring(CIRCUIT));
  assert.equal(document.querySelectorAll("path.study-wire").length, EDGES.length);
  assert.deepEqual(texts(".study-through"), ["v", "k", "q"]);
  assert.deepEqual(texts(".study-part-name").toSorted(), [
    "L0 · H12",
    "L0 · H5",
    "L10 · H1",
    "MLP 0",
    "answer",
    "tokens",
  ]);
  const said = document.querySelector("svg")?.getAttribute("aria-label") ?? "";
  assert.match(said, /^A circuit of 6 edges: tokens → L0 · H5 \(v\): 20%; /);
  const widths = [...document.querySelectorAll("path")].map((each) =>
    Number(each.getAttribute("stroke-width")),
  );
  assert.equal(Math.max(...widths), widths[5]);
});
