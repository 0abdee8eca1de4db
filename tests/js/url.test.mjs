import assert from "node:assert/strict";
import test from "node:test";
import { fromQuery, toQuery } from "../../static/js/url.js";

const models = [
  { name: "shipped", n_layers: 3, n_heads: 8 },
  { name: "other", n_layers: 2, n_heads: 5 },
];
const example = { text: "An example.", layer: 1, head: 7, query: 3 };

/** @param {string} search */
const read = (search) => fromQuery(search, models, example, 4);

const choice = {
  model: "other",
  texts: ["a & b?", "", "naïve 🙂"],
  masks: { causal: false, padding: false, padding_side: "left", window: 3 },
  muted: [
    [0, 2],
    [1, 4],
  ],
  layer: 1,
  head: 4,
  shown: 2,
  query: 5,
  matrix: "scores",
};

test("a link gives back exactly the choice that made it", () => {
  assert.deepEqual(read(toQuery(choice, models)), choice);
});

test("a fresh page shows the example at its head", () => {
  const { texts, layer, head, masks, query } = read("");
  assert.deepEqual([texts, layer, head, query], [["An example."], 1, 7, 3]);
  assert.deepEqual(masks, { causal: null, padding: true, padding_side: "right", window: null });
});

test("an emptied sentence stays empty", () => {
  assert.deepEqual(read("?text=").texts, [""]);
});

test("what does not fit the model falls back, and nothing throws", () => {
  const search =
    "?text=a&model=nowhere&layer=9&head=-1&window=0&query=1e3&shown=7&muted=9.9&muted=x&muted=&causal=maybe&matrix=%00";
  const { model, layer, head, masks, query, shown, muted, matrix } = read(search);
  assert.deepEqual([model, layer, head, query, shown, muted], ["shipped", 0, 0, null, 0, []]);
  assert.deepEqual([masks.window, masks.causal, matrix], [null, null, "pattern"]);
});

test("more texts than the server takes are cut", () => {
  assert.equal(read("?text=1&text=2&text=3&text=4&text=5").texts.length, 4);
});
