import assert from "node:assert/strict";
import test from "node:test";
import { INITIAL } from "../../static/js/sources/sources.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { hushed } from "../../static/js/state/quiz.js";
import { fromQuery, inReadersLanguage, toQuery } from "../../static/js/state/url.js";
import { SETTINGS, VIEWS } from "../../static/js/state/views.js";
import { bert, bloom, other, shipped, t5, unloaded } from "./models.mjs";

const models = [shipped, other, t5, bert, bloom];
const example = { texts: ["An example."], layer: 2, head: 7, query: 3 };

/** @param {string} search */
const read = (search) => fromQuery(search, models, example, 4);

const choice = {
  ...INITIAL,
  model: "other",
  scratch: { mechanism: "multi-head" },
  texts: ["a & b?", "", "naïve 🙂"],
  targets: [],
  pairs: null,
  special_tokens: false,
  masks: {
    ...OWN_MASKS,
    causal: false,
    padding: false,
    padding_side: "left",
    window: 3,
    blocked: [],
    allowed: [],
  },
  muted: [
    [0, 2],
    [1, 4],
  ],
  interventions: [
    { kind: "scale", at: "head", layer: 1, head: 0, positions: [2], factor: 0.5 },
    { kind: "patch", at: "resid_pre", layer: 0, source: "Another ~ text & more." },
  ],
  kind: "self",
  layer: 1,
  head: 4,
  shown: 2,
  query: 5,
  depth: "start",
  tour: true,
  answer: { kind: "similarity", texts: ["A ~ cat.", "b"], read: "last" },
  matrix: "rollout",
  view: "lines",
  pinned: [4, 1],
  overlay: [
    [0, 3],
    [1, 1],
  ],
  mass: 0.8,
  weakest: 0.3,
  rival: "none",
  composed: "v",
  measured: "weights",
  arcs: "k",
  specials: "renormalised",
  role: "key",
  over: "set",
  ranked: "size",
  counted: "words",
  clean: "A clean sentence: é&~",
  patched_at: "mlp",
  patched_by: "head",
  key: 2,
  off: ["q_mlp_0", "k_head_1_layers.1_2"],
  step: 4,
  against: null,
  token: 77,
  versus: 78,
  vocab: 79,
  waterfall: "size",
  through: "head",
  temperature: 0.7,
  top_k: 25,
  top_p: 0.95,
  scale: "sea",
  steps: "root",
  qkv: true,
  units: "words",
  tuned: true,
  zoom: [0, 5, 2, 7],
  segments: "all",
  find: "same_token",
  picture: [
    [1, 0],
    [2, 1],
    [3, 0],
    [3, 1],
  ],
  by: "sentence",
  least: 0.35,
  left: "find",
  right: "effects",
  far_least: 300,
  far_in: "head",
  far_first: true,
  space_of: "everyday",
  space_by: "token",
  space_plane: "tsne",
  across: "entropy",
  up: "mute_effect",
  engine: "page",
  lesson: "query-key-value",
  weights: null,
  quiz: false,
  closed: true,
};
const written = {
  ...choice,
  model: "t5",
  texts: ["a", "b"],
  targets: ["", "un <b> & c"],
  shown: 1,
  kind: "cross",
  layer: 2,
  head: 3,
  matrix: "norms",
  muted: [[1, 2, "encoder"]],
};
const paired = {
  ...choice,
  model: "bert",
  texts: ["a", "b"],
  pairs: ["", "c & d"],
  shown: 1,
  head: 1,
  segments: "AB",
  muted: [[0, 1]],
  overlay: [[1, 1]],
  find: "relation.subject",
};

for (const made of [choice, written, paired, { ...paired, pairs: ["", ""] }]) {
  test(`a link gives back exactly the choice that made it (${made.model})`, () => {
    assert.deepEqual(read(toQuery(made, models)), made);
  });
}

test("what is at its default stays out of the link", () => {
  assert.equal(toQuery(read("?text=a"), models), "?text=a&layer=0&head=0");
  assert.equal(toQuery(read("?text=a&model=t5"), models), "?model=t5&text=a&layer=0&head=0");
  assert.equal(toQuery(read("?text=a&model=bert"), models), "?model=bert&text=a&layer=0&head=0");
});

test("what a model does not take is not part of the link to it", () => {
  const query = toQuery({ ...paired, ...written, model: "other", kind: "self" }, models);
  assert.doesNotMatch(query, /target|pair|kind/);
});

test("an example made for another model still fits this one", () => {
  const { layer, head } = read("?model=other");
  assert.deepEqual([layer, head], [1, 4]);
});

test("a fresh page shows the example at its head", () => {
  const { texts, layer, head, masks, query } = read("");
  assert.deepEqual([texts, layer, head, query], [["An example."], 2, 7, 3]);
  assert.deepEqual(masks, OWN_MASKS);
});

test("an address that only says what computes shows what an empty one does", () => {
  const begun = /** @type {any} */ ({ ...example, depth: "start" });
  const depthOf = (/** @type {string} */ search) => fromQuery(search, models, begun, 4).depth;
  assert.deepEqual(["?engine=page", "?tour=1", "?model=bert", "?layer=1"].map(depthOf), [
    "start",
    "start",
    "start",
    "full",
  ]);
  assert.equal(read("?engine=elsewhere").engine, "default");
});

test("an address that says nothing opens the model of the reader's language", () => {
  for (const bare of ["", "?lang=de", "?tour=1&engine=server"])
    assert.equal(new URLSearchParams(inReadersLanguage(bare, "german")).get("model"), "german");
  assert.equal(new URLSearchParams(inReadersLanguage("?lang=de", "german")).get("lang"), "de");
  for (const said of ["?text=a", "?model=shipped", "?layer=1&lang=de", "?depth=full"])
    assert.equal(inReadersLanguage(said, "german"), said);
  assert.equal(inReadersLanguage("?lang=es", null), "?lang=es");
});

test("an emptied sentence stays empty, and so does an emptied second segment", () => {
  assert.deepEqual(read("?text=").texts, [""]);
  assert.deepEqual(read("?text=a&pair=&model=bert").pairs, [""]);
  assert.equal(read("?text=a&model=bert").pairs, null);
});

test("what does not fit the model falls back or moves to what is nearest, and nothing throws", () => {
  const search =
    "?text=a&model=nowhere&layer=9&head=-1&window=0&query=1e3&shown=7&muted=9.9&muted=x&muted=&causal=maybe&matrix=%00" +
    "&muted=1.2.3&muted=1.2.cross&muted=1.2.cross.4&kind=both&segments=AC" +
    "&find=entropy&by=me&least=1.5&left=right&right=left&lesson=../docs";
  const { model, layer, head, masks, query, shown, muted, matrix, ...rest } = read(search);
  assert.deepEqual([model, layer, head, query, shown, muted], ["shipped", 2, 0, null, 0, []]);
  assert.deepEqual([masks.window, masks.causal, matrix], [null, null, "pattern"]);
  const { find, by, least, left, right, kind, segments } = rest;
  assert.deepEqual([find, by, least, left, right], [null, "probe", 0, "row", "next"]);
  assert.deepEqual([kind, segments, rest.lesson], ["self", "all", null]);
});

test("a link is clamped to the sites of its kind", () => {
  const { kind, layer, head, muted, matrix } = read(
    "?text=a&model=t5&kind=encoder&layer=2&head=3&muted=1.2&matrix=rollout",
  );
  assert.deepEqual([kind, layer, head, matrix], ["encoder", 1, 2, "rollout"]);
  // [layer, head] is that head in every kind
  assert.deepEqual(muted, [
    [1, 2, "encoder"],
    [1, 2, "decoder"],
    [1, 2, "cross"],
  ]);
  const decoder = read("?text=a&model=t5&kind=decoder&layer=2&head=3&matrix=rollout&segments=AB");
  assert.deepEqual([decoder.layer, decoder.head], [2, 3]);
  assert.deepEqual([decoder.matrix, decoder.segments], ["pattern", "all"]);
  assert.equal(read("?text=a&model=bert&kind=cross").kind, "self");
});

test("a model without masks and mutes is asked for none", () => {
  const { masks, muted, matrix } = read(
    "?text=a&model=bloom&causal=false&window=2&padding=false&padding_side=left&muted=0.1&matrix=scores",
  );
  assert.deepEqual(masks, { ...OWN_MASKS, padding_side: "left" });
  assert.deepEqual([muted, matrix], [[], "pattern"]);
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

test("more texts than the server takes are cut, and what stands beside them too", () => {
  assert.equal(read("?text=1&text=2&text=3&text=4&text=5").texts.length, 4);
  const { targets, pairs } = read("?text=1&target=2&target=3&pair=4&pair=5");
  assert.deepEqual([targets, pairs], [["2"], ["4"]]);
});

test("a link to a model that is still being loaded keeps all that it says", () => {
  const unknown = [unloaded("shipped"), unloaded("t5")];
  const linked = fromQuery("?text=a&layer=2&head=5&muted=1.3", unknown, example, 4);
  assert.deepEqual([linked.layer, linked.head, linked.muted], [2, 5, [[1, 3]]]);
  const fresh = fromQuery("", unknown, example, 4);
  assert.deepEqual([fresh.layer, fresh.head], [example.layer, example.head]);
  const asked = "?model=t5&text=a&target=b&pair=c&muted=1.3.cross&kind=cross&layer=2&head=5";
  assert.equal(toQuery(fromQuery(asked, unknown, example, 4), unknown), asked);
});

test("an address keeps what is set of each view, and leaves the default out", () => {
  const named = VIEWS.flatMap((view) => Object.keys(view.settings ?? {}));
  assert.deepEqual(
    SETTINGS.map(([key]) => key),
    named,
  );
  assert.ok(named.length > 0);
  for (const [key, [usual, ...others]] of SETTINGS) {
    assert.ok(!toQuery({ ...choice, [key]: usual }, models).includes(`${key}=`));
    for (const value of others) {
      const query = toQuery({ ...choice, [key]: value }, models);
      assert.ok(query.includes(`${key}=${value}`), query);
      assert.equal(read(query)[key], value);
    }
    assert.equal(read(`?text=a&${key}=other`)[key], usual);
  }
});

test("what is called otherwise today is found under its old names", () => {
  assert.equal(read("?text=a&log=true").steps, "log");
  assert.equal(read("?text=a&log=false").steps, "linear");
  assert.equal(read("?text=a&steps=root&log=true").steps, "root");
  assert.equal(read("?text=a&view=court").view, "explanations");
  const query = toQuery({ ...choice, steps: "log" }, models);
  assert.match(query, /&steps=log/);
  assert.doesNotMatch(query, /[?&]log=/);
});

test("the link to a quiz names neither its settings nor its text, and gives back exactly what is shown", () => {
  const shown = hushed({ ...choice, quiz: true });
  const link = toQuery(shown, models);
  assert.match(link, /^\?quiz=[\w-]+$/);
  assert.deepEqual(read(link), shown);
  assert.deepEqual(read(`${toQuery({ ...choice, quiz: false }, models)}&quiz=1`), shown);
});

test("a quiz drops what tells in itself: a ranking, a comparison, the effects, the arithmetic", () => {
  const told =
    "?text=a&find=induction&left=find&right=effects&view=inside&least=0.5&against=head%3D1";
  const { quiz, find, left, right, view, least, against } = read(`${told}&quiz=1`);
  assert.deepEqual(
    [quiz, find, left, right, view, least, against],
    [true, null, "row", "next", "heatmap", 0, null],
  );
  assert.equal(read(told).view, "inside");
});

test("a link to a quiz that was damaged is read as far as it goes, and is not a quiz", () => {
  for (const seal of ["%00", "ä", "a", "!!!!", "0", "true"]) {
    const { quiz, texts } = read(`?quiz=${seal}&text=b`);
    assert.equal(typeof quiz, "boolean", seal);
    assert.equal(texts.length, 1);
  }
  assert.equal(read("?quiz=!!&text=b").quiz, false);
  assert.deepEqual(read("?quiz=!!&text=b").texts, ["b"]);
});
