import assert from "node:assert/strict";
import test from "node:test";
import { history, redo, undo } from "../../static/js/history.js";
import { Store } from "../../static/js/store.js";

const masks = (/** @type {boolean | null} */ causal) => ({ causal });
const begin = () => {
  const store = new Store({ model: "a", masks: masks(null), muted: [], past: [], future: [] });
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
