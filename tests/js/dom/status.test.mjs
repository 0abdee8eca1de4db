import assert from "node:assert/strict";
import test from "node:test";
import { status } from "../../../static/js/page/status.js";
import { Store } from "../../../static/js/state/store.js";
import { document, texts } from "./dom.mjs";

const LONG = /This text has 3 tokens, but .* was trained on at most 2/;

/** A page with a picture of a text that is longer than those of its model. */
function begin() {
  document.body.innerHTML = '<div id="notice"></div><div id="problem"></div>';
  const tokens = [["a", "b", "c"].map((text) => ({ text, special: false, padding: false }))];
  const models = [{ name: "shipped", trained_tokens: 2 }];
  const state = { status: "ready", problem: null, grid: null, shown: 0, lacks: {}, models };
  const store = new Store(/** @type {any} */ ({ ...state, quiz: null }));
  status(store, () => {});
  const trace = { model: "shipped", tokens, sites: [] };
  store.update({ grid: /** @type {any} */ ({ trace, tensors: new Map() }) });
  return store;
}
const said = () => texts("#notice")[0];

test("a problem with a newer text takes the place of a remark on the older one", () => {
  const store = begin();
  assert.match(said(), LONG);
  store.update({ problem: { message: "Too long.", retry: false, field: "texts.0" } });
  assert.equal(said(), "");
  assert.deepEqual(texts("#problem p"), ["Too long."]);
  store.update({ problem: null });
  assert.match(said(), LONG);
});

test("while a model is loaded for the first picture, the page says so", () => {
  document.body.innerHTML = '<div id="notice"></div><div id="problem"></div>';
  const models = [{ name: "big", state: "not_loaded" }];
  const state = { status: "loading", problem: null, grid: null, shown: 0, lacks: {}, models };
  const store = new Store(/** @type {any} */ ({ ...state, model: "big", quiz: null }));
  status(store, () => {});
  assert.equal(said(), "The picture comes once the model big is loaded.");
  store.update({ models: /** @type {any} */ ([{ name: "big", state: "loading" }]) });
  assert.equal(said(), "The picture comes once the model big is loaded.");
  store.update({ models: /** @type {any} */ ([{ name: "big", state: "ready" }]) });
  assert.equal(said(), "");
});

test("a remark on the text stays beside a problem with something else", () => {
  const store = begin();
  store.update({ problem: { message: "No.", retry: false, field: "masks.window" } });
  assert.match(said(), LONG);
});
