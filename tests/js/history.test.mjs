import assert from "node:assert/strict";
import test from "node:test";
import { history, redo, undo, untracked } from "../../static/js/state/history.js";
import { Store } from "../../static/js/state/store.js";

/** @param {boolean | null} causal @param {number[]} keys painted */
const masks = (causal, keys = []) => ({
  causal,
  blocked: keys.map((key) => ({ text: 0, layer: 1, head: 2, query: 4, key, kind: null })),
  allowed: [],
});
const begin = () => {
  const store = new Store({
    ...{ model: "a", texts: ["one"], targets: [], pairs: null, shown: 0, query: null },
    ...{ masks: masks(null), muted: [], past: [], future: [] },
  });
  history(store);
  return store;
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

test("another model begins anew: its heads are others", () => {
  const store = begin();
  store.update({ muted: [[1, 2]] });
  store.update({ model: "b", muted: [] });
  assert.equal(undo(store.state), null);
});

test("a stroke is a step like any other", () => {
  const store = begin();
  store.update({ masks: masks(null, [1]) });
  store.update({ texts: ["one and more"] }); // is none
  store.update({ masks: masks(null, [1, 2]) });
  const seen = () => [store.state.masks.blocked.length, store.state.texts[0]];
  go(store, undo);
  assert.deepEqual(seen(), [1, "one and more"]);
  go(store, undo);
  assert.deepEqual(seen(), [0, "one and more"]);
  assert.equal(undo(store.state), null);
  go(store, redo);
  go(store, redo);
  assert.deepEqual(seen(), [2, "one and more"]);
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
