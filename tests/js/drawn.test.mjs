// A page says that it is ready when what was chosen last is drawn, not what was chosen before it.

import assert from "node:assert/strict";
import test from "node:test";

import { tellDrawn } from "../../static/js/page/drawn.js";
import { Store } from "../../static/js/state/store.js";

/** A root that says its state, and views whose drawings end when they are told to. */
function page() {
  const root = { dataset: {} };
  const store = new Store({ status: "ready", view: "map" });
  const drawings = [];
  const drawn = () => new Promise((end) => drawings.push(end));
  tellDrawn(root, store, { slots: ["analysis"], status: () => store.state.status }, drawn);
  return { root, store, drawings };
}

/** Every promise that can be kept by now is. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a page is ready once its view has drawn", async () => {
  const { root, drawings } = page();
  assert.equal(root.dataset.state, "loading");
  drawings[0]();
  await settled();
  assert.equal(root.dataset.state, "ready");
});

test("a view that was left does not say that the next one is ready", async () => {
  const { root, store, drawings } = page();
  store.update({ view: "arcs" });
  drawings[0]();
  await settled();
  assert.equal(root.dataset.state, "loading");
  drawings[1]();
  await settled();
  assert.equal(root.dataset.state, "ready");
});

test("a page that computes again is not ready when the old picture is drawn", async () => {
  const { root, store, drawings } = page();
  store.update({ status: "loading" });
  drawings[0]();
  await settled();
  assert.equal(root.dataset.state, "loading");
});
