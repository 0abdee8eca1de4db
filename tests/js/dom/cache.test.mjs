// The tab Cache: what is new, kept, thrown away and to come while a text is written.

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { click, document, texts } from "./dom.mjs";

const CACHE = await import("../../../static/js/panels/cache/cache.js");
const { writingOf } = await import("../../../static/js/panels/cache/steps.js");

const WORDS = ["the", "cat", "sat", "on", "mats"];
const RAN = {
  mechanism: "multi-head",
  n_layers: 1,
  n_heads: 2,
  d_head: 4,
  n_kv_heads: null,
  d_latent: null,
  kernel: "exp",
  minus: null,
};

/** A text of which each word sees the last `seen` words, and itself. @param {object} [ran] @param {number} [seen] @param {number} [ahead] */
function stateOf(ran = {}, seen = 9, ahead = 0) {
  const n = WORDS.length;
  const bits = Uint8Array.from({ length: n * n }, (_, at) => {
    const [query, key] = [Math.floor(at / n), at % n];
    return Number(key > query + ahead || query - key >= seen);
  });
  const shape = [1, 1, n, n];
  return /** @type {any} */ ({
    model: "scratch",
    models: [{ name: "scratch", state: "ready", mechanisms: [{}] }],
    right: "cache",
    shown: 0,
    query: 3,
    segments: null,
    next: null,
    detail: {
      trace: {
        model: "scratch",
        scratch: { ...RAN, ...ran },
        tokens: [WORDS.map((text, id) => ({ id, text, special: false, padding: false }))],
        target_tokens: null,
        sites: [
          {
            name: "layers.0",
            heads: [0],
            query_tokens: "tokens",
            key_tokens: "tokens",
            kind: "self",
          },
        ],
      },
      tensors: new Map([
        ["layers.0.pattern", { shape, data: new Float32Array(n * n) }],
        ["layers.0.blocked_by", { shape, data: bits }],
      ]),
    },
  });
}

/** @param {any} state */
function opened(state) {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const store = new Store(state);
  CACHE.make(root, store, /** @type {any} */ ({}));
  return { root, store };
}

test("each token is new, kept or to come, and what it takes is counted", () => {
  const { steps, at } = writingOf(stateOf());
  assert.equal(at, 3);
  assert.deepEqual(steps[3].statuses, ["kept", "kept", "kept", "new", "later"]);
  assert.deepEqual(
    steps.map(({ kept, numbers, whole }) => [kept, numbers, whole]),
    [1, 2, 3, 4, 5].map((n) => [n, 16 * n, 16 * n]), // a key and a value of 2 heads of 4 channels
  );
});

test("what no later token sees is thrown away", () => {
  const { steps } = writingOf(stateOf({}, 2));
  assert.deepEqual(steps[3].statuses, ["gone", "gone", "kept", "new", "later"]);
  assert.deepEqual(
    steps.map(({ kept }) => kept),
    [1, 2, 2, 2, 2],
  );
  const { root } = opened(stateOf({}, 2));
  assert.match(root.textContent, /2 tokens can be thrown away: no later token sees them\./);
  assert.match(root.textContent, /would be computed again .*: 10 times so far, in place of 4\./);
});

test("shared, compressed and summed keys and values take less", () => {
  const last = (/** @type {object} */ ran) => writingOf(stateOf(ran)).steps[4].numbers;
  assert.equal(last({ n_kv_heads: 1 }), 5 * 8);
  assert.equal(last({ d_latent: 3 }), 5 * 3);
  assert.equal(last({ minus: 0.8 }), 5 * 12);
  const linear = writingOf(stateOf({ kernel: "linear" }));
  assert.deepEqual(linear.steps[3].statuses, ["summed", "summed", "summed", "new", "later"]);
  assert.deepEqual(new Set(linear.steps.map(({ numbers }) => numbers)), new Set([2 * (16 + 4)]));
  assert.match(
    opened(stateOf({ kernel: "linear" })).root.textContent,
    /however long the text gets/,
  );
});

test("sums stand in for what every later token sees, and for no less", () => {
  const { steps, sums } = writingOf(stateOf({ kernel: "linear" }, 2));
  assert.equal(sums, null);
  assert.deepEqual(steps[3].statuses, ["gone", "gone", "kept", "new", "later"]);
  assert.equal(steps[4].numbers, 2 * 16);
});

test("padding is not written", () => {
  const state = stateOf();
  const [tokens] = state.detail.trace.tokens;
  tokens[0] = { ...tokens[0], padding: true };
  const { tokens: written, places, at } = writingOf(state);
  assert.deepEqual([written, places, at], [WORDS.slice(1), [1, 2, 3, 4], 2]);
});

test("where all tokens share a softmax, nothing can be kept", () => {
  for (const change of [{ softmax_over: "query" }, { mask_applied: "after" }])
    assert.match(
      opened(stateOf(change)).root.textContent,
      /takes part in the softmax of those before/,
    );
});

test("where tokens look ahead, nothing can be kept, and the panel says so", () => {
  const { root } = opened(stateOf({}, 9, 1));
  assert.match(root.textContent, /nothing can be kept\. Switch the causal mask on\./);
  assert.ok(root.querySelector(".cache-tokens").hidden);
  assert.throws(() => CACHE.save.csv(stateOf({}, 9, 1)), /nothing can be kept/);
});

test("the film goes from token to token with the row of the picture, and stops at the end", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { root, store } = opened(stateOf({}, 3));
  assert.deepEqual(texts(".cache-tokens .new"), ["on"]);
  click("button", "Play");
  t.mock.timers.tick(900);
  assert.equal(store.state.query, 4);
  assert.deepEqual(texts(".cache-tokens .gone"), ["the", "cat"]);
  t.mock.timers.tick(900);
  assert.equal(root.querySelector("button").textContent, "Play", "it has ended");
  click("button", "Play");
  assert.equal(store.state.query, 0, "and begins again");
  const slider = root.querySelector("input");
  slider.value = "2";
  slider.dispatchEvent(new document.defaultView.Event("input"));
  assert.equal(store.state.query, 2);
  assert.equal(slider.getAttribute("aria-valuetext"), "sat");
});

test("what is kept after each token is saved as a table", () => {
  const rows = CACHE.save
    .csv(stateOf({ n_kv_heads: 1 }, 2))
    .trim()
    .split(/\r?\n/);
  assert.equal(rows.length, 6);
  assert.equal(rows.at(-1), '4,"mats",2,16,80');
});
