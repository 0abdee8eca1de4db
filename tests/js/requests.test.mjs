import assert from "node:assert/strict";
import test from "node:test";
import { detailRequest, gridRequest } from "../../static/js/loader.js";

const state = {
  ...{ model: "shipped", texts: ["a"], masks: {}, muted: [], layer: 1, head: 2, query: 3 },
  ...{ matrix: "pattern", lacks: {} },
};
const model = { predicts: true, tensors: ["q", "k", "v", "scores", "pattern", "norms"] };

test("all heads come with their scores on these texts", () => {
  assert.deepEqual(gridRequest(state).analyse, { scores: true });
});

test("the selected head comes with norms, the lens and the next token, where the model has them", () => {
  const request = detailRequest(state, model);
  assert.ok(request.select.tensors.includes("norms"));
  assert.deepEqual(request.analyse, { rollout: false, lens: { top_k: 3, position: 3 } });
  assert.equal(request.predict?.position, 3);

  const bare = detailRequest(state, { predicts: false, tensors: ["pattern"] });
  assert.ok(!bare.select.tensors.includes("norms"));
  assert.equal(bare.analyse.lens, null);
  assert.ok(!("predict" in bare));
});

test("what was refused is not asked for again", () => {
  const lacks = { norms: "no W_O", lens: "no stages" };
  const request = detailRequest({ ...state, lacks }, model);
  assert.ok(!request.select.tensors.includes("norms"));
  assert.equal(request.analyse.lens, null);
  assert.equal(request.predict?.position, 3);
});

test("of a model that nobody has loaded yet norms are asked for only when looked at", () => {
  const unknown = { predicts: true, tensors: null };
  assert.ok(!detailRequest(state, unknown).select.tensors.includes("norms"));
  assert.ok(detailRequest({ ...state, matrix: "norms" }, unknown).select.tensors.includes("norms"));
});

test("rollout is asked for only while it is looked at; the other matrices need no new answer", () => {
  const ask = (/** @type {string} */ matrix) =>
    JSON.stringify(detailRequest({ ...state, matrix }, model));
  assert.equal(ask("scores"), ask("pattern"));
  assert.equal(ask("norms"), ask("pattern"));
  assert.notEqual(ask("rollout"), ask("pattern"));
  assert.match(ask("rollout"), /"rollout":true/);
});
