import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ApiError } from "../../../static/js/api/errors.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { document, page } from "./dom.mjs";

const AXES = { across: "distance", up: "copying" };

globalThis.ResizeObserver = class {
  observe() {}
};

const { asking } = await import("../../../static/js/views/dossier/asked.js");
const { dossier } = await import("../../../static/js/views/dossier/dossier.js");
const { save } = await import("../../../static/js/views/dossier/save.js");

const file = JSON.parse(
  readFileSync(new URL("../../../model/shipped/dossier.json", import.meta.url), "utf8"),
);

/** @param {object | null} corpus @param {object} [more] */
function opened(corpus, more = {}) {
  page("#heatmap-view");
  const root = document.createElement("div");
  document.body.append(root);
  const store = new Store({
    model: "shipped",
    models: [shipped],
    kind: "self",
    layer: 2,
    head: 3,
    view: "dossier",
    relations: {},
    corpus,
    ...AXES,
    muted: [[1, 1]],
    ...more,
  });
  dossier(root, store);
  return { store, root };
}
const ready = { model: "shipped", status: "ready", answer: file, problem: null };
const marks = (/** @type {any} */ root) => [...root.querySelectorAll(".mark")];
const current = (/** @type {any} */ root) => root.querySelector(".mark[aria-current]");

test("each head is a button that tells its numbers and selects it", () => {
  const { store, root } = opened(ready);
  assert.equal(marks(root).length, 24);
  assert.match(
    current(root).getAttribute("aria-label"),
    /^Layer 2 · head 3.*: distance 2\.27 \(2\.21 to 2\.33\), copying 0\.622 \(.* to .*\)\.$/,
  );
  assert.equal(marks(root).filter(({ tabIndex }) => tabIndex === 0).length, 1);
  assert.match(root.querySelector(".dossier-told").textContent, /^Layer 2 · head 3/);
  assert.equal(root.querySelectorAll(".reach > *").length, 2);
  const other = marks(root).find((one) => one.textContent.includes("1.4"));
  other.dispatchEvent(new document.defaultView.Event("pointerenter"));
  assert.match(root.querySelector(".dossier-told").textContent, /^Layer 1 · head 4/);
  other.click();
  assert.deepEqual([store.state.layer, store.state.head], [1, 4]);
  assert.equal(current(root).textContent, other.textContent);
  assert.match(root.querySelector("h3").textContent, /^Layer 1 · head 4/);
});

test("the card has every number, and every bucket of distances", () => {
  const { root } = opened(ready);
  const head = file.heads.find((/** @type {any} */ one) => one.layer === 2 && one.head === 3);
  assert.equal(root.querySelectorAll(".dossier-numbers tbody tr").length, file.measures.length);
  assert.match(root.querySelector(".dossier-numbers").textContent, /none: the masks block/);
  assert.equal(root.querySelectorAll(".dossier-distances li").length, head.distances.length);
  assert.equal(root.querySelectorAll(".dossier-like button").length, 4);
});

test("an example opens with its text and its row, without edits", () => {
  const { store, root } = opened(ready);
  const head = file.heads.find((/** @type {any} */ one) => one.layer === 2 && one.head === 3);
  const [first] = head.top_examples;
  root.querySelector(".dossier-examples button").click();
  const text = file.texts.find((/** @type {any} */ one) => one.number === first.text).text;
  assert.deepEqual(store.state.texts, [text]);
  assert.deepEqual([store.state.query, store.state.muted], [first.query, []]);
});

test("a head like it is selected", () => {
  const { store, root } = opened(ready);
  const head = file.heads.find((/** @type {any} */ one) => one.layer === 2 && one.head === 3);
  root.querySelector(".dossier-like button").click();
  assert.deepEqual([store.state.layer, store.state.head], [head.like[0].layer, head.like[0].head]);
});

test("an axis is chosen, and stays in the state", () => {
  const { store, root } = opened(ready);
  const [, across] = root.querySelectorAll("select");
  across.value = "layer";
  across.dispatchEvent(new document.defaultView.Event("change"));
  assert.equal(store.state.across, "layer");
  assert.match(current(root).getAttribute("aria-label"), /: layer 2, copying/);
});

test("where there is no dossier, the page says how to make one", () => {
  const message = "There is no dossier of shipped. To make one, run `headlight dossier`.";
  const problem = { message, retry: false };
  const { root } = opened({ model: "shipped", status: "error", answer: null, problem });
  const summary = root.querySelector(".summary");
  assert.equal(summary.textContent, message.replaceAll("`", ""));
  assert.equal(summary.querySelector("code").textContent, "headlight dossier"); // without backticks
  assert.ok(root.querySelector(".dossier-body").hidden);
});

test("it is asked for when the view opens, once for each model", async () => {
  /** @type {string[]} */
  const asked = [];
  const store = new Store({
    model: "shipped",
    models: [shipped],
    view: "heatmap",
    corpus: null,
  });
  const again = asking(store, async (model) => {
    asked.push(model);
    if (asked.length === 1) throw new ApiError("busy", { retry: true });
    return asked.length === 2 ? file : null;
  });
  assert.deepEqual(asked, []);
  store.update({ view: "dossier" });
  await new Promise(setImmediate);
  assert.deepEqual(store.state.corpus.problem, { message: "busy", retry: true });
  again();
  await new Promise(setImmediate);
  assert.equal(store.state.corpus.answer, file);
  store.update({ view: "heatmap" });
  store.update({ view: "dossier" });
  assert.equal(asked.length, 2);
  again();
  await new Promise(setImmediate);
  assert.match(store.state.corpus.problem.message, /^Only a Headlight server/);
});

test("its table and its picture are saved", async () => {
  const { store } = opened(ready);
  const lines = (await save.csv(store.state)).trim().split("\n");
  assert.equal(lines.length, 25);
  assert.match(lines[0], /^"kind","layer","head","label","previous_token","previous_token_low"/);
  const scene = await save.scene?.(store.state, { scheme: "light", bare: false });
  assert.match(JSON.stringify(scene), /2\.3/);
  await assert.rejects(save.file(store.state, "application/safetensors"), /JSON or CSV/);
  const blob = await save.file(store.state, "application/json");
  assert.deepEqual(JSON.parse(await blob.text()), file);
});
