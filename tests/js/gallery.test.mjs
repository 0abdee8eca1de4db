import assert from "node:assert/strict";
import test from "node:test";
import {
  around,
  movedOn,
  OWN_MASKS,
  opening,
  shownOf,
  stateOf,
} from "../../static/js/render/gallery.js";

const entry = (/** @type {object} */ changes) => ({
  title: "Verb and subject",
  texts: ["The keys near the cabinet are old."],
  layer: 2,
  head: 5,
  query: 3,
  look: "Look at “keys”.",
  ...changes,
});
const entries = [
  entry({}),
  entry({ title: "Another head", head: 1 }),
  entry({ texts: ["a", "b"] }),
];
const untouched = { ...stateOf(entries[0], "shipped"), matrix: "norms", right: "effects" };
const shown = (/** @type {object} */ changes, last = 0) =>
  shownOf({ ...untouched, ...changes }, entries, "shipped", last);

test("a fresh page opens with the first example", () => {
  const { texts, layer, head, query } = entries[0];
  assert.deepEqual(opening(entries), { texts, layer, head, query });
});

test("without examples a fresh page opens with a plain sentence at the first head", () => {
  const { texts, layer, head, query } = opening([]);
  assert.deepEqual([texts.length, layer, head, query], [1, 0, 0, null]);
  assert.match(texts[0], /^[A-Z].*\.$/);
});

test("choosing an example takes back masks, mutes and the sentence looked at", () => {
  assert.deepEqual(stateOf(entries[1], "shipped"), {
    model: "shipped",
    texts: entries[1].texts,
    layer: 2,
    head: 1,
    query: 3,
    shown: 0,
    masks: OWN_MASKS,
    muted: [],
  });
  assert.notEqual(stateOf(entries[1], "shipped").masks, OWN_MASKS);
});

test("an example is shown exactly only in all of its state", () => {
  assert.deepEqual(shown({}), { place: 0, exact: true });
  assert.deepEqual(shown({ head: 1 }), { place: 1, exact: true });
  const others = [
    { layer: 0 },
    { query: null },
    { muted: [[0, 1]] },
    ...[{ causal: false }, { padding: false }, { padding_side: "left" }, { window: 2 }].map(
      (mask) => ({ masks: { ...OWN_MASKS, ...mask } }),
    ),
  ];
  for (const other of others) assert.deepEqual(shown(other), { place: 0, exact: false });
  assert.deepEqual(shown({ texts: ["a", "b"], shown: 1 }), { place: 2, exact: false });
});

test("of examples with the same text, the one that was open stays", () => {
  assert.deepEqual(shown({ head: 7 }, 1), { place: 1, exact: false });
  assert.deepEqual(shown({ head: 7 }, 2), { place: 0, exact: false });
});

test("another text or another model shows no example", () => {
  assert.equal(shown({ texts: ["Something of my own."] }), null);
  assert.equal(shown({ model: "other" }), null);
  assert.equal(shownOf(untouched, [], "shipped", 0), null);
});

test("the examples go round", () => {
  assert.deepEqual([around(0, -1, 3), around(2, 1, 3), around(0, 1, 3)], [2, 0, 1]);
  assert.match(movedOn(entries[0]), /layer 2 · head 5/);
});
