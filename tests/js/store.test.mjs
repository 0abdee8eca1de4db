import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../static/js/state/store.js";

test("a listener draws at once, and again only when one of its keys changes", () => {
  const store = new Store({ layer: 0, head: 0 });
  const drawn = [];
  store.watch(["layer"], ({ layer }) => drawn.push(layer));
  store.update({ head: 3 });
  store.update({ layer: 2 });
  store.update({ layer: 2 });
  assert.deepEqual(drawn, [0, 2]);
});

test("several keys in one change are heard once", () => {
  const store = new Store({ layer: 0, head: 0 });
  let calls = 0;
  store.watch(["layer", "head"], () => {
    calls += 1;
  });
  store.update({ layer: 1, head: 1 });
  assert.equal(calls, 2);
});

test("the state cannot be written", () => {
  const store = new Store({ layer: 0 });
  assert.throws(() => {
    store.state.layer = 5;
  }, TypeError);
});
