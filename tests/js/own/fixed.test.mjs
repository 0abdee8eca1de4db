// What the page does with a model that cannot be run again: its inputs are fixed, whatever asks for others.

import assert from "node:assert/strict";
import test from "node:test";
import { nextRequest } from "../../../static/js/asking/requests.js";
import { fit, hasProbe, scoredBy } from "../../../static/js/state/choice.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { fromQuery, toQuery } from "../../../static/js/state/url.js";
import { detailsOf } from "../../../static/js/views/map/sentences.js";
import { shipped } from "../models.mjs";

const masks = { ...OWN_MASKS, window: 3 };
const inputs = { texts: ["my words"], targets: [], pairs: null, masks, muted: [[1, 2]] };
const mine = {
  ...shipped,
  name: "mine",
  lacks: "this page has one recorded run of it",
  d_model: 0,
  recorded: inputs,
};
const models = [shipped, mine];
const example = { texts: ["an example"], layer: 0, head: 0, query: null };

test("a choice is fixed to what was recorded", () => {
  const choice = fromQuery("?text=a&text=b&causal=false&model=mine", models, example, 8);
  for (const [key, value] of Object.entries(inputs)) assert.deepEqual(choice[key], value, key);
  assert.equal(choice.shown, 0);
  const typed = { ...choice, texts: ["a", "b"], shown: 1, muted: [], masks: OWN_MASKS };
  assert.deepEqual({ ...typed, ...fit(typed, mine) }, choice);
  assert.deepEqual(fit(choice, mine), {}); // so that nothing looks changed
});

test("the texts of a reader's own file stay out of the address", () => {
  const choice = fromQuery("?model=mine&layer=1&head=3", models, example, 8);
  const query = toQuery(choice, models);
  assert.ok(!query.includes("my"), query);
  assert.deepEqual(fromQuery(query, models, example, 8), choice);
});

test("heads are scored on the recorded text, since there is no probe", () => {
  const state = { model: "mine", models, by: "probe" };
  assert.deepEqual([hasProbe(state), scoredBy(state)], [false, "sentence"]);
  assert.equal(scoredBy({ ...state, model: "shipped" }), "probe");
});

test("predictions are never compared with a run that cannot be made", () => {
  const choice = fromQuery("?model=mine", models, example, 8);
  const request = nextRequest({ ...choice, models, quiz: false, status: "ready" }, mine);
  assert.equal(request.predict.unedited, false);
});

test("the map says no sizes that nobody knows", () => {
  const head = { kind: "head", site: "self", at: 0 };
  assert.deepEqual(detailsOf(mine, head), []);
  const exported = { ...mine, d_model: 64, d_head: 8 };
  const [sizes, ...rest] = detailsOf(exported, head);
  assert.match(sizes, /8 numbers each, computed from the 64 numbers/);
  assert.deepEqual(rest, []); // it has a W_O, which the recording leaves out
});
