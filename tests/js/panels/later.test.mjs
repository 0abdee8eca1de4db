// Panels draw a new answer after the picture, all that they have missed together, and everything else at once.

import assert from "node:assert/strict";
import test from "node:test";
import { Later } from "../../../static/js/panels/later.js";
import { Store } from "../../../static/js/state/store.js";

/** A page with a picture and a panel; `drawn` lists what was drawn, in order. */
function page() {
  const frames = [];
  globalThis.requestAnimationFrame = (act) => frames.push(act);
  const store = new Store(/** @type {any} */ ({ grid: null, detail: null, next: "none", head: 0 }));
  const later = new Later(store);
  const drawn = [];
  const panel = later.panel();
  panel.watch(["grid", "detail"], ({ grid }) => drawn.push(`heads ${grid}`));
  panel.watch(["next"], ({ next }) => drawn.push(`words ${next}`));
  panel.watch(["head"], ({ head, grid }) => drawn.push(`mark ${head} of ${grid}`));
  store.watch(["grid"], ({ grid }) => drawn.push(`picture ${grid}`));
  const arrive = (/** @type {string} */ name) => {
    drawn.length = 0;
    store.update(/** @type {any} */ ({ grid: name, next: name }));
  };
  const frame = () => {
    for (const act of frames.splice(0)) act();
  };
  return { store, later, drawn, arrive, frame };
}

const task = () => new Promise((resolve) => setTimeout(resolve));

/** The end of the microtasks of now. */
const turn = () => new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));

test("the first answer is drawn by all at once", () => {
  const { arrive, drawn } = page();
  arrive("A");
  assert.deepEqual(drawn, ["heads A", "words A", "picture A"]);
});

test("a panel draws a later answer once the picture is on the screen, each part once", async () => {
  const { arrive, drawn, frame, later } = page();
  arrive("A");
  await turn();
  arrive("B");
  await task();
  await task();
  assert.deepEqual(drawn, ["picture B"]);
  frame();
  await later.drawn();
  assert.deepEqual(drawn, ["picture B", "heads B", "words B"]);
});

test("of two answers before a frame, a panel draws the newer one alone", async () => {
  const { arrive, drawn, frame, later } = page();
  arrive("A");
  await turn();
  arrive("B");
  await turn();
  arrive("C");
  frame();
  await later.drawn();
  assert.deepEqual(drawn, ["picture C", "heads C", "words C"]);
});

test("what the reader does is drawn at once, after what the panel has missed", async () => {
  const { store, arrive, drawn, frame, later } = page();
  arrive("A");
  await turn();
  arrive("B");
  await turn();
  store.update(/** @type {any} */ ({ head: 3 }));
  const all = ["picture B", "heads B", "words B", "mark 3 of B"];
  assert.deepEqual(drawn, all);
  frame();
  await later.drawn();
  assert.deepEqual(drawn, all);
});

test("a part that the reader changes meanwhile is drawn once", async () => {
  const { store, arrive, drawn } = page();
  arrive("A");
  await turn();
  arrive("B");
  await turn();
  store.update(/** @type {any} */ ({ next: "mine" }));
  assert.deepEqual(drawn, ["picture B", "heads B", "words mine"]);
});
