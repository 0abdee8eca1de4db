import assert from "node:assert/strict";
import test from "node:test";
import {
  aligned,
  fit,
  isMuted,
  kindsOf,
  matricesOf,
  selectKind,
  sitesOf,
  toggleMute,
  traceIn,
} from "../../static/js/state/choice.js";
import { overlaid } from "../../static/js/state/overlay.js";
import { fromQuery } from "../../static/js/state/url.js";
import { bert, bloom, jamba, shipped, t5, unloaded } from "./models.mjs";

const plain = fromQuery("?text=a", [shipped], { texts: [], layer: 0, head: 0, query: null }, 4);

test("an answer counts for the model that gave it, and for no other", () => {
  const trace = { model: "shipped" };
  const asked = /** @type {any} */ ({ status: "ready", problem: null, answer: { trace } });
  const models = /** @type {any} */ ([shipped, bert]);
  assert.equal(traceIn(asked, { model: "shipped", models }), trace);
  assert.equal(traceIn(asked, { model: "bert", models }), null);
  assert.equal(traceIn(null, { model: "shipped", models }), null);
});

test("the kinds of an encoder–decoder, and the sites of each", () => {
  assert.deepEqual(kindsOf(t5), ["encoder", "decoder", "cross"]);
  assert.deepEqual(kindsOf(shipped), ["self"]);
  assert.deepEqual(kindsOf(unloaded("t5")), []);
  assert.equal(sitesOf(t5, "encoder").length, 2);
  assert.equal(sitesOf(t5, "cross").length, 3);
});

test("a choice that fits changes nothing, so that nothing is drawn anew", () => {
  assert.deepEqual(fit(plain, shipped), {});
  assert.deepEqual(fit({ ...plain, layer: 99, kind: "cross" }, unloaded("t5")), {});
});

test("a model that has just been loaded moves the choice to what it has", () => {
  const before = {
    ...plain,
    layer: 2,
    head: 7,
    muted: [
      [0, 1],
      [2, 7],
    ],
    matrix: "scores",
  };
  assert.deepEqual(fit(before, t5), {
    kind: "encoder",
    layer: 1,
    head: 2,
    muted: [
      [0, 1, "encoder"],
      [0, 1, "decoder"],
      [0, 1, "cross"],
    ],
  });
  assert.deepEqual(fit({ ...before, muted: [] }, bloom), { head: 1, matrix: "pattern" });
});

test("a layer without attention gives way to the one before it, or to the first", () => {
  for (const [layer, found] of [
    [0, 1],
    [1, 1],
    [3, 1],
    [4, 4],
    [9, 4],
  ]) {
    assert.equal({ layer, ...fit({ ...plain, layer }, jamba) }.layer, found, String(layer));
  }
  const overlay = [
    [1, 1],
    [2, 0],
    [4, 0],
  ];
  assert.deepEqual(overlaid({ overlay, kind: "self" }, jamba), [
    [1, 1],
    [4, 0],
  ]);
});

test("mutes go back to plain heads where a model has one kind of site", () => {
  const muted = [
    [0, 1, "self"],
    [0, 1],
    [1, 1, "cross"],
  ];
  assert.deepEqual(fit({ ...plain, muted }, bert), { muted: [[0, 1]] });
});

test("another kind has other layers and heads; the query stays only while it is one", () => {
  const at = { ...plain, model: "t5", kind: "cross", layer: 2, head: 3, query: 4, matrix: "norms" };
  assert.deepEqual(selectKind(at, "decoder", t5), { kind: "decoder", query: 4 });
  assert.deepEqual(selectKind(at, "encoder", t5), {
    kind: "encoder",
    query: null,
    layer: 1,
    head: 2,
  });
  const rolled = { ...at, kind: "encoder", layer: 1, head: 0, matrix: "rollout" };
  assert.equal(selectKind(rolled, "cross", t5).matrix, "pattern");
});

test("rollout is of self-attention; a model that computes by itself has patterns alone", () => {
  const named = (model, kind) =>
    ["pattern", "scores", "norms", "rollout", "flow"].filter((name) =>
      matricesOf(model, kind).includes(name),
    );
  assert.deepEqual(named(t5, "encoder"), ["pattern", "scores", "norms", "rollout", "flow"]);
  assert.deepEqual(named(t5, "decoder"), ["pattern", "scores", "norms"]);
  assert.deepEqual(named(bloom, "self"), ["pattern", "rollout", "flow"]);
});

test("a head of an encoder–decoder is muted in one site, and let speak there", () => {
  const at = { ...plain, kind: "cross", layer: 1, head: 2, muted: [[1, 2, "encoder"]] };
  assert.equal(isMuted(at.muted, "cross", 1, 2), false);
  const { muted } = toggleMute(at);
  assert.deepEqual(muted, [
    [1, 2, "encoder"],
    [1, 2, "cross"],
  ]);
  assert.deepEqual(toggleMute({ ...at, muted }).muted, at.muted);
  assert.deepEqual(toggleMute({ ...plain, layer: 1, head: 2 }).muted, [[1, 2]]);
});

test("what stands beside texts is one for each", () => {
  assert.deepEqual(aligned(["x"], 3), ["x", "", ""]);
  assert.deepEqual(aligned(["x", "y"], 1), ["x"]);
});

test("a link to a recorded run cannot ask for another temperature than it was recorded with", () => {
  const recorded = /** @type {any} */ ({ texts: ["a"], targets: [], pairs: null, muted: [] });
  const model = { ...shipped, lacks: "no model", recorded };
  const { temperature, top_p } = fit({ ...plain, temperature: 2, top_p: 0.5 }, model);
  assert.deepEqual([temperature, top_p], [1, 1]);
});
