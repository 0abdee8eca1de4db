import assert from "node:assert/strict";
import test from "node:test";
import {
  apart,
  goingOn,
  history,
  isApart,
  redo,
  restored,
  undo,
  undoEdit,
  untracked,
} from "../../static/js/state/history.js";
import { Store } from "../../static/js/state/store.js";

/** @param {boolean | null} causal @param {number[]} keys painted */
const masks = (causal, keys = []) => ({
  causal,
  blocked: keys.map((key) => ({ text: 0, layer: 1, head: 2, query: 4, key, kind: null })),
  allowed: [],
});
const begin = () => {
  const store = new Store({
    model: "a",
    texts: ["one"],
    targets: [],
    pairs: null,
    shown: 0,
    query: null,
    masks: masks(null),
    muted: [],
    past: [],
    future: [],
    moment: 0,
    kind: "self",
    layer: 0,
    head: 0,
    view: "heatmap",
    zoom: null,
    scratch: {},
  });
  clock = 0;
  history(store, () => clock);
  return store;
};
let clock = 0; // ms
const PAUSE = 1000;
/** @param {Store} store @param {...string} typed one key after the other, as fast as people type */
const type = (store, ...typed) => {
  for (const text of typed) {
    clock += 150;
    store.update({ texts: [text], query: null });
  }
};
/** @param {Store} store @param {typeof undo} step */
const go = (store, step) => store.update(step(store.state) ?? {});

test("every change of masks and mutes can be undone, and done again", () => {
  const store = begin();
  store.update({ masks: masks(false) });
  store.update({ muted: [[1, 2]] });
  store.update({ masks: masks(true) });
  const seen = () => [store.state.masks.causal, store.state.muted.length];
  const back = [];
  for (let i = 0; i < 4; i += 1) {
    go(store, undo);
    back.push(seen());
  }
  assert.deepEqual(back, [
    [false, 1],
    [false, 0],
    [null, 0],
    [null, 0],
  ]);
  const forth = [];
  for (let i = 0; i < 4; i += 1) {
    go(store, redo);
    forth.push(seen());
  }
  assert.deepEqual(forth, [
    [false, 0],
    [false, 1],
    [true, 1],
    [true, 1],
  ]);
});

test("a new change forgets what was undone", () => {
  const store = begin();
  store.update({ masks: masks(false) });
  go(store, undo);
  store.update({ muted: [[0, 0]] });
  assert.deepEqual(store.state.future, []);
  go(store, undo);
  assert.deepEqual([store.state.masks.causal, store.state.muted], [null, []]);
});

test("another model is a step: undo brings back the one before, with the head and the mutes of then", () => {
  const store = begin();
  store.update({ muted: [[1, 2]] });
  store.update({ layer: 1, head: 2 });
  store.update({ model: "b", muted: [], layer: 0, head: 0, query: 4 });
  store.update({ layer: 5 });
  go(store, undo);
  const { model, muted, layer, head, query } = store.state;
  assert.deepEqual([model, muted, layer, head, query], ["a", [[1, 2]], 1, 2, null]);
});

test("typing is one step a pause, and a stroke is a step of its own", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]) });
  type(store, "o", "on", "one more");
  clock += PAUSE;
  type(store, "one more word");
  store.update({ masks: masks(null, [1, 2]) });
  const seen = () => [store.state.masks.blocked.length, store.state.texts[0]];
  const all = [
    [2, "one more word"],
    [1, "one more word"],
    [1, "one more"],
    [1, "one"],
    [0, "one"],
  ];
  for (const [place, expected] of all.entries()) {
    if (place > 0) go(store, undo);
    assert.deepEqual(seen(), expected);
  }
  assert.equal(undo(store.state), null);
  for (const expected of all.toReversed().slice(1)) {
    go(store, redo);
    assert.deepEqual(seen(), expected);
  }
});

test("two settings are two steps, however fast; one that is slid is one", () => {
  const store = begin();
  store.update({ scratch: { mechanism: "average" } });
  for (const n_heads of [2, 3, 4]) store.update({ scratch: { mechanism: "average", n_heads } });
  store.update({ scratch: { mechanism: "average", n_heads: 4, seed: 7 } });
  store.update({ scratch: { mechanism: "average" } });
  assert.deepEqual(
    store.state.past.map(({ after }) => after.scratch.n_heads),
    [undefined, 4, 4, undefined],
  );
});

test("texts that are marked are a step of their own, however fast the typing before and after", () => {
  const store = begin();
  type(store, "one t");
  store.update({ texts: apart(["one two"]) });
  store.update({ texts: apart(["one two three"]) });
  type(store, "one two three f");
  const texts = () => store.state.past.map(({ after }) => after.texts[0]);
  assert.deepEqual(texts(), ["one t", "one two", "one two three", "one two three f"]);
  assert.deepEqual(store.state.past.map(isApart), [false, true, true, false]);
  store.update({ muted: [[0, 1]] });
  assert.equal(isApart(store.state.past.at(-1)), false); // although its texts are still those
  for (let n = 0; n < 3; n += 1) go(store, undo);
  assert.equal(store.state.texts[0], "one two");
});

test("typing after something else is another step, even at once", () => {
  const store = begin();
  type(store, "one m");
  store.update({ layer: 3 });
  type(store, "one mo");
  assert.equal(store.state.past.length, 2);
  go(store, undo);
  assert.deepEqual([store.state.texts[0], store.state.layer], ["one m", 3]);
});

test("where the reader looks is no step of undo, and stays; a row of another text does not", () => {
  const store = begin();
  store.update({ muted: [[1, 2]] });
  clock += PAUSE;
  store.update({ layer: 2, head: 1 });
  clock += PAUSE;
  store.update({ query: 3, zoom: [0, 2, 0, 2] });
  assert.equal(store.state.past.length, 1);
  go(store, undo);
  const { muted, layer, head, query } = store.state;
  assert.deepEqual([muted, layer, head, query], [[], 2, 1, 3]);
  type(store, "another");
  store.update({ query: 0 });
  go(store, undo);
  assert.deepEqual([store.state.texts, store.state.query], [["one"], 3]);
});

test("a moment is what Back takes back: a click, a pause in typing, a key that is held down; never a zoom", () => {
  const store = begin();
  let { moment } = store.state;
  /** @param {object} changes @param {number} after ms */
  const isNew = (changes, after) => {
    clock += after;
    store.update(changes);
    const same = store.state.moment === moment;
    moment = store.state.moment;
    return !same;
  };
  assert.ok(isNew({ head: 1 }, 0));
  assert.ok(!isNew({ head: 2 }, 33));
  assert.ok(isNew({ head: 3 }, 100));
  assert.ok(!isNew({ zoom: [0, 3, 0, 3] }, 5000));
  assert.ok(isNew({ view: "lines" }, 10));
  assert.ok(isNew({ view: "text" }, 10));
  assert.ok(isNew({ texts: ["on"], query: null }, 10));
  assert.ok(!isNew({ texts: ["o"] }, 900));
  assert.ok(isNew({ texts: ["on"] }, 1100));
  const window = (/** @type {number} */ n) => ({ masks: { ...masks(null), window: n } });
  assert.ok(isNew(window(4), 10));
  assert.ok(!isNew(window(3), 50));
  assert.ok(isNew({ masks: { ...masks(true), window: 3 } }, 50));
  moment = -1;
  go(store, undo);
  assert.ok(store.state.moment > 0);
});

test("an edit is undone together with what was done to look at it, unless the text is another one", () => {
  const store = begin();
  store.update({ view: "text" });
  store.update({ muted: [[1, 2]] });
  store.update({ view: "compare" });
  go(store, undoEdit);
  const { muted, view, past, future } = store.state;
  assert.deepEqual([muted, view, past.length, future.length], [[], "text", 1, 2]);
  go(store, redo);
  type(store, "another");
  assert.equal(undoEdit(store.state), null);
});

test("a choice of another time is restored exactly, with painted cells of its own, and is no step", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]), layer: 1 });
  const { past, future, moment, ...then } = store.state;
  type(store, "something else");
  store.update({ masks: masks(false), head: 4 });
  store.update({ ...restored(store.state, then), past, future, moment: -7 });
  const { past: now, moment: at, ...choice } = store.state;
  assert.deepEqual([choice, now, at], [{ ...then, future }, past, -7]);
  assert.notEqual(choice.masks.blocked, then.masks.blocked); // cells belong to the text that their list came with
});

test("where paint and texts were replaced together, both come back, and go again", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]) });
  store.update({ masks: masks(null), texts: ["an example"], shown: 0, query: 3 });
  const seen = () => [store.state.masks.blocked.length, store.state.texts[0]];
  go(store, undo);
  assert.deepEqual(seen(), [1, "one"]);
  go(store, redo);
  assert.deepEqual(seen(), [0, "an example"]);
  go(store, undo);
  go(store, undo);
  assert.deepEqual(seen(), [0, "one"]);
});

test("an example takes masks and mutes away, and undo brings all back", () => {
  const store = begin();
  store.update({ muted: [[1, 2]] });
  store.update({ masks: masks(null), muted: [], texts: ["an example"] });
  go(store, undo);
  assert.deepEqual([store.state.muted, store.state.texts[0]], [[[1, 2]], "one"]);
  go(store, redo);
  assert.deepEqual([store.state.muted, store.state.texts[0]], [[], "an example"]);
});

test("cells that only went along with their tokens are no step", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]) });
  store.update({ masks: untracked(masks(null, [2])) });
  assert.equal(store.state.past.length, 1);
  store.update({ masks: masks(false, [2]) });
  go(store, undo);
  assert.deepEqual([store.state.masks.causal, store.state.masks.blocked[0].key], [null, 2]);
});

test("what is done after cells went along is a step again", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]) });
  store.update({ masks: untracked(masks(null, [2])) });
  store.update({ muted: [[1, 2]] });
  store.update({
    muted: [
      [1, 2],
      [0, 0],
    ],
  });
  go(store, undo);
  assert.deepEqual(store.state.muted, [[1, 2]]);
  assert.deepEqual(
    store.state.masks.blocked.map(({ key }) => key),
    [2],
  );
  go(store, undo);
  assert.deepEqual([store.state.muted, store.state.masks.blocked.length], [[], 1]);
});

test("texts that are fewer leave no text shown that is not there", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]) });
  store.update({ masks: masks(null), texts: ["one", "two"], shown: 1 });
  go(store, undo);
  assert.deepEqual([store.state.shown, store.state.query], [0, null]);
});

test("what goes on with a step of its own is one step with it, however long it takes", () => {
  const store = begin();
  type(store, "one t", "one tw");
  store.update({ texts: apart(["one tw a"]) });
  for (const text of ["one tw a b", "one tw a b c"]) {
    clock += 10 * PAUSE;
    store.update({ texts: goingOn([text]) });
  }
  assert.equal(isApart(store.state.past.at(-1)), true);
  type(store, "one tw a b c d");
  go(store, undo);
  assert.deepEqual(store.state.texts, ["one tw a b c"]);
  go(store, undo);
  assert.deepEqual(store.state.texts, ["one tw"]);
  go(store, redo);
  assert.deepEqual(store.state.texts, ["one tw a b c"]);
});
