import assert from "node:assert/strict";
import test from "node:test";
import { tellOtherWeights } from "../../../static/js/panels/missing/missing.js";
import { Store } from "../../../static/js/state/store.js";
import { linked, toQuery } from "../../../static/js/state/url.js";
import { scratch, other as small, shipped as unnamed, unloaded as unready } from "../models.mjs";

const HASH = "5e6f7a8b".padEnd(64, "0");
const shipped = { ...unnamed, weights: HASH };
const other = { ...small, weights: "0123abcd".padEnd(64, "f") };
const unloaded = unready("late");
const some = [shipped, other, unloaded, scratch];
const example = { texts: ["An example."], layer: 2, head: 7, query: 3 };

/** What the page says about a link, and its store. @param {string} search @param {any[]} [models] */
function opened(search, models = some) {
  const { choice, missing } = linked(search, models, example, 4);
  const store = new Store(/** @type {any} */ ({ ...choice, missing, models }));
  /** @type {string[]} */
  const said = [];
  tellOtherWeights(store, (words) => said.push(words));
  return { store, said };
}

const WORDS =
  "This link was made with other weights of shipped (1a2b3c4d; here they are 5e6f7a8b), so numbers may differ.";

test("a link that is passed on says which weights it was made with; the address bar does not", () => {
  for (const [search, short] of [
    ["?text=a&layer=0&head=0", "5e6f7a8b"],
    ["?model=other&text=a&layer=0&head=0", "0123abcd"],
  ]) {
    const { choice } = linked(search, some, example, 4);
    assert.equal(toQuery(choice, some), search);
    const link = toQuery(choice, some, { shared: true });
    assert.equal(link, `${search}&weights=${short}`);
    assert.deepEqual(opened(link).said, []);
  }
  const mechanism = linked("?model=scratch&text=a&layer=0&head=0", some, example, 4).choice;
  assert.ok(!toQuery(mechanism, some, { shared: true }).includes("weights"));
});

test("a link to a quiz names its weights inside", () => {
  const { choice } = linked("?text=a&layer=0&head=0&quiz=1", some, example, 4);
  const link = toQuery(choice, some, { shared: true });
  assert.match(link, /^\?quiz=[\w-]+$/);
  assert.deepEqual(opened(link).said, []);
  const newer = [{ ...shipped, weights: "9".repeat(64) }];
  assert.match(opened(link, newer).said[0], /\(5e6f7a8b; here they are 99999999\)/);
});

test("other weights are told once, and not of the model that is chosen next", () => {
  const { store, said } = opened("?text=a&layer=0&head=0&weights=1a2b3c4d");
  assert.deepEqual(said, [WORDS]);
  store.update({ models: [...store.state.models] });
  store.update({ model: "other" });
  assert.deepEqual(said, [WORDS]);
  // as a saved view that is opened does, or a slide
  store.update({ model: "shipped", weights: "1a2b3c4d" });
  assert.deepEqual(said, [WORDS, WORDS]);
});

test("a model that is not loaded is compared once it is, unless another one is chosen before", () => {
  const link = `?model=${unloaded.name}&text=a&layer=0&head=0&weights=1a2b3c4d`;
  const loaded = some.map((one) =>
    one.name === unloaded.name ? { ...unnamed, name: one.name, weights: HASH } : one,
  );
  const { store, said } = opened(link);
  assert.deepEqual(said, []);
  store.update({ models: /** @type {any} */ (loaded) });
  assert.deepEqual(said, [WORDS.replace("shipped", unloaded.name)]);
  const left = opened(link);
  left.store.update({ model: "shipped" });
  left.store.update({ models: /** @type {any} */ (loaded) });
  assert.deepEqual(left.said, []);
});

test("nothing is told where there is nothing to compare", () => {
  const recorded = [{ ...shipped, recorded: { texts: ["a"] } }];
  for (const [search, models] of [
    ["?text=a&weights=nonsense", some],
    ["?model=nowhere&text=a&weights=1a2b3c4d", some],
    ["?model=scratch&text=a&weights=1a2b3c4d", some],
    ["?text=a&weights=1a2b3c4d", [unnamed]], // a server that does not say
    ["?text=a&weights=1a2b3c4d", recorded],
  ]) {
    assert.deepEqual(
      opened(/** @type {string} */ (search), /** @type {any[]} */ (models)).said,
      [],
    );
  }
});
