import assert from "node:assert/strict";
import test from "node:test";
import { fromQuery, toQuery } from "../../static/js/url.js";

const models = [
  { name: "shipped", n_layers: 3, n_heads: 8 },
  { name: "other", n_layers: 2, n_heads: 5 },
];
const example = { texts: ["An example."], layer: 2, head: 7, query: 3 };

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
  matrix: "rollout",
  find: "same_token",
  by: "sentence",
  least: 0.35,
  left: "find",
  right: "effects",
};

test("a link gives back exactly the choice that made it", () => {
  assert.deepEqual(read(toQuery(choice, models)), choice);
});

test("what is at its default stays out of the link", () => {
  const fresh = read("?text=a");
  assert.equal(toQuery(fresh, models), "?text=a&layer=0&head=0");
});

test("an example made for another model still fits this one", () => {
  const { layer, head } = read("?model=other");
  assert.deepEqual([layer, head], [1, 4]);
});

test("a fresh page shows the example at its head", () => {
  const { texts, layer, head, masks, query } = read("");
  assert.deepEqual([texts, layer, head, query], [["An example."], 2, 7, 3]);
  assert.deepEqual(masks, { causal: null, padding: true, padding_side: "right", window: null });
});

test("an emptied sentence stays empty", () => {
  assert.deepEqual(read("?text=").texts, [""]);
});

test("what does not fit the model falls back, and nothing throws", () => {
  const search =
    "?text=a&model=nowhere&layer=9&head=-1&window=0&query=1e3&shown=7&muted=9.9&muted=x&muted=&causal=maybe&matrix=%00" +
    "&find=entropy&by=me&least=1.5&left=right&right=left";
  const { model, layer, head, masks, query, shown, muted, matrix, ...rest } = read(search);
  assert.deepEqual([model, layer, head, query, shown, muted], ["shipped", 0, 0, null, 0, []]);
  assert.deepEqual([masks.window, masks.causal, matrix], [null, null, "pattern"]);
  const { find, by, least, left, right } = rest;
  assert.deepEqual([find, by, least, left, right], [null, "probe", 0, "row", "next"]);
});

test("the filter is a share with two decimals", () => {
  for (const [text, least] of Object.entries({
    0.35: 0.35,
    0.349: 0.35,
    1: 1,
    "-0.2": 0,
    x: 0,
    "1e9": 0,
  }))
    assert.equal(read(`?least=${text}`).least, least, text);
});

test("more texts than the server takes are cut", () => {
  assert.equal(read("?text=1&text=2&text=3&text=4&text=5").texts.length, 4);
});

test("a link to a model that is still being loaded keeps its head", () => {
  const unknown = [{ name: "shipped", n_layers: null, n_heads: null }];
  const linked = fromQuery("?text=a&layer=2&head=5&muted=1.3", unknown, example, 4);
  assert.deepEqual([linked.layer, linked.head, linked.muted], [2, 5, [[1, 3]]]);
  const fresh = fromQuery("", unknown, example, 4);
  assert.deepEqual([fresh.layer, fresh.head], [example.layer, example.head]);
});
