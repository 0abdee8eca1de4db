import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { bert, shipped, t5 } from "../models.mjs";
import { click, document, texts } from "./dom.mjs";

const { sentences } = await import("../../../static/js/panels/input/sentence.js");

const limits = { texts: 3, characters: 40 };

/** @param {object} state @param {object} options */
function mounted(state, options = {}) {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const store = new Store({
    model: "shipped",
    models: [shipped, bert, t5],
    scratch: {},
    masks: OWN_MASKS,
    texts: ["one"],
    targets: [],
    pairs: null,
    shown: 0,
    query: 2,
    segments: "all",
    ...state,
  });
  sentences(root, store, { limits, ...options });
  return store;
}
const buttons = () => {
  const [add, addPair] = [1, 2].map(() => document.createElement("button"));
  return { add, addPair };
};
const areas = () => [...document.querySelectorAll("textarea")];
const labels = () => areas().map((area) => area.getAttribute("aria-label"));
const visibleTags = () =>
  [...document.querySelectorAll(".box-tag")]
    .filter(({ hidden }) => !hidden)
    .map(({ textContent }) => textContent);
/** @param {HTMLTextAreaElement} area @param {string} text */
function type(area, text) {
  area.value = text;
  area.dispatchEvent(new Event("input"));
}

test("where sentences cannot be added there is no button to remove one, and each box can show its name", () => {
  mounted({ texts: ["one", "two"] }, { named: true });
  assert.deepEqual(visibleTags(), ["Sentence 1", "Sentence 2"]);
  assert.equal(document.querySelectorAll("button").length, 0);
  mounted({}, { named: true });
  assert.deepEqual(visibleTags(), ["Sentence"]);
  mounted({});
  assert.deepEqual(visibleTags(), []);
});

test("a target and a second segment have a box beside their sentence", () => {
  mounted({ model: "t5", targets: ["deux"] }, { named: true });
  assert.deepEqual(labels(), ["Sentence 1", "Target of sentence 1"]);
  assert.deepEqual(visibleTags(), ["Source", "Target"]);
  assert.deepEqual(
    areas().map(({ value }) => value),
    ["one", "deux"],
  );
  mounted({ model: "bert", pairs: ["zwei"] });
  assert.deepEqual(labels(), ["Sentence 1", "Second segment of sentence 1"]);
  assert.equal(document.querySelectorAll("button").length, 0);
});

test("what is typed goes to the page if it asks for it, else into the store without the query", () => {
  const typed = [];
  const held = mounted({ texts: ["a", "b"] }, { onType: (lists) => typed.push(lists) });
  type(areas()[1], "c");
  assert.deepEqual([typed, held.state.texts], [[{ texts: ["a", "c"] }], ["a", "b"]]);
  const store = mounted({ texts: ["a", "b"] });
  type(areas()[1], "c");
  const { texts, shown, query } = store.state;
  assert.deepEqual([texts, shown, query], [["a", "c"], 1, null]);
  assert.equal(areas()[0].maxLength, 40);
});

test("sentences are added up to the limit and removed down to one", () => {
  const page = buttons();
  const store = mounted({}, page);
  page.add.click();
  page.add.click();
  assert.deepEqual([store.state.texts, page.add.disabled], [["one", "", ""], true]);
  click("button", "Remove sentence 1");
  click("button", "Remove sentence 2");
  assert.deepEqual(store.state.texts, [""]);
  assert.ok(document.querySelector("[data-remove]").hidden);
});

test("second segments are added and removed for all sentences at once", () => {
  const page = buttons();
  const store = mounted({ model: "bert", texts: ["a", "b"] }, page);
  page.addPair.click();
  assert.deepEqual([store.state.pairs, page.addPair.hidden], [["", ""], true]);
  assert.deepEqual(texts(".beside .box-tag"), ["B", "B"]);
  click("button", "Remove the second segments");
  assert.deepEqual([store.state.pairs, page.addPair.hidden], [null, false]);
});
