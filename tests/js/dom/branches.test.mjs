import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { bert, shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

globalThis.ResizeObserver = /** @type {any} */ (
  class {
    observe() {}
  }
);

const { panelElement } = await import("../../../static/js/page/mounts.js");
const { branches, save } = await import("../../../static/js/panels/branches/branches.js");
const { branchesRequest } = await import("../../../static/js/panels/branches/request.js");

/** @param {string} text @param {number} id @param {number} start @param {object} [more] */
const token = (text, id, start, more) => ({
  id,
  text,
  start,
  end: start + text.length,
  special: false,
  padding: false,
  segment: 0,
  ...more,
});
const ROW = [
  token("[BOS]", 0, 0, { special: true, end: 0 }),
  token("The", 1, 0),
  token(" dog", 2, 3),
  token(" ran", 3, 7),
];
/** @param {string} text @param {number} id @param {number} probability */
const candidate = (text, id, probability) => ({ text, id, probability });
const FOUND = [
  {
    token: candidate(" ran", 3, 0.5),
    special: false,
    follows: [candidate(" home", 5, 0.5), candidate(".", 6, 0.8)],
    ended: false,
  },
  {
    token: candidate(" barks", 4, 0.25),
    special: false,
    follows: [candidate("\n", 10, 0.9), candidate("<end>", 9, 0.9)],
    ended: true,
  },
  { token: candidate("<end>", 9, 0.01), special: true, follows: [], ended: true },
  {
    token: candidate(" a", 7, 0.01),
    special: false,
    follows: [candidate("\ufffd", 8, 0.5)],
    ended: false,
  },
];

/** @param {object} [more] of the state */
function panel(more) {
  page("#predictions");
  const trace = {
    model: "shipped",
    tokens: [ROW],
    target_tokens: null,
    branches: [{ position: 2, branches: FOUND }],
  };
  const store = new Store({
    model: "shipped",
    models: [shipped, bert],
    texts: ["The dog ran"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    interventions: [],
    kind: "self",
    layer: 0,
    head: 0,
    query: 2,
    shown: 0,
    right: "branches",
    view: "heatmap",
    against: null,
    branches: { status: "ready", problem: null, answer: { trace } },
    past: [],
    ...more,
  });
  branches(panelElement("branches"), store, () => {});
  return store;
}
const said = () => document.querySelector("#branches-panel .summary").textContent;
const lines = () => texts(".branches .branch");

test("each branch is a line, and a press writes it into the sentence", () => {
  const store = panel();
  assert.equal(said(), "After “dog” the model would say:");
  assert.deepEqual(lines(), ["ran home.", "barks↵ (ends here)", "<end> (ends here)", "a�"]);
  assert.deepEqual(texts(".branches .number"), ["50.0%", "25.0%", "1.0%", "1.0%"]);
  assert.deepEqual(texts(".branches .typed .branch"), ["ran home."]); // so the sentence goes on
  click(".branches li:nth-child(2) .branch");
  assert.deepEqual(store.state.texts, ["The dog barks\n"]); // the sign is for the eye alone
  assert.equal(store.state.query, null);
});

test("what cannot be typed says why, and does nothing", () => {
  const store = panel();
  for (const n of [3, 4]) {
    const [branch, beside] = document.querySelectorAll(`.branches li:nth-child(${n}) button`);
    assert.match(branch.title, n === 3 ? /special token/ : /part of a character/);
    assert.equal(branch.getAttribute("aria-disabled"), "true");
    assert.equal(beside.disabled, true);
    branch.click();
  }
  assert.deepEqual(store.state.texts, ["The dog ran"]);
});

test("two branches are compared, and the branches stay", () => {
  const store = panel();
  const beside = (/** @type {number} */ n) => `.branches li:nth-child(${n}) button:last-child`;
  click(beside(1));
  assert.equal(document.querySelector(beside(1)).getAttribute("aria-pressed"), "true");
  assert.match(texts("#branches-panel .source")[0], /another branch/);
  click(beside(1)); // taken back
  assert.equal(document.querySelector(beside(1)).getAttribute("aria-pressed"), "false");
  click(beside(1));
  click(beside(2));
  const { view, against, texts: now, query } = store.state;
  assert.deepEqual(
    [view, against.texts, now, query],
    ["compare", ["The dog ran home."], ["The dog barks\n"], 2],
  );
});

test("it says why there are no branches", () => {
  panel({ branches: null });
  assert.equal(said(), "Following the five likeliest tokens …");
  panel({ branches: { status: "error", problem: { message: "No.", retry: true }, answer: null } });
  assert.equal(said(), "No.");
  panel({ model: "bert", branches: null });
  assert.equal(said(), "This model fills gaps; it does not continue a text.");
  panel({ models: [{ ...shipped, predicts: "class" }], branches: null });
  assert.equal(said(), "This model tells classes of texts apart; it does not continue a text.");
});

test("it asks only models that continue a text, at the selected token", () => {
  const { state } = panel();
  const asked = branchesRequest(state, shipped);
  assert.deepEqual(asked.analyse, { branches: { top_k: 5, n_tokens: 10, position: 2 } });
  assert.equal(branchesRequest(state, bert), null);
});

test("it is saved as a table of tokens, and as a picture", () => {
  const { state } = panel();
  const rows = save
    .csv(state)
    .trim()
    .split(/\r?\n(?=\d)/u);
  assert.equal(rows[0], '"branch","token","id","text","probability"');
  assert.equal(rows.length, 1 + 3 + 3 + 1 + 2);
  assert.match(rows[2], /^0,1,5,".*home",0\.5$/);
});
