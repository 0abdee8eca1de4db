import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { bert, other, shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { forecast } = await import("../../../static/js/panels/strip/strip.js");
const { nextStep } = await import("../../../static/js/panels/next/next.js");
const { toggles } = await import("../../../static/js/panels/input/toggles.js");

const mute = { model: "silent", predicts: null };
const TOKENS = ["[BOS]", "Mary", " saw"].map((text, id) => ({
  ...{ id, text, start: 0, end: 3, special: id === 0, padding: false, segment: 0 },
}));
/** @param {[text: string, probability: number, unedited?: number][]} rows */
const answered = (rows) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: {
      ...{ model: "shipped", tokens: [TOKENS], predicted_at: [2] },
      predictions: [
        rows.map(([text, probability, unedited = null], id) => ({
          ...{ id, text, probability, unedited, special: false },
        })),
      ],
    },
  },
});
/** @param {object} [more] */
const storeOf = (more) =>
  new Store({
    ...{ model: "shipped", models: [shipped, other, bert], texts: ["Mary saw"], targets: [] },
    ...{ pairs: null, masks: OWN_MASKS, muted: [], kind: "self", layer: 1, head: 2, query: null },
    ...{ shown: 0, next: null, view: "heatmap", past: [], future: [], against: null },
    ...more,
  });

test("the strip shows the likeliest tokens, and after an edit how far it moved them", () => {
  page("#forecast");
  const store = storeOf({
    next: answered([
      ["her", 0.723],
      ["him", 0.21],
    ]),
  });
  forecast(document.querySelector("#forecast"), store);
  assert.deepEqual(texts("#forecast h2"), ["Most likely after “saw”"]);
  assert.deepEqual(texts("#forecast li"), ["her72.3%", "him21.0%"]);
  store.update({
    next: answered([
      ["him", 0.5, 0.21],
      ["her", 0.243, 0.723],
      ["it", 0.1, 0.1],
    ]),
  });
  assert.deepEqual(texts("#forecast li"), ["her72.3% → 24.3%", "him21.0% → 50.0%", "it10.0%"]);
});

test("a model that predicts nothing has no strip", () => {
  page("#forecast");
  const store = storeOf({ models: [{ ...shipped, ...mute, name: "shipped" }] });
  forecast(document.querySelector("#forecast"), store);
  assert.equal(document.querySelector("#forecast").hidden, true);
});

test("the page suggests to mute, to compare, to take it back, then another example", () => {
  page("#next-step");
  const store = storeOf();
  let shown = 0;
  nextStep(document.querySelector("#next-step"), store, () => ({
    title: "Copying",
    show: () => {
      shown += 1;
    },
  }));
  const offered = () => texts("#next-step button")[0];
  assert.equal(offered(), "Mute this head");
  click("#next-step button");
  assert.deepEqual(store.state.muted, [[1, 2]]);
  const { state } = store;
  const step = { before: { ...state, muted: [] }, after: state, edits: true };
  store.update({ past: [step] }); // as the history does
  assert.equal(offered(), "Compare");
  click("#next-step button");
  assert.deepEqual([store.state.view, store.state.against.muted], ["compare", []]);
  assert.equal(offered(), "Undo");
  click("#next-step button");
  assert.deepEqual([store.state.view, store.state.muted], ["heatmap", []]);
  assert.equal(offered(), "Copying");
  click("#next-step button");
  assert.equal(shown, 1);
});

test("what a model does not support is not suggested", () => {
  page("#next-step");
  const silent = { ...shipped, predicts: null };
  nextStep(document.querySelector("#next-step"), storeOf({ models: [silent] }), () => null);
  assert.equal(document.querySelector("#next-step").hidden, true);
});

test("a switch shows whether a mask is on, whoever turned it on", () => {
  page("#toggles");
  const models = [
    { ...shipped, causal: true },
    { ...bert, causal: false },
  ];
  const store = storeOf({ models });
  toggles(document.querySelector("#toggles"), store);
  const [causal, padding] = document.querySelectorAll("#toggles input");
  assert.deepEqual([causal.checked, padding.checked], [true, true]); // the model's own
  causal.click();
  assert.equal(store.state.masks.causal, false);
  causal.click();
  assert.equal(store.state.masks.causal, null); // as the model has it, which is no edit
  padding.click();
  assert.equal(store.state.masks.padding, false);
  store.update({ model: bert.name });
  assert.equal(causal.checked, false);
  causal.click();
  assert.equal(store.state.masks.causal, true);
});
