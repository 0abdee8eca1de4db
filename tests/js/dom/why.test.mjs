// Why here as a reader uses it: parts are switched off by a click, numbers are read by key, and the row follows.

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { asked, selected } from "../explaining.mjs";
import { click, document, page, press, texts } from "./dom.mjs";

globalThis.ResizeObserver ??= class {
  observe() {}
};
const { why } = await import("../../../static/js/views/why/why.js");

const EMBEDDING = { kind: "embedding", layer: null, site: null, head: null };
const HEAD = { kind: "head", layer: 0, site: "layers.0", head: 2 };
const NORM = { kind: "norm", layer: 1, site: "layers.1", head: null };
const TABLE = {
  text: 0,
  site: "layers.1",
  layer: 1,
  head: 2,
  query: 2,
  key: 0,
  score: 4,
  query_parts: [EMBEDDING, HEAD, NORM],
  key_parts: [EMBEDDING, HEAD],
  values: [
    [0.25, 0.5],
    [2.5, -0.75],
    [1, 0.5],
  ],
  soft_cap: null,
  bias: null,
  remainder: 0,
  scores: [4, 2, 0, 0, 0],
  pattern: [0.9, 0.08, 0.02, 0, 0],
  switched: null,
};
const SWITCHED = {
  score: 1,
  scores: [1, 2, 0, 0, 0],
  pattern: [0.2, 0.7, 0.1, 0, 0],
  head_pattern: null,
};
const answered = (/** @type {object} */ more = {}) =>
  asked({ target_tokens: null, cell: [{ ...TABLE, ...more }] });

/** @param {object} [more] of the state @param {() => void} [retry] */
async function mounted(more, retry = () => {}) {
  page();
  document.body.replaceChildren(document.createElement("div"));
  const root = /** @type {HTMLElement} */ (document.body.firstChild);
  const seen = { view: "why", query: 2, off: [], scheme: "light", why: answered() };
  const store = new Store(selected({ ...seen, ...more }));
  const view = why(root, store, { retry });
  await view.drawn();
  const update = async (/** @type {object} */ change) => {
    store.update(change);
    await view.drawn();
  };
  return { root, store, view, update };
}
const head = (/** @type {string} */ side, /** @type {number} */ part) =>
  document.querySelector(`.why-matrix button[data-side="${side}"][data-part="${part}"]`);

test("the score is told in words, and every number stands in the table", async () => {
  await mounted();
  const [said] = texts(".why-said");
  assert.match(said, /^In this head, “keys” gives “\[BOS\]” the score 4\.00/);
  assert.match(
    said,
    /comes from what layer 0, head 2 wrote at “keys” meeting the embedding of “\[BOS\]”/,
  );
  const rows = [...document.querySelectorAll(".why-matrix tbody tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  assert.deepEqual(rows, [
    ["Embedding", "0.25", "0.50", "0.75"],
    ["Layer 0, head 2", "2.50", "−0.75", "1.75"],
    ["Bias of the norm", "1.00", "0.50", "1.50"],
  ]);
  assert.deepEqual(texts(".why-totals td"), ["4.0000", "0.0000", "4.0000"]);
  assert.equal(document.querySelector(".why-matrix").getAttribute("role"), "grid");
});

test("a click on a part switches it off, in its place or on both sides", async () => {
  const { store } = await mounted();
  head("query", 1).click();
  assert.deepEqual(store.state.off, ["q_head_0_layers.0_2"]);
  head("query", 1).click();
  assert.deepEqual(store.state.off, []);
  head("key", 0).dispatchEvent(
    new document.defaultView.MouseEvent("click", { bubbles: true, shiftKey: true }),
  );
  assert.deepEqual(store.state.off, ["q_embedding", "k_embedding"]);
  document.querySelector('.why-sides input[value="both"]').checked = true;
  head("query", 2).click(); // keys have no such part
  assert.deepEqual(store.state.off.at(-1), "q_norm_1_layers.1");
});

test("what is off is marked, and the row is drawn before and after", async () => {
  const { store, update } = await mounted();
  assert.deepEqual(texts(".why-row tbody tr:first-child td"), ["4.00", "90.0%"]);
  assert.ok(document.querySelector(".why-controls > button").hidden);
  await update({ off: ["q_head_0_layers.0_2"], why: answered({ switched: SWITCHED }) });
  assert.equal(head("query", 1).getAttribute("aria-pressed"), "true");
  assert.equal(document.querySelectorAll(".why-matrix td.why-off").length, 3);
  assert.deepEqual(texts(".why-row tbody tr:first-child td"), ["4.00", "90.0%", "1.00", "20.0%"]);
  assert.match(texts(".why-change")[0], /^Without this part, “keys” gives “\[BOS\]” 20\.0%/);
  click("button", "Switch all parts on");
  assert.deepEqual(store.state.off, []);
});

test("arrow keys move between the numbers, which are read in words", async () => {
  await mounted();
  document.querySelector('.why-matrix [tabindex="0"]').focus();
  press("ArrowDown");
  assert.match(texts(".why-entry")[0], /^\+2\.5000: what layer 0, head 2 wrote/);
  press("ArrowLeft");
  assert.equal(document.activeElement, head("query", 1));
  assert.equal(document.querySelectorAll('.why-matrix [tabindex="0"]').length, 1);
});

test("another key is chosen in the list or in the row", async () => {
  const { store } = await mounted();
  document.querySelector('.why-row button[data-key="1"]').click();
  assert.equal(store.state.key, 1);
  const [queries, keys] = document.querySelectorAll(".why-controls select");
  assert.deepEqual([queries.value, keys.value, keys.options.length], ["2", "0", 5]);
  queries.value = "4";
  queries.dispatchEvent(new document.defaultView.Event("change"));
  assert.deepEqual([store.state.query, store.state.key], [4, null]);
});

test("the last table stays while the next is on its way, and a refusal is told in words", async () => {
  let again = 0;
  const { root, update } = await mounted({}, () => {
    again += 1;
  });
  await update({ why: { ...answered(), status: "loading" } });
  assert.equal(root.getAttribute("aria-busy"), "true");
  assert.ok(document.querySelector(".why-matrix"));
  const problem = { message: "The stream was not recorded.", retry: true };
  await update({ why: { status: "error", answer: null, problem } });
  assert.deepEqual(texts(".why-problem"), ["The stream was not recorded."]);
  assert.ok(document.querySelector(".why-body").hidden);
  assert.equal(document.querySelector(".why-controls").hidden, false); // another cell may do
  click("button", "Try again");
  assert.equal(again, 1);
});

test("without any table there is nothing to choose, only what is wrong", async () => {
  const problem = { message: "This needs a server.", retry: false };
  const { update } = await mounted({ why: { status: "error", answer: null, problem } });
  assert.deepEqual(texts(".why-problem"), ["This needs a server."]);
  assert.ok(document.querySelector(".why-controls").hidden);
  await update({ why: answered() });
  assert.equal(document.querySelector(".why-controls").hidden, false);
});

test("a refused text leaves no empty controls, and a reason is not an alarm", async () => {
  const { root, update, view } = await mounted({ why: null, detail: null, status: "error" });
  assert.ok(document.querySelector(".why-controls").hidden);
  assert.ok(document.querySelector(".why-body").hidden);
  const problem = { message: "This needs a server.", retry: false };
  await update({ status: "ready", why: { status: "error", answer: null, problem } });
  assert.equal(root.querySelector('.problem, [role="alert"]'), null);
  assert.equal(view.scene(), null);
});

test("a picture that no longer holds is not saved", async () => {
  const { view, update } = await mounted();
  assert.ok(view.scene());
  const problem = { message: "This needs a server.", retry: false };
  await update({ why: { status: "error", answer: null, problem } });
  assert.equal(view.scene(), null);
});

test("a remainder that is not rounding is told", async () => {
  await mounted({ why: answered({ remainder: 0.5 }) });
  assert.match(texts(".why-sums p")[0], /^The parts do not sum to the score: 0\.5 is missing/);
});
