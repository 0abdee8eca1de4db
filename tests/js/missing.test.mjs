import assert from "node:assert/strict";
import test from "node:test";
import { headMissing, lostInWords } from "../../static/js/panels/missing/words.js";
import { fitting } from "../../static/js/state/fitting/fitting.js";
import { Store } from "../../static/js/state/store.js";
import { linked } from "../../static/js/state/url.js";
import { bert, bloom, jamba, other, scratch, shipped, t5, unloaded } from "./models.mjs";

const models = [shipped, other, t5, bert, bloom, scratch];
const example = { texts: ["An example."], layer: 2, head: 7, query: 3 };
/** @param {string} search */
const open = (search, some = models) => linked(search, some, example, 4);
/** @param {string} search */
const lost = (search) => {
  const { lost: one } = open(search);
  return one && lostInWords(one);
};

test("a link to an unknown model is missing, with all that it asks for", () => {
  const { missing, choice, lost: none } = open("?model=foo&text=a&layer=9&head=2&muted=8.8");
  assert.equal(missing?.model, "foo");
  assert.deepEqual([missing?.asked.layer, missing?.asked.texts], [9, ["a"]]);
  assert.deepEqual([choice.layer, none], [2, null]);
});

test("a link to a layer without attention says which layers have it", () => {
  const some = [shipped, jamba];
  assert.equal(open("?model=jamba&text=a&layer=4&head=1", some).missing, null);
  const { missing } = open("?model=jamba&text=a&layer=2&head=1", some);
  assert.ok(missing);
  assert.equal(
    headMissing({ asked: missing.asked, model: jamba }),
    "This link asks for layer 2 head 1, but jamba has attention only in layers 1 and 4, with 2 heads each, both counted from 0.",
  );
});

test("a link to a head that its model does not have is missing; an example that is not of the link is not", () => {
  for (const search of [
    "?text=a&layer=3&head=0",
    "?text=a&layer=0&head=8",
    "?text=a&kind=cross&layer=0&head=0",
    "?model=t5&text=a&kind=encoder&layer=2&head=0",
    "?model=t5&text=a&layer=0&head=3", // of the encoder, which comes first
    "?model=scratch&scratch.n_heads=2&text=a&layer=0&head=2",
  ]) {
    const { missing } = open(search);
    assert.ok(missing, search);
    assert.equal(missing.model, null);
  }
  for (const search of [
    "",
    "?model=other",
    "?text=a&layer=2&head=7",
    "?model=t5&text=a&layer=1&head=2",
    "?model=scratch&text=a&layer=0&head=3",
    "?text=a&layer=x&head=-1",
  ]) {
    assert.equal(open(search).missing, null, search);
  }
});

test("a quiz does not say which edits another model drops", () => {
  const said = (/** @type {object} */ changes) => {
    const words = [];
    const { choice } = open("?text=a&layer=2&head=7&muted=2.7&causal=false");
    const store = new Store({ ...choice, ...changes, missing: null, models });
    fitting(store, (one) => words.push(lostInWords(one)));
    store.update({ model: "bert" });
    return words.join(" ");
  };
  assert.match(said({}), /mute/);
  assert.doesNotMatch(said({ quiz: true }), /mute|mask/);
  assert.match(said({ quiz: true }), /is shown/, "another head is not an answer");
});

test("until a model is loaded, nobody knows what it lacks; then the link is checked, once", () => {
  const { choice, missing } = open("?model=late&text=a&layer=9&head=2", [
    shipped,
    unloaded("late"),
  ]);
  assert.equal(missing, null);
  const store = new Store({ ...choice, missing, models: [shipped, unloaded("late")] });
  const said = [];
  fitting(store, (one) => said.push(lostInWords(one)));
  assert.equal(store.state.missing, null);
  const late = { ...other, name: "late" };
  store.update({ models: [shipped, late] });
  assert.equal(store.state.missing?.asked.layer, 9);
  assert.deepEqual([store.state.layer, store.state.head, said], [1, 2, []]);
  store.update({ missing: null });
  store.update({ models: [shipped, { ...late }] });
  assert.equal(store.state.missing, null);
});

test("what a link loses is said, and only that", () => {
  assert.equal(lost("?text=a&layer=1&head=2&muted=0.1"), null);
  assert.equal(
    lost("?text=a&layer=1&head=2&muted=9.9&muted=0.1"),
    "1 muted head does not exist in the model that comes with Headlight and was dropped.",
  );
  assert.equal(
    lost("?text=a&layer=1&head=2&muted=9.9&muted=0.8&block=0.9.1_2.1&overlay=7.7&overlay=0.0"),
    "2 muted heads do not exist in the model that comes with Headlight and were dropped. " +
      "1 painted place does not exist in the model that comes with Headlight and was dropped. " +
      "1 head of the set is not in the model that comes with Headlight and was dropped.",
  );
  assert.equal(
    lost("?model=t5&text=a&layer=1&head=2&muted=1.2&matrix=norms"), // in each kind
    null,
  );
  assert.equal(
    lost("?model=bloom&text=a&layer=1&head=1&muted=0.1&causal=false&matrix=scores"),
    "bloom supports neither masks nor mutes, so yours were dropped. " +
      "These heads of bloom have no matrix Scores, so the pattern is shown instead.",
  );
  assert.equal(lost("?model=bloom&text=a&layer=1&head=1&padding_side=left"), null);
  assert.equal(lost("?model=scratch"), null, "nobody asked for the head of the example");
});

test("a comparison with what is not there is dropped, and said", () => {
  const link = (/** @type {string} */ against) =>
    `?text=a&layer=1&head=2&view=compare&against=${encodeURIComponent(against)}`;
  assert.equal(
    lost(link("model=foo")),
    "The comparison was with the model “foo”, which this server does not have. It was dropped.",
  );
  assert.equal(
    lost(link("layer=9")),
    "The comparison was with layer 9 head 2 of Headlight small, which has no such head. It was dropped.",
  );
  assert.equal(open(link("layer=9")).choice.against, null);
  assert.equal(lost(link("model=other&layer=1&head=4")), null);
});

test("another model keeps what fits, and says what it dropped", () => {
  const { choice } = open("?text=a&layer=2&head=7&muted=1.4&muted=2.1&window=3&overlay=0.6");
  const store = new Store({ ...choice, missing: null, models });
  const said = [];
  fitting(store, (one) => said.push(lostInWords(one)));
  store.update({ model: "other" });
  const { layer, head, muted, masks, overlay } = store.state;
  assert.deepEqual([layer, head, muted, masks.window, overlay], [1, 4, [[1, 4]], 3, []]);
  assert.deepEqual(said, [
    "other has no layer 2 head 7, so layer 1 head 4 is shown instead. " +
      "1 muted head does not exist in the model other and was dropped. " +
      "1 head of the set is not in the model other and was dropped.",
  ]);
  store.update({ model: "t5", layer: 0, head: 0, muted: [] });
  assert.equal(said.length, 1); // the first kind of t5 is the encoder, as that of the others is theirs
  store.update({ kind: "cross" });
  store.update({ model: "shipped" });
  assert.equal(
    said[1],
    "Headlight small has no cross layer 0 head 0, so layer 0 head 0 is shown instead.",
  );
});
