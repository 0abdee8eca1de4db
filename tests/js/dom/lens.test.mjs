import assert from "node:assert/strict";
import test from "node:test";
import { make as makeLens } from "../../../static/js/panels/lens/lens.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { panelElement } = await import("../../../static/js/page/mounts.js");

/** @param {string} text @param {object} [more] */
const token = (text, more) => ({ id: 7, text, special: false, padding: false, ...more });
const ROW = [token("[BOS]", { special: true }), token("the"), token(" dogs")];
const candidate = (/** @type {string} */ text, probability = 0.5) => ({ id: 1, text, probability });
const STAGES = [null, 0, 1].map((layer) => ({
  name: layer === null ? "embedding" : `layers.${layer}`,
  layer,
  candidates: [candidate(layer === 1 ? "are" : "the")],
  final: candidate("are", 0.1),
}));
const matrix = (/** @type {number} */ value) => ({
  dtype: "F32",
  shape: [1, 1, 3, 3],
  data: new Float32Array(9).fill(value),
});
const DETAIL = {
  trace: {
    model: "shipped",
    tokens: [ROW],
    predicted_at: [2],
    sites: [
      { name: "layers.0", layer: 0, heads: [0], query_tokens: "tokens", key_tokens: "tokens" },
    ],
  },
  tensors: new Map([
    ["layers.0.pattern", matrix(0.3)],
    ["layers.0.blocked_by", matrix(0)],
  ]),
};

/** @param {object} trace */
const answered = (trace) => ({
  status: "ready",
  problem: null,
  answer: { trace: { model: "shipped", tokens: [ROW], ...trace } },
});
const DECIDED = {
  last_stage: 2,
  positions: [0, 1, 2],
  predictions: [candidate("the"), candidate("dogs"), candidate("are", 0.25)],
  logit: { stages: [2, 2, 1], held_out: [3, 1.25, 0] },
  tuned: { stages: [0, 1, 1], held_out: [1.5, 12.4, 0] },
  fitted_on: "other sentences",
};

/** @param {object} [more] of the state */
function panel(more) {
  page("#predictions");
  const store = new Store({
    model: "shipped",
    models: [shipped],
    shown: 0,
    kind: "self",
    layer: 0,
    head: 0,
    query: null,
    segments: "all",
    lacks: {},
    right: "lens",
    tuned: false,
    detail: DETAIL,
    next: null,
    lens: answered({ lens: [{ position: 2, stages: STAGES }] }),
    decided: answered({ decided: [DECIDED], lens: [{ position: 2, stages: STAGES.slice(1) }] }),
    ...more,
  });
  makeLens(panelElement("lens"), store, /** @type {any} */ ({}));
  return store;
}
const shares = () =>
  [...document.querySelectorAll(".decided button")].map((one) =>
    one.style.getPropertyValue("--share"),
  );
const about = () => texts("#lens-panel .source").at(-1);
const plain = () => texts("#lens-panel .lens-note")[0];

test("each token says after how many layers its prediction was decided, by the lens that is chosen", () => {
  const store = panel();
  assert.deepEqual(texts(".decided button"), ["[BOS]1", "the1", "dogs0"]);
  assert.deepEqual(shares(), ["1", "1", "0.5"]);
  assert.deepEqual(texts(".decided-scale > span:first-child, .decided-scale span span"), [
    "The layer that decided each prediction",
    "embedding",
    "layer 1",
  ]);
  assert.match(about(), /nostalgebraist/);
  click("#lens-panel [role=group] button", "Tuned lens");
  assert.equal(store.state.tuned, true);
  assert.deepEqual(texts(".decided button"), ["[BOS]emb.", "the0", "dogs0"]);
  assert.equal(texts(".lens > li").length, 2); // the stages come with the other answer
  assert.match(about(), /least squares found on other sentences/);
  assert.match(plain(), /^Translates each layer/);
});

test("each stage says how far it is from the model on other texts, once that was measured", () => {
  const store = panel();
  const far = () => texts(".lens .meter + .faint");
  assert.deepEqual(far(), ["3.0 nats", "1.3 nats", "0.0 nats"]);
  assert.match(plain(), /nearer to the model at 1 of 2 stages\.$/);
  store.update({ tuned: true });
  assert.deepEqual(far(), ["1.5 nats", "12 nats"]);
  const unmeasured = { ...DECIDED, tuned: null, logit: { stages: [2, 2, 1], held_out: null } };
  store.update({ tuned: false, decided: answered({ decided: [unmeasured] }) });
  assert.deepEqual(far(), []);
  assert.equal(plain(), "Reads each layer as if it were the last.");
});

test("a press reads that token, and says what is predicted there", () => {
  const store = panel();
  const [, one, read] = document.querySelectorAll(".decided button");
  assert.equal(one.getAttribute("aria-label"), "After “the”: “dogs” (50.0%), from layer 1 on");
  assert.equal(read.getAttribute("aria-pressed"), "true");
  assert.deepEqual(
    [...document.querySelectorAll(".decided button")].map(({ tabIndex }) => tabIndex),
    [-1, -1, 0],
  );
  click(".decided button", "the1");
  assert.equal(store.state.query, 1);
});

test("what could not be answered says why, in place of the stages", () => {
  const problem = { message: "It can have no tuned lens: too large.", retry: false };
  const store = panel();
  store.update({ tuned: true, decided: { status: "error", answer: null, problem } });
  assert.equal(document.querySelector("#lens-panel .summary").textContent, problem.message);
  assert.equal(document.querySelector(".lens").hidden, true);
  assert.equal(document.querySelector(".decided").hidden, true);
  click("#lens-panel [role=group] button");
  assert.equal(document.querySelector(".lens").hidden, false);
});

test("before the first answer there is no scale, and no strip", () => {
  panel({ detail: null, lens: null, decided: null });
  for (const part of [".decided", ".decided-scale", ".lens-note:not(:first-of-type)"]) {
    assert.equal(document.querySelector(`#lens-panel ${part}`).hidden, true, part);
  }
});
