import assert from "node:assert/strict";
import test from "node:test";
import { bundled, merged, parted } from "../../static/js/asking/bundle.js";

const inputs = { model: "m", texts: ["a b"], masks: {}, muted: [] };
const grid = {
  name: "grid",
  request: { ...inputs, select: { tensors: ["pattern"], resolution: 64 }, predict: null },
};
const head = {
  name: "detail",
  request: {
    ...inputs,
    select: { tensors: ["q", "pattern"], layers: [1], heads: [2] },
    analyse: { rollout: true },
    predict: null,
  },
};
/** @param {object} [more] */
const next = (more) => ({
  name: "next",
  request: {
    ...inputs,
    select: { layers: [] },
    predict: { top_k: 10, temperature: 1, top_p: null, position: 1, tokens: [7], ...more },
  },
});
const facts = {
  name: "facts",
  request: {
    ...inputs,
    select: { tensors: ["z"], layers: [1] },
    predict: { top_k: 1, position: 1, unedited: true },
  },
};
/** @param {string} name @param {object} analyse */
const analysis = (name, analyse) => ({
  name,
  request: { ...inputs, select: { layers: [] }, analyse, predict: null },
});
const names = (/** @type {any[][]} */ bundles) =>
  bundles.map((bundle) => bundle.map(({ name }) => name));

test("questions about one trace are one request, whose parts are what each would select", () => {
  const lens = analysis("lens", { lens: { top_k: 3 } });
  const all = [grid, head, next(), lens, analysis("scores", { scores: true }), facts];
  assert.equal(bundled(all).length, 1);
  assert.deepEqual(merged(all), {
    ...inputs,
    parts: { grid: grid.request.select, detail: head.request.select, facts: facts.request.select },
    analyse: { rollout: true, lens: { top_k: 3 }, scores: true },
    predict: {
      top_k: 10,
      temperature: 1,
      top_p: null,
      position: 1,
      tokens: [7],
      unedited: true,
    },
  });
});

test("one question is asked as if there were no others", () => {
  assert.equal(merged([head]), head.request);
});

test("without any tensors there are no parts", () => {
  const both = [next(), analysis("scores", { scores: true })];
  assert.deepEqual(merged(both).select, { layers: [] });
  assert.ok(!("parts" in merged(both)));
});

test("another trace, or another reading of it, is another request", () => {
  const other = { name: "other", request: { ...head.request, muted: [[0, 1]] } };
  assert.deepEqual(names(bundled([grid, other, head])), [["grid", "detail"], ["other"]]);
  const [warm, cut, there] = [{ temperature: 2 }, { top_p: 0.5 }, { position: 0 }];
  for (const more of [warm, cut, there]) {
    assert.deepEqual(names(bundled([next(more), grid, facts])), [["next", "grid"], ["facts"]]);
  }
  const [a, b] = [1, 2].map((top_k) => analysis(`lens${top_k}`, { lens: { top_k } }));
  assert.equal(bundled([a, b]).length, 2);
  const many = Array.from({ length: 9 }, (_, at) => ({ ...grid, name: `p${at}` }));
  assert.deepEqual(
    names(bundled(many)).map(({ length }) => length),
    [8, 1],
  );
});

test("each gets what it would have been answered alone", () => {
  const site = (/** @type {number} */ layer) => ({
    name: `layers.${layer}`,
    kind: "self",
    layer,
    heads: [0, 1, 2],
    sink: [5, 6, 7],
  });
  const trace = {
    model: "m",
    sites: [site(0), site(1)],
    predictions: [["x"]],
    predicted_at: [1],
    nucleus: null,
    scores: ["s"],
    lens: null,
    mute_effects: null,
  };
  const tensors = new Map(
    ["grid/layers.0.pattern", "grid/layers.1.pattern", "detail/layers.1.q", "rollout"].map(
      (name) => [name, { shape: [1], data: new Float32Array([1]) }],
    ),
  );
  const answer = /** @type {any} */ ({ trace, tensors });
  const bundle = [grid, head, next(), analysis("scores", { scores: true })];
  const [ofGrid, ofHead, ofNext, ofScores] = parted(bundle, answer);
  assert.deepEqual([...ofGrid.tensors.keys()], ["layers.0.pattern", "layers.1.pattern"]);
  assert.deepEqual(ofGrid.trace.sites, trace.sites);
  assert.deepEqual([ofGrid.trace.predictions, ofGrid.trace.scores], [null, null]);
  assert.deepEqual([...ofHead.tensors.keys()], ["layers.1.q", "rollout"]);
  assert.deepEqual(ofHead.trace.sites, [{ ...site(1), heads: [2], sink: [7] }]);
  assert.deepEqual([ofNext.trace.predictions, ofNext.trace.sites], [[["x"]], []]);
  assert.equal(ofNext.tensors.size, 0);
  assert.deepEqual(ofScores.trace.scores, ["s"]);
  assert.deepEqual(parted([head], answer), [answer]);
});
