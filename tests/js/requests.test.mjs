import assert from "node:assert/strict";
import test from "node:test";
import {
  decidedRequest,
  detailRequest,
  effectsRequest,
  gridRequest,
  lensRequest,
  matrixRequest,
  mutingRequest,
  nextRequest,
  rowsRequest,
  scoresRequest,
  vectorsRequest,
} from "../../static/js/asking/requests.js";
import { bert, bloom, scratch, shipped, t5 } from "./models.mjs";

const state = {
  model: "shipped",
  texts: ["a"],
  masks: {},
  muted: [],
  layer: 1,
  head: 2,
  query: 3,
  targets: ["x"],
  pairs: ["y"],
  kind: "self",
  matrix: "pattern",
  lacks: {},
  right: "effects",
  token: null,
  temperature: 1,
  top_k: 10,
  top_p: 1,
};

test("heads are scored on these texts only while they are labelled or ranked by that", () => {
  const models = [shipped];
  assert.equal(scoresRequest({ ...state, models, by: "probe" }, shipped), null);
  const asked = scoresRequest({ ...state, models, by: "sentence" }, shipped);
  assert.deepEqual([asked?.analyse, asked?.select], [{ scores: true }, { layers: [] }]);
  const drawn = { ...state, model: "scratch", models: [scratch], scratch: {}, by: "probe" };
  assert.ok(scoresRequest(drawn, scratch), "heads that each request draws anew have no probe");
});

test("the selected head comes with norms while they are looked at, where the model has them", () => {
  const tensors = (/** @type {object} */ more) =>
    detailRequest({ ...state, ...more }, shipped).select.tensors;
  assert.ok(!tensors({}).includes("norms"));
  assert.ok(tensors({ matrix: "norms" }).includes("norms"));
  assert.ok(!tensors({ matrix: "norms", lacks: { norms: "no W_O" } }).includes("norms"));
  const bare = detailRequest(state, { ...bloom, predicts: null });
  assert.deepEqual(bare.select.tensors, ["pattern", "blocked_by"]);
});

test("the lens is asked for while its tab is open, where the model has one", () => {
  const open = { ...state, right: "lens" };
  assert.deepEqual(lensRequest(open, shipped)?.analyse, { lens: { top_k: 3, position: 3 } });
  assert.equal(lensRequest(state, shipped), null);
  assert.equal(lensRequest(open, { ...shipped, predicts: null }), null);
  assert.equal(lensRequest({ ...open, lacks: { lens: "no stages" } }, shipped), null);
  assert.equal(decidedRequest({ ...open, lacks: { lens: "no stages" } }, shipped), null);
  assert.deepEqual(decidedRequest(open, shipped)?.analyse, { decided: { tuned: false } });
});

test("both lenses are asked for once the tuned one is there, so that the reader can change between them", () => {
  const open = { ...state, right: "lens", models: [shipped] };
  const both = { decided: { tuned: true }, lens: { top_k: 3, position: 3, tuned: true } };
  assert.equal(lensRequest({ ...open, tuned: true }, shipped), null);
  assert.deepEqual(decidedRequest({ ...open, tuned: true }, shipped)?.analyse, both);
  const answered = (/** @type {string} */ model) => ({
    ...open,
    decided: {
      status: "ready",
      answer: { trace: { model, decided: [{ tuned: { stages: [] } }] } },
    },
  });
  assert.deepEqual(decidedRequest(answered("shipped"), shipped)?.analyse, both);
  assert.deepEqual(decidedRequest(answered("other"), shipped)?.analyse, {
    decided: { tuned: false },
  });
});

test("in a quiz nobody asks what a mute does, or what the model says without its edits", () => {
  const predictions = [{ id: 7, text: " b", probability: 0.5, special: false, unedited: null }];
  const trace = { tokens: [[{ text: "a" }]], predictions: [predictions], predicted_at: [0] };
  const next = { status: "ready", answer: { trace: { ...trace, model: "shipped" } } };
  const drawn = { ...state, models: [shipped], shown: 0, muted: [[0, 1]], next };
  const unedited = (/** @type {object} */ now) => nextRequest(now, shipped)?.predict.unedited;
  assert.ok(mutingRequest(drawn, shipped, true));
  assert.equal(unedited(drawn), true);
  const quiz = { ...drawn, quiz: true };
  assert.equal(mutingRequest(quiz, shipped, true), null);
  assert.equal(unedited(quiz), false);
});

test("rollout is asked for only while it is looked at; the scores need no new answer", () => {
  const ask = (/** @type {string} */ matrix) =>
    JSON.stringify(detailRequest({ ...state, matrix }, shipped));
  assert.equal(ask("scores"), ask("pattern"));
  assert.notEqual(ask("rollout"), ask("pattern"));
  assert.match(ask("rollout"), /"rollout":true/);
});

test("special tokens are named only where they are left out, of models that have some of their own", () => {
  const sent = (/** @type {object} */ changes) =>
    gridRequest({ ...state, ...changes }, shipped).special_tokens;
  assert.deepEqual(sent({ special_tokens: true }), undefined);
  assert.deepEqual(sent({ special_tokens: false }), false);
  assert.deepEqual(sent({ special_tokens: false, model: "scratch" }), undefined);
});

test("targets and second segments go only to a model that takes them, one for each text", () => {
  const two = { ...state, texts: ["a", "b"] };
  const sent = (/** @type {object} */ model, now = two) => {
    const { targets, pairs } = gridRequest(now, model);
    return [targets, pairs];
  };
  assert.deepEqual(sent(shipped), [undefined, undefined]);
  assert.deepEqual(sent(t5), [["x", ""], undefined]);
  assert.deepEqual(sent(bert), [undefined, ["y", ""]]);
  assert.deepEqual(sent(bert, { ...two, pairs: null }), [undefined, undefined]);
});

test("of an encoder–decoder only the sites of one kind are asked for", () => {
  assert.deepEqual(gridRequest({ ...state, kind: "cross" }, t5).select.kinds, ["cross"]);
  assert.deepEqual(detailRequest({ ...state, kind: "cross" }, t5).select.kinds, ["cross"]);
  assert.ok(!("kinds" in gridRequest(state, shipped).select));
});

test("predictions are read in the target, where the query is one of its tokens", () => {
  for (const kind of ["decoder", "cross"]) {
    const now = { ...state, kind };
    assert.equal(nextRequest(now, t5)?.predict.position, 3);
    assert.equal(effectsRequest(now, t5).analyse.mute_effects.position, 3);
  }
  const source = { ...state, kind: "encoder" };
  assert.equal(nextRequest(source, t5)?.predict.position, null);
  assert.equal(lensRequest({ ...source, right: "lens" }, t5)?.analyse.lens?.position, null);
  assert.equal(effectsRequest(source, t5).analyse.mute_effects.position, null);
});

test("a classifier is asked for the class of the text, whatever row is selected", () => {
  const classifier = /** @type {const} */ ({ ...shipped, predicts: "class" });
  const open = { ...state, right: "lens", tuned: true, models: [classifier] };
  assert.equal(nextRequest(open, classifier)?.predict.position, null);
  const effects = effectsRequest({ ...open, right: "effects" }, classifier);
  assert.equal(effects.analyse.mute_effects.position, null);
  assert.equal(lensRequest(open, classifier)?.analyse.lens?.position, null);
  assert.equal(decidedRequest(open, classifier), null); // nothing is decided at other tokens
});

const long = { ...state, texts: ["a", "b".repeat(1001)], targets: [], pairs: null };

test("a long text comes as a picture", () => {
  assert.deepEqual(detailRequest(long, shipped).select, {
    tensors: ["pattern", "blocked_by"],
    layers: [1],
    heads: [2],
    resolution: 1024,
    dtype: "uint8",
  });
  const both = { ...state, texts: ["a"], pairs: ["b".repeat(1001)] };
  assert.ok(detailRequest(both, bert).select.resolution, "a long second segment is long");
});

test("of a long text another matrix comes in full, and exact rows by themselves", () => {
  assert.equal(matrixRequest(long, shipped), null);
  assert.equal(matrixRequest({ ...state, matrix: "scores" }, shipped), null, "it is there already");
  const scores = matrixRequest({ ...long, matrix: "scores" }, shipped);
  assert.deepEqual(scores?.select.tensors, ["scores", "blocked_by"]);
  assert.equal(scores?.predict, null);
  const rollout = matrixRequest({ ...long, matrix: "rollout" }, shipped);
  assert.deepEqual(rollout?.select.tensors, ["blocked_by"]);
  assert.deepEqual(rollout?.analyse, { rollout: true });
  const rows = rowsRequest(long, shipped, [16, 32]);
  assert.deepEqual(rows.select.rows, [16, 32]);
  assert.deepEqual(rows.select.tensors, ["pattern", "scores", "blocked_by"]);
  assert.deepEqual(vectorsRequest(long, shipped)?.select.tensors, ["q", "k", "v"]);
  assert.equal(vectorsRequest(long, bloom), null);
});

test("the more heads there are, the smaller each thumbnail", () => {
  const of = (/** @type {number} */ heads) =>
    gridRequest(state, { ...shipped, sites: [{ n_heads: heads }] }).select.resolution;
  assert.deepEqual([of(1), of(24), of(72)], [64, 64, 64]);
  assert.ok(of(144) < 64 && of(144) > of(1024));
  assert.equal(of(100_000), 16);
});
