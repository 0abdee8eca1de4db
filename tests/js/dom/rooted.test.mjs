// A panel needs nothing but the element that it is given, so that any page can mount it, even twice.

import assert from "node:assert/strict";
import test from "node:test";
import { colours } from "../../../static/js/panels/head/colours.js";
import { kindSwitch, segmentFilter } from "../../../static/js/panels/heads/kinds.js";
import { masks } from "../../../static/js/panels/input/masks.js";
import { modelPicker } from "../../../static/js/panels/input/picker.js";
import { lens } from "../../../static/js/panels/lens/lens.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { bert, bloom, shipped, t5 } from "../models.mjs";
import { document, page } from "./dom.mjs";

/** An element of the template, in no document. @param {string} selector @returns {any} */
function detached(selector) {
  page();
  const element = document.querySelector(selector);
  element.remove();
  document.body.replaceChildren();
  return element;
}

/** @param {object} [changes] @returns {any} */
const storeOf = (changes) =>
  new Store(
    /** @type {any} */ ({
      models: [shipped, bert, bloom, t5],
      model: "shipped",
      status: "ready",
      kind: "self",
      masks: OWN_MASKS,
      muted: [],
      scratch: { mechanism: "multi-head" },
      grid: null,
      pairs: null,
      segments: "all",
      detail: null,
      lacks: {},
      scale: "ink",
      steps: "linear",
      right: "lens",
      shown: 0,
      lens: null,
      texts: ["a"],
      ...changes,
    }),
  );
const shownIn = (/** @type {any} */ root) =>
  [...root.querySelectorAll("label")].map(({ textContent }) => textContent.trim());
const checkedIn = (/** @type {any} */ root) =>
  [...root.querySelectorAll("input:checked")].map(({ value }) => value);

test("two controls of the masks follow one store", () => {
  const store = storeOf();
  const forms = [detached("#masks"), detached("#masks")];
  const said = forms.map(() => document.createElement("b"));
  for (const [at, form] of forms.entries()) masks(form, said[at], store);
  store.update({ masks: { ...OWN_MASKS, causal: false, padding: false } });
  for (const form of forms) {
    assert.equal(form.querySelector('[name="causal"]:checked').value, "off");
    assert.equal(form.querySelector('[name="padding"]:checked').value, "off");
    assert.match(form.querySelector(".hint").textContent, /second sentence/);
  }
  const told = () => said.map(({ textContent }) => textContent);
  assert.deepEqual(told(), ["none", "none"]);
  const cell = { text: 0, layer: null, head: null, query: 2, key: 1, kind: null };
  store.update({ masks: { ...OWN_MASKS, causal: true, window: 3, sinks: 1, blocked: [cell] } });
  assert.deepEqual(told(), Array(2).fill("causal · window of 3 · 1 sink · 1 painted"));
});

test("a model without masks says so beside them", () => {
  const form = detached("#masks");
  masks(form, document.createElement("b"), storeOf({ model: "bloom" }));
  assert.match(form.querySelector(".hint").textContent, /supports neither masks nor mutes: .+\.$/);
  assert.equal(form.querySelector("fieldset").disabled, true);
});

test("the switches of sites and segments appear where there is a choice", () => {
  const [kinds, segments] = [detached("#kind"), detached("#segments")];
  const store = storeOf();
  kindSwitch(kinds, store);
  segmentFilter(segments, store);
  assert.deepEqual([kinds.hidden, segments.hidden], [true, true]);
  store.update({ model: "t5", kind: "encoder" });
  assert.deepEqual([kinds.hidden, checkedIn(kinds)], [false, ["encoder"]]);
  assert.deepEqual(shownIn(kinds), ["Encoder", "Decoder", "Cross"]);
  store.update({ model: "bert", kind: "self", pairs: ["b"], segments: "ab" });
  assert.equal(segments.hidden, false);
});

test("the picker lists the models, and says how large the model is", () => {
  const elements = {
    select: document.createElement("select"),
    progress: document.createElement("span"),
    size: document.createElement("span"),
  };
  const store = storeOf();
  modelPicker(elements, store);
  const [here, could] = [[], []];
  for (const option of elements.select.options) (option.disabled ? could : here).push(option);
  assert.deepEqual(
    here.map(({ value }) => value),
    ["shipped", "bert", "bloom", "t5"],
  );
  // below them real models that it could have, and how; one that is here is not listed twice
  assert.equal(
    elements.select.querySelector("optgroup").label,
    "Not here. In a terminal: headlight get NAME",
  );
  assert.equal(could[0].textContent, "smollm2: SmolLM2 135M Instruct, 93 MB");
  assert.ok(could.length > 5 && !could.some(({ value }) => value === "bert"));
  assert.match(elements.size.textContent, /^\d+ × \d+$/);
  assert.match(elements.size.title, /^\d+ layers × \d+ heads, /);
  const loading = { ...shipped, state: "loading", progress: 0.42 };
  store.update({ models: [loading, bert, bloom, t5] });
  assert.equal(elements.progress.textContent, "loading 42 % …");
  const failed = { ...shipped, state: "failed" };
  store.update({ models: [failed, bert, bloom, t5] });
  assert.equal(elements.select.options[0].textContent, "Headlight small (failed)");
});

test("the colours are chosen in the form that is given", () => {
  const form = detached("#colours");
  const store = storeOf({ scale: "sea", steps: "log" });
  colours(form, store);
  assert.deepEqual(checkedIn(form), ["sea", "log"]);
  const ink = form.querySelector('[value="ink"]');
  ink.checked = true;
  ink.dispatchEvent(new document.defaultView.Event("change", { bubbles: true }));
  assert.equal(store.state.scale, "ink");
  const root = form.querySelector('[value="root"]');
  root.checked = true;
  root.dispatchEvent(new document.defaultView.Event("change", { bubbles: true }));
  assert.equal(store.state.steps, "root");
});

test("a lens without numbers explains itself in its panel", () => {
  const panel = document.createElement("div");
  lens(panel, storeOf());
  assert.match(panel.querySelector(".source").textContent, /residual stream/);
});
