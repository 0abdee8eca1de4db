import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { edited, inputs } from "../../static/js/asking/requests.js";
import { chip } from "../../static/js/panels/intervene/words.js";
import { CHANGES } from "../../static/js/panels/undo/words.js";
import {
  factorOf,
  interventionOf,
  interventionsOf,
  textOf,
} from "../../static/js/state/address/interventions.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { pythonOf } from "../../static/js/words/python.js";

/** What headlight/request/interventions.py writes, too (tests/client/test_request.py). @type {{text: string, document: any}[]} */
const CASES = JSON.parse(readFileSync(new URL("../interventions.json", import.meta.url), "utf8"));

test("an intervention in an address is what Python writes, and is read back", () => {
  for (const { text, document } of CASES) {
    assert.equal(textOf(document), text);
    assert.deepEqual(interventionOf(text), [document]);
  }
});

test("what is not an intervention is skipped", () => {
  for (const text of [
    "",
    "zero",
    "zero~head",
    "zero~head.x",
    "zero~head.1.2.3",
    "stop~head.1",
    "zero~scores.1",
    "zero~mlp.1.2",
    "scale~head.1.2",
    "scale~head.1~factor=x",
    "scale~mlp.1~factor=1001",
    "freeze_pattern~mlp.1",
    "patch~mlp.1",
    "mean~mlp.1",
    "zero~mlp.1~positions=",
    "zero~mlp.1~x=1",
    "patch~mlp.1~pairs=1~source=a",
    "zero~head.1~site=both",
    "zero~mlp.1~positions",
    "add~mlp.1",
    "add~mlp.1~token=a~source=b",
    "add~mlp.1~id=x",
    "add~mlp.1~vector=1,,2",
  ]) {
    assert.deepEqual(interventionOf(text), [], text);
  }
});

test("factors are numbers within the limits of the API", () => {
  const given = ["0.5", "-1", " 2 ", "1e2", ".5", "1001", "", "x", "Infinity", "0x10"];
  const expected = [0.5, -1, 2, 100, 0.5, null, null, null, null, null];
  assert.deepEqual(given.map(factorOf), expected);
});

test("a model keeps the interventions on parts that it has", () => {
  const site = (/** @type {any} */ kind, /** @type {number} */ layer) => ({
    name: "",
    kind,
    layer,
    n_heads: 2 + layer,
  });
  const model = /** @type {any} */ ({ lacks: "", sites: [site("encoder", 0), site("cross", 1)] });
  const zero = (/** @type {object} */ more) =>
    /** @type {any} */ ({ kind: "zero", at: "head", layer: 0, ...more });
  const kept = [zero({ head: 1 }), zero({ at: "mlp" }), zero({ layer: 1, site: "cross" })];
  const lost = [zero({ head: 2 }), zero({ layer: 2 }), zero({ site: "cross" })];
  assert.deepEqual(interventionsOf([...kept, ...lost], model), kept);
  assert.deepEqual(interventionsOf(kept, { ...model, lacks: "stored patterns" }), []);
});

test("each says in one line what it changes, and where", () => {
  const words = CASES.map(({ document }) => chip(document));
  assert.deepEqual(words.slice(0, 5), [
    "layer 2 head 3 = 0",
    "feed-forward of layer 0 = 0",
    "all heads of layer 1 × -0.5",
    "stream within layer 1 × 2 at positions 3, 4 in text 2",
    "cross layer 1 head 2 values frozen",
  ]);
  assert.equal(words[5], "layer 0 head 7 = mean of “The cat sat.” + 1");
  assert.match(words[6], /^stream before layer 2 ← patch from “a ~ b .*” at positions 1, 5$/);
  assert.deepEqual(words.slice(8), [
    "stream before layer 2 + −4 × (“Love” − “Hate”) at position 3",
    "stream after layer 1 + 0.5 × the direction of “ Mary”",
    "feed-forward of layer 0 + the direction of token 17",
    "layer 0 head 1 + a vector of 3 numbers",
  ]);
});

test("they are in the request, edit the model, and are named by Undo", () => {
  const [{ document: zero }, { document: other }] = CASES;
  const state = /** @type {any} */ ({ texts: ["a"], targets: [], masks: OWN_MASKS, muted: [] });
  const traits = /** @type {any} */ ({});
  const none = inputs({ ...state, interventions: [] }, traits);
  assert.equal("interventions" in none, false);
  const one = { ...state, interventions: [zero] };
  assert.deepEqual(inputs(one, traits).interventions, [zero]);
  assert.equal(edited(one), true);
  assert.equal(edited({ ...state, interventions: [] }), false);
  const words = (/** @type {any[]} */ after, /** @type {any[]} */ before) =>
    CHANGES.interventions?.(
      /** @type {any} */ ({ interventions: after }),
      /** @type {any} */ ({ interventions: before }),
    );
  assert.equal(words([zero], []), "intervened: layer 2 head 3 = 0");
  assert.equal(words([zero], [zero, other]), "withdrew feed-forward of layer 0 = 0");
  assert.equal(words([], [zero, other]), "withdrew the interventions");
});

test("the program makes them", () => {
  const choice = /** @type {any} */ ({
    model: "shipped",
    texts: ["a"],
    targets: [],
    pairs: null,
    special_tokens: true,
    masks: OWN_MASKS,
    muted: [],
    kind: "self",
    layer: 1,
    head: 0,
    matrix: "pattern",
    interventions: [CASES[6].document, CASES[0].document],
  });
  const token = { text: "a", padding: false };
  const model = { name: "shipped", library_class: null, takes_targets: false, takes_pairs: false };
  const seen = { text: 0, row: 0, tokens: [token], targets: null, queries: [token] };
  const program = pythonOf(choice, /** @type {any} */ (model), /** @type {any} */ (seen));
  assert.match(program, /^from model\.interventions import Intervention$/m);
  const line = program.split("\n").find((each) => each.includes('kind="patch"'));
  assert.match(line ?? "", /layer=2, source="a ~ b .* c=d", pairs=\(\(0, 1,\), \(5, 5,\),\)\),$/);
});
