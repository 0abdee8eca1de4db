// What the page of studies makes of rows, templates and lines.

import assert from "node:assert/strict";
import test from "node:test";
import {
  columnsOf,
  gridOf,
  isUnsure,
  largest,
  numberOf,
  pairsOf,
  slotsOf,
  wordsOf,
} from "../../static/js/study/reading.js";
import * as words from "../../static/js/study/words.js";

const NAMES = {
  layer: ({ kind, layer }) => `${kind} ${layer}`,
  head: (head) => `H${head}`,
  mlp: "feed-forward",
};
const SITES = [
  { name: "layers.0", kind: "self", layer: 0, n_heads: 2 },
  { name: "decoder.0.cross", kind: "cross", layer: 0, n_heads: 2 },
];
/** @param {object} row */
const row = (row) => ({ mean: 0.5, low: 0.4, high: 0.6, n: 3, ...row });

test("heads stand in their columns, and feed-forward networks after them", () => {
  const rows = [
    row({ kind: "mlp", layer: 0, mean: 0.9 }),
    row({ kind: "head", site: "layers.0", layer: 0, head: 1, mean: -0.2 }),
    row({ kind: "head", site: "layers.0", layer: 0, head: 0 }),
    row({ kind: "embedding", mean: 0.1 }),
    row({ kind: "bias", site: "layers.0", layer: 0 }),
  ];
  const { columns, lines } = gridOf(rows, { sites: SITES }, NAMES);
  assert.deepEqual(columns, ["H0", "H1", "feed-forward"]);
  assert.deepEqual(
    lines.map(({ name, cells }) => [name, cells.map((cell) => cell?.mean)]),
    [["self 0", [0.5, -0.2, 0.9]]],
  );
});

test("stacks have lines of their own, roles come as they are, and a gap is a gap", () => {
  const heads = [
    row({ kind: "self", layer: 0, head: 0 }),
    row({ kind: "cross", layer: 0, head: 0 }),
    row({ kind: "self", layer: 1, head: 1 }),
  ];
  const grid = gridOf(heads, { sites: SITES }, NAMES);
  assert.deepEqual(
    grid.lines.map(({ name, cells }) => [name, cells.map((cell) => cell !== null)]),
    [
      ["self 0", [true, false]],
      ["cross 0", [true, false]],
      ["self 1", [false, true]],
    ],
  );
  const roles = ["[BOS]", "A", "“saw”"].map((role) => row({ kind: "self", layer: 0, role }));
  assert.deepEqual(gridOf(roles, { sites: SITES }, NAMES).columns, ["[BOS]", "A", "“saw”"]);
  const edges = [row({ sender: "L0H1 at A", receiver: "logit at B", through: "v" })];
  assert.deepEqual(gridOf(edges, { sites: SITES }, NAMES).lines, []);
});

test("what was not measured has its promise, and signs are sure or not", () => {
  assert.equal(numberOf(row({ mean: null, estimate: 0.3 })), 0.3);
  assert.equal(numberOf(row({ mean: null })), null);
  assert.deepEqual(
    [
      row({}),
      row({ low: -0.1 }),
      row({ low: -0.3, high: -0.1 }),
      row({ low: null, high: null }),
    ].map(isUnsure),
    [false, true, false, false],
  );
  const rows = [row({ mean: 0.1 }), row({ mean: -0.7 }), row({ mean: null }), row({ mean: 0.3 })];
  assert.deepEqual(
    largest(rows, 2).map(({ mean }) => mean),
    [-0.7, 0.3],
  );
});

test("a table has the columns of all its rows", () => {
  const rows = [row({ kind: "embedding" }), row({ kind: "head", layer: 0, head: 1 })];
  assert.deepEqual(columnsOf(rows), ["mean", "low", "high", "n", "kind", "layer", "head"]);
});

test("slots are found once each, and doubled braces are none", () => {
  assert.deepEqual(slotsOf(["{A} and {B}, {A} {{no}}", "{place} { A} {1}"]), ["A", "B", "place"]);
  assert.deepEqual(wordsOf(" Mary,  John ,,Anna\nTom、猫 "), ["Mary", "John", "Anna", "Tom", "猫"]);
});

test("pairs are read from lines and from JSON lines, and the first wrong line is told", () => {
  const text = [
    "The man saw | The woman saw | himself |  herself",
    "",
    '{"clean": "A", "corrupted": "B", "answer": " C"}',
    "one|other",
  ].join("\n");
  assert.deepEqual(pairsOf(text), {
    pairs: [
      { clean: "The man saw", corrupted: "The woman saw", answer: " himself", wrong: " herself" },
      { clean: "A", corrupted: "B", answer: " C" },
      { clean: "one", corrupted: "other" },
    ],
    wrong: null,
  });
  for (const line of [
    "alone",
    "a | b | c | d | e",
    "| b",
    '{"clean": "A"}',
    "{",
    '{"clean": 1, "corrupted": "b"}',
  ])
    assert.equal(pairsOf(`a | b\n${line}`).wrong, 2, line);
});

test("numbers are said in the unit of the question", () => {
  assert.equal(words.amount("patching", 0.664), "66%");
  assert.equal(words.amount("patching", -0.004), "0%");
  assert.equal(words.amount("mutes", -1.25), "−1.25 nats");
  const estimated = { mean: null, estimate: 0.51, low: null, high: null, n: 0 };
  assert.equal(
    words.says("patching", "L0 · H5", words.meanInWords("patching", estimated)),
    "L0 · H5 brings back an estimated 51% of the answer.",
  );
  assert.equal(
    words.outcome({
      ...{ part: "the feed-forward network", mean: "64%" },
      ...{ of: "attribution", n: 1, left: 2 },
    }),
    "The feed-forward network adds 64% of the lead. That is the most, in 1 sentence. 2 pairs do not follow the rule and are left out.",
  );
});
