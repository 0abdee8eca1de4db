import assert from "node:assert/strict";
import test from "node:test";
import { PAIRS } from "../../../static/js/state/clean.js";
import { Store } from "../../../static/js/state/store.js";
import { bert, bloom, shipped, t5 } from "../models.mjs";
import { begun, byHead, byToken, inBothStacks, patchAnswer } from "../patched.mjs";
import { document, page, press } from "./dom.mjs";

const { patch } = await import("../../../static/js/views/patch/patch.js");

/** @param {object | null} asked @param {object} [more] */
function view(asked, more = {}) {
  page("#heatmap-view");
  const root = document.createElement("div");
  document.body.append(root);
  const store = new Store({
    model: "shipped",
    models: [shipped, bloom],
    texts: ["a", "dogs near"],
    shown: 1,
    targets: [],
    pairs: null,
    masks: {},
    muted: [],
    interventions: [],
    kind: "self",
    view: "patch",
    clean: "dog near",
    patched_at: "resid_mid",
    patched_by: "position",
    token: null,
    versus: null,
    query: 1,
    scheme: "light",
    patch: asked,
    patched: null,
    ...more,
  });
  patch(root, store, { retry: () => {} });
  const find = (/** @type {string} */ selector) => root.querySelector(selector);
  return { root, store, find };
}
/** @param {ParentNode} root @param {string} selector */
const within = (root, selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);

test("both maps have a row for each layer, and the same cells marked", () => {
  const { root, find } = view(patchAnswer(byToken));
  const maps = [...root.querySelectorAll(".patch-map")];
  assert.deepEqual(
    maps.map((map) => within(map, "tbody td")),
    [
      ["−25%", "0%", "150%", "40%"],
      ["−30%", "0%", "40%", "40%"],
    ],
  );
  assert.deepEqual(within(maps[0], "tbody th"), ["Layer 0", "Layer 1"]);
  for (const map of maps) {
    assert.deepEqual(within(map, ".disagrees").length, 1);
    assert.deepEqual(within(map, "thead .differs"), ["dogs"]);
    assert.deepEqual(within(map, "thead .read"), ["near"]);
  }
  assert.deepEqual(within(root, ".patch-tokens .differs"), ["dog", "dogs"]);
  assert.match(find(".patch-said").textContent, /leads “are”.*brings back most, 150%/);
});

test("the largest patches come first, and the others follow", () => {
  const { root, store, find } = view(patchAnswer(begun));
  const measured = () => within(root.querySelector(".patch-map"), "tbody td");
  assert.deepEqual(measured(), ["−25%", "", "150%", ""]);
  const blank = find(".patch-map td.unrun");
  assert.equal(blank.getAttribute("aria-label"), "not run yet");
  assert.match(find(".patch-said").textContent, /The 2 patches .* were run; the others follow\./);
  blank.click();
  assert.match(find(".patch-cell").textContent, /near”: not run yet\. The gradient says 0%\.$/);
  const problem = { message: "Cancelled.", retry: true };
  store.update({ patched: { status: "error", answer: null, problem } });
  assert.match(find(".patch-said").textContent, /were run\. .*Cancelled\.$/);
  store.update({ patched: patchAnswer(byToken) });
  assert.deepEqual(measured(), ["−25%", "0%", "150%", "40%"]);
  assert.match(
    find(".patch-said").textContent,
    /The estimates rank what was run with τ = 0\.75\.$/,
  );
  assert.match(find(".patch-cell").textContent, /near”: the patch brings nothing back\./);
});

test("the best patch is selected, and arrow keys walk both maps together", () => {
  const { root, find } = view(patchAnswer(byToken));
  const chosen = () => within(root, ".patch-map .chosen");
  assert.deepEqual(chosen(), ["150%", "40%"]);
  const [cell] = root.querySelectorAll(".patch-map .chosen");
  assert.equal(cell.tabIndex, 0);
  cell.focus();
  press("ArrowUp");
  assert.deepEqual(chosen(), ["−25%", "−30%"]);
  assert.equal(document.activeElement.textContent, "−25%");
  press("ArrowUp");
  assert.equal(document.activeElement.textContent, "−25%", "there is no row above");
  assert.match(find(".patch-cell").textContent, /layer 0 at “dogs”/);
});

test("the map of another model is gone while the next is asked", () => {
  const { store, find } = view(patchAnswer(byToken));
  assert.equal(find(".patch-body").hidden, false);
  store.update({ models: [shipped, { ...shipped, name: "other" }], model: "other" });
  assert.ok(find(".patch-body").hidden);
});

test("a patch can stay in the run", () => {
  const { store, find } = view(patchAnswer(byToken));
  find(".patch-reading button").click();
  assert.deepEqual(store.state.interventions, [
    {
      kind: "patch",
      at: "resid_mid",
      layer: 1,
      text: 1,
      positions: [1],
      source: "dog near",
    },
  ]);
});

test("heads have columns of their own", () => {
  const { root } = view(patchAnswer(byHead));
  assert.deepEqual(within(root.querySelector(".patch-map"), "thead th"), [
    "Head 0",
    "Head 1",
    "Head 2",
  ]);
  assert.deepEqual(within(root, ".patch-tokens tr:first-child td"), ["dog", "near"]);
});

test("the field offers the text, and compares when Enter is pressed", () => {
  const { root, store, find } = view(null, { clean: "" });
  const field = find("textarea");
  assert.equal(field.value, "dogs near");
  assert.match(find(".patch-said").textContent, /^Type a clean sentence/);
  assert.ok(find(".patch-body").hidden);
  store.update({ texts: ["a", "cats near"] });
  assert.equal(field.value, "cats near", "it follows while it is untouched");
  field.value = "cat near";
  store.update({ texts: ["a", "cats are near"] });
  assert.equal(field.value, "cat near", "what was typed stays");
  field.focus();
  press("Enter");
  assert.equal(store.state.clean, "cat near");
  assert.match(find(".patch-said").textContent, /^Patching each part/);
  const [, swap] = root.querySelectorAll(".patch-acts button");
  swap.click();
  assert.deepEqual([store.state.texts, store.state.clean], [["a", "cat near"], "cats are near"]);
});

test("what is in the way is said instead of a map", () => {
  const problem = {
    message: "They do not align.",
    retry: false,
    field: "analyse.patching.clean",
  };
  const refused = view({ status: "error", problem, answer: null });
  assert.equal(refused.find(".patch-said").textContent, "They do not align.");
  assert.equal(refused.find("textarea").getAttribute("aria-invalid"), "true");
  assert.ok(refused.find(".patch-body").hidden);
  const nothing = { ...byToken, reason: "Both give the same answer." };
  const same = view(patchAnswer(nothing));
  assert.match(same.find(".patch-said").textContent, /Both give the same answer\.$/);
  assert.ok(same.find(".patch-shown").hidden && !same.find(".patch-body").hidden);
  assert.match(view(null, { model: bloom.name }).find(".patch-said").textContent, /no edits/);
});

test("where the model is in the way nothing can be chosen, and where a sentence is missing it can", () => {
  const headless = { ...shipped, name: "headless", predicts: null };
  const { store, root, find } = view(null, { models: [shipped, headless], model: "headless" });
  const asks = [find(".patch-asks"), find(".patch-pairs"), root.lastElementChild];
  assert.deepEqual(
    asks.map(({ hidden }) => hidden),
    [true, true, true],
  );
  assert.match(within(root, ".patch-said")[0], /predicts nothing/);
  store.update({ model: "shipped", clean: "" });
  assert.deepEqual(
    asks.map(({ hidden }) => hidden),
    [false, false, false],
  );
});

test("where nothing is compared, pairs of sentences are there to begin with", () => {
  const { store, find, root } = view(null, { clean: "" });
  assert.equal(root.querySelectorAll(".patch-pair").length, PAIRS.length);
  root.querySelectorAll(".patch-pair")[1].click();
  const { text, clean } = PAIRS[1];
  assert.deepEqual([store.state.texts, store.state.clean], [["a", text], clean]);
  assert.equal(store.state.query, null); // which was a token of the old text
  assert.ok(find(".patch-pairs").hidden);
  store.update({ clean: text });
  assert.ok(!find(".patch-pairs").hidden);
  assert.ok(view(null, { clean: "", model: t5.name, models: [t5] }).find(".patch-pairs").hidden);
});

test("it says what both sentences are read with", () => {
  const told = (/** @type {any} */ model, /** @type {string[] | null} */ pairs) => {
    const { root } = view(null, { model: model.name, models: [model], pairs });
    const shown = [...root.querySelectorAll("p")].filter(({ hidden }) => !hidden);
    return shown.find(({ textContent }) => /^Both sentences/.test(textContent))?.textContent;
  };
  assert.match(told(t5, null), /with the same target/);
  assert.match(told(bert, ["", "a b"]), /with the same second segment/);
  assert.equal(told(bert, null), undefined);
  assert.equal(told(shipped, null), undefined);
});

test("what they are read with follows the reader", () => {
  const { root, store } = view(null, { model: "bert", models: [bert], pairs: null });
  const told = () =>
    [...root.querySelectorAll("p")].some(
      ({ hidden, textContent }) => !hidden && /second segment/.test(textContent),
    );
  assert.equal(told(), false);
  store.update({ pairs: ["", "a b"] });
  assert.equal(told(), true);
  store.update({ pairs: null });
  assert.equal(told(), false);
});

test("Tab reaches each map once", () => {
  const { root } = view(patchAnswer(inBothStacks), { model: "t5", models: [t5] });
  const stops = [...root.querySelectorAll(".patch-map")].map(
    (map) =>
      [...map.querySelectorAll("[data-row]")].filter(({ tabIndex }) => tabIndex === 0).length,
  );
  assert.deepEqual(stops, [1, 1, 1, 1]);
});

test("arrow keys go from the encoder to the decoder, which may be narrower or wider", () => {
  const { root } = view(patchAnswer(inBothStacks), { model: "t5", models: [t5] });
  assert.match(root.textContent, /read with the same target/);
  const figures = [...root.querySelectorAll("figure")];
  assert.deepEqual(
    figures.map((figure) => figure.querySelectorAll("table").length),
    [2, 2],
  );
  assert.deepEqual(within(figures[0], "tbody th"), [
    "Encoder layer 0",
    "Encoder layer 1",
    "Decoder layer 0",
    "Cross layer 0",
  ]);
  assert.deepEqual(within(figures[0], "thead .read"), ["she"]);
  const chosen = () => within(root, ".patch-map .chosen");
  assert.deepEqual(chosen(), ["90%", "90%"]);
  figures[1].querySelector(".chosen").focus();
  press("ArrowRight");
  press("ArrowUp");
  assert.deepEqual(chosen(), ["0%", "0%"]);
  press("ArrowUp");
  press("ArrowUp");
  press("ArrowLeft");
  assert.deepEqual(chosen(), ["50%", "50%"], "the last column of the encoder was the second one");
  assert.ok(figures[1].contains(document.activeElement), "the focus stays on its side");
});
