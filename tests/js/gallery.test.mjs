import assert from "node:assert/strict";
import test from "node:test";
import { exampleLine, exampleNext } from "../../static/js/panels/input/words.js";
import { around, entriesOf, opening, shownOf, stateOf } from "../../static/js/state/examples.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";

const entry = (/** @type {object} */ changes) => ({
  title: "Agreement",
  texts: ["The keys near the cabinet are old."],
  layer: 2,
  head: 5,
  query: 3,
  look: "Look at “keys”.",
  next: "Mute it (m).",
  ...changes,
});
const entries = [
  entry({}),
  entry({ title: "Another head", head: 1 }),
  entry({ texts: ["a", "b"] }),
  entry({ title: "A muted head", muted: [[2, 5]] }),
  entry({ title: "A wrong mask", masks: { causal: false } }),
  entry({ title: "Lines", view: "lines" }),
  entry({ title: "Inside", view: "inside", key: 2 }),
  entry({ title: "Compare", view: "compare", muted: [[0, 1]], against: {} }),
  entry({ title: "The second", texts: ["a", "b"], shown: 1, right: "lens" }),
];
const [FIRST, OTHER, PAIR, MUTED, WRONG, LINES, INSIDE, COMPARE, SECOND] = entries.keys();
const untouched = stateOf(entries[FIRST], "shipped");
const shown = (/** @type {object} */ changes, last = FIRST) =>
  shownOf({ ...untouched, ...changes }, entries, "shipped", last);

test("a fresh page opens with the first example", () => {
  const { texts, layer, head, query } = entries[0];
  assert.deepEqual(opening(entries, "shipped"), { texts, layer, head, query });
  assert.deepEqual(opening(entries, "shipped", "?tour=1"), { texts, layer, head, query });
});

test("an address that names a model opens with its first example, or with the sentence of another", () => {
  const own = entry({ title: "A", model: "real", texts: ["b"], layer: 1, head: 4, query: 0 });
  const of = (/** @type {string} */ search) => opening([...entries, own], "shipped", search);
  assert.deepEqual(of("?model=real"), { texts: ["b"], layer: 1, head: 4, query: 0 });
  const { texts } = entries[0];
  assert.deepEqual(of("?model=bert"), { texts, layer: 0, head: 0, query: null });
});

test("a model has its own examples, or else those of the first", () => {
  const real = [entry({ title: "A", model: "real" }), entry({ title: "B", model: "real" })];
  const all = [...entries, ...real];
  assert.deepEqual(entriesOf(all, "real", "shipped"), real);
  assert.deepEqual(entriesOf(all, "shipped", "shipped"), entries);
  assert.deepEqual(entriesOf(all, "another", "shipped"), entries);
  assert.equal(stateOf(real[1], "shipped").model, "real");
  const state = { ...untouched, model: "real" };
  assert.deepEqual(shownOf(state, real, "shipped", -1), { place: 0, how: "exact" });
  assert.equal(shownOf(state, entries, "shipped", -1), null);
});

test("without examples a fresh page opens with a plain sentence at the first head", () => {
  const { texts, layer, head, query } = opening([], "shipped");
  assert.deepEqual([texts.length, layer, head, query], [1, 0, 0, null]);
  assert.match(texts[0], /^[A-Z].*\.$/);
});

test("choosing an example takes back all that its sentences depend on", () => {
  const state = stateOf(entries[OTHER], "shipped");
  assert.deepEqual(
    [state.model, state.texts, state.layer, state.head, state.query, state.shown],
    ["shipped", entries[OTHER].texts, 2, 1, 3, 0],
  );
  assert.deepEqual([state.masks, state.muted], [OWN_MASKS, []]);
  assert.notEqual(state.masks, OWN_MASKS);
  assert.deepEqual(
    [state.view, state.matrix, state.right, state.key, state.against, state.zoom],
    ["heatmap", "pattern", "next", null, null, null],
  );
  assert.deepEqual([state.temperature, state.top_p, state.pinned], [1, 1, []]);
});

test("an example sets masks, mutes, view, tab and the A of a comparison", () => {
  assert.deepEqual(stateOf(entries[WRONG], "shipped").masks, { ...OWN_MASKS, causal: false });
  assert.deepEqual(stateOf(entries[MUTED], "shipped").muted, [[2, 5]]);
  assert.deepEqual(stateOf(entries[SECOND], "shipped").right, "lens");
  assert.deepEqual([stateOf(entries[INSIDE], "shipped").key, entries[INSIDE].view], [2, "inside"]);
  const { against, muted } = stateOf(entries[COMPARE], "shipped");
  assert.deepEqual(muted, [[0, 1]]);
  const held = {
    scratch: { mechanism: "multi-head" },
    transposed: false,
    model: "shipped",
    texts: entries[COMPARE].texts,
    targets: [],
    pairs: null,
    special_tokens: true,
    masks: OWN_MASKS,
    muted: [],
    interventions: [],
    kind: "self",
    layer: 2,
    head: 5,
    shown: 0,
  };
  assert.deepEqual({ ...against, ...held }, against);
  const edits = { masks: { window: 3 }, muted: [[1, 1]], layer: 0, head: 7 };
  const of = stateOf(entry({ against: { ...edits, model: "bert" } }), "shipped").against;
  assert.deepEqual([of?.layer, of?.head, of?.muted, of?.masks.window], [0, 7, [[1, 1]], 3]);
  assert.equal(of?.model, "bert");
});

test("every example is shown exactly in the state that it sets", () => {
  entries.forEach((one, index) => {
    const state = { ...untouched, ...stateOf(one, "shipped") };
    assert.deepEqual(shownOf(state, entries, "shipped", index), { place: index, how: "exact" });
    // and from a link, where none was shown last, unless one that asks for less is shown in it too
    const found = shownOf(state, entries, "shipped", FIRST);
    if (index !== LINES && index !== INSIDE) assert.equal(found?.place, index, one.title);
  });
  const linked = { ...untouched, ...stateOf(entries[LINES], "shipped") };
  assert.equal(
    shownOf(linked, entries, "shipped", OTHER)?.place,
    LINES,
    "it says most of the view",
  );
});

test("an example is shown in any view, unless it is about one", () => {
  assert.deepEqual(shown({ view: "lines", matrix: "norms", right: "effects" }), {
    place: FIRST,
    how: "exact",
  });
  assert.deepEqual(shown({ view: "heatmap" }, LINES), { place: FIRST, how: "exact" });
  const inside = stateOf(entries[INSIDE], "shipped");
  assert.equal(shown({ ...inside, key: 5 }, INSIDE)?.place, FIRST);
});

test("masks and mutes of one's own are edits of the example; another head is not it any more", () => {
  const edits = [
    { muted: [[0, 1]] },
    ...[{ padding: false }, { padding_side: "left" }, { window: 2 }].map((mask) => ({
      masks: { ...OWN_MASKS, ...mask },
    })),
  ];
  for (const edit of edits) assert.deepEqual(shown(edit), { place: FIRST, how: "edited" });
  for (const other of [{ layer: 0 }, { head: 7 }]) {
    assert.deepEqual(shown(other), { place: FIRST, how: "text" });
  }
  assert.deepEqual(shown({ query: 2, key: 1 }), { place: FIRST, how: "row" }); // a cell was clicked
  assert.deepEqual(shown({ query: null }), { place: FIRST, how: "row" }); // what it says to look at still stands
  assert.deepEqual(shown({ texts: ["a", "b"], shown: 1, query: 0 }), { place: PAIR, how: "text" });
});

test("an edit that is an example of its own shows that", () => {
  assert.deepEqual(shown({ muted: [[2, 5]] }), { place: MUTED, how: "exact" });
  const causal = { masks: { ...OWN_MASKS, causal: false } };
  assert.deepEqual(shown(causal), { place: WRONG, how: "exact" });
});

test("a comparison is shown with its own A alone", () => {
  const state = stateOf(entries[COMPARE], "shipped");
  assert.equal(shown(state, COMPARE)?.how, "exact");
  const against = { ...state.against, muted: [[1, 1]] };
  assert.equal(shown({ ...state, against }, COMPARE)?.how, "edited");
  const elsewhere = { ...state.against, model: "bert" };
  assert.equal(shown({ ...state, against: elsewhere }, COMPARE)?.how, "edited");
  assert.equal(shown({ ...state, against: null }, COMPARE)?.how, "edited");
});

test("of examples with the same text, the one that was open stays", () => {
  assert.deepEqual(shown({ head: 7 }, OTHER), { place: OTHER, how: "text" });
  assert.deepEqual(shown({ head: 7 }, PAIR), { place: FIRST, how: "text" });
});

test("another text or another model shows no example", () => {
  assert.equal(shown({ texts: ["Something of my own."] }), null);
  assert.equal(shown({ model: "other" }), null);
  assert.equal(shownOf(untouched, [], "shipped", 0), null);
});

test("the examples go round", () => {
  assert.deepEqual([around(0, -1, 3), around(2, 1, 3), around(0, 1, 3)], [2, 0, 1]);
});

test("the line says what to look at and what to do next, also after the reader has done it", () => {
  const line = (/** @type {any} */ one, /** @type {any} */ how) =>
    exampleLine(one, how)
      .map((part) => (typeof part === "string" ? part : part.bold))
      .join("");
  assert.equal(line(entries[0], "exact"), "Agreement: Look at “keys”.");
  assert.equal(line(entries[0], "edited"), "Agreement: as you changed it.");
  const step = entry({ next: "Mute it and watch: “are” falls. Then unmute it." });
  assert.equal(exampleNext(step, "row", false), "Mute it and watch: “are” falls. Then unmute it.");
  assert.equal(exampleNext(step, "edited", false), exampleNext(step, "row", false));
  assert.equal(exampleNext(step, "edited", true), "“are” falls. Then unmute it.");
  assert.equal(exampleNext(entry({ next: undefined }), "row", false), "");
  assert.equal(exampleNext(step, "text", false), "");
  assert.equal(line(entries[0], "text"), "Agreement shows in layer 2 · head 5.");
});
