import assert from "node:assert/strict";
import test from "node:test";
import { fitting } from "../../../static/js/state/fitting/fitting.js";
import { Store } from "../../../static/js/state/store.js";
import { linked } from "../../../static/js/state/url.js";
import { other, scratch, shipped, t5 } from "../models.mjs";
import { click, document, texts } from "./dom.mjs";

const { missingBox } = await import("../../../static/js/panels/missing/missing.js");

const models = [shipped, other, t5, scratch];
const example = { texts: ["An example."], layer: 2, head: 7, query: 3 };
/** @param {string} search */
function begin(search) {
  const { choice, missing } = linked(search, models, example, 4);
  const store = new Store({ ...choice, missing, models, moment: 0 });
  fitting(store);
  const [whole, box] = [document.createElement("main"), document.createElement("section")];
  whole.append(box);
  document.body.replaceChildren(whole);
  missingBox(box, store, whole);
  return { store, whole, box };
}

test("an unknown model is named, with a button for each that can be had", () => {
  const { store, whole, box } = begin("?model=foo&text=Hello.&layer=1&head=4&muted=1.7");
  assert.ok(whole.hasAttribute("data-missing"));
  assert.deepEqual(texts("p"), [
    "This link asks for the model “foo”, which this server does not have. It has: Headlight small, other, t5 and From scratch.",
  ]);
  assert.equal(texts("button").length, 4);
  click("button", "Open the sentence with other");
  const { model, layer, head, muted, missing, moment } = store.state;
  assert.deepEqual([model, layer, head, muted, missing], ["other", 1, 4, [], null]);
  assert.deepEqual(store.state.texts, ["Hello."]);
  assert.ok(moment > 0); // it is no step of undo
  assert.ok(box.hidden && !whole.hasAttribute("data-missing"));
});

test("a head that is not there is named, with the nearest one to show", () => {
  const { store } = begin("?model=t5&text=a&kind=cross&layer=9&head=2");
  assert.deepEqual(texts("p"), [
    "This link asks for cross layer 9 head 2, but t5 has 3 cross layers of 4 heads, both counted from 0.",
  ]);
  click("button", "Show cross layer 2 head 2");
  assert.deepEqual([store.state.layer, store.state.missing], [2, null]);
});

test("nothing is in the way of a link that this server can show", () => {
  const { whole, box } = begin("?text=a&layer=1&head=2");
  assert.ok(box.hidden && !whole.hasAttribute("data-missing"));
});
