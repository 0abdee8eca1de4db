import assert from "node:assert/strict";
import test from "node:test";
import { nextRequest, scoresRequest } from "../../static/js/asking/requests.js";
import { probeIn } from "../../static/js/panels/answer/probe.js";
import { measuredInWords } from "../../static/js/panels/answer/words.js";
import { answerOf, gives, textOf } from "../../static/js/state/address/answers.js";
import { modelIn } from "../../static/js/state/choice.js";
import { PANELS, panelLabel } from "../../static/js/state/panels.js";
import { bert, bloom, scratch, shipped, t5 } from "./models.mjs";

const ANSWERS = [
  { kind: "entropy" },
  { kind: "loss" },
  { kind: "similarity", texts: ["A ~ cat \\ and a dog.", "x=1"], read: "first", scale: 5 },
  {
    kind: "probe",
    layer: 1,
    weights: [
      [0.5, -1e-7],
      [2, 3],
    ],
    bias: [0, -1],
    classes: ["a;b", "c"],
    read: "first",
  },
];

test("each answer is written into an address and read again", () => {
  for (const answer of ANSWERS)
    assert.deepEqual(answerOf(textOf(/** @type {any} */ (answer))), answer);
});

test("what is no answer is none", () => {
  for (const text of [
    null,
    "",
    "mood",
    "similarity",
    "similarity~texts=",
    "entropy~texts=a",
    "probe~layer=1",
    "probe~layer=x~weights=1",
    "probe~layer=1~weights=1,b",
    "similarity~texts=a~read=middle",
  ]) {
    assert.equal(answerOf(text), null, String(text));
  }
});

test("a model gives what it can", () => {
  const given = (/** @type {any} */ model) =>
    ["entropy", "loss", "similarity", "probe"].filter((kind) =>
      gives({ kind: /** @type {any} */ (kind) }, model),
    );
  assert.deepEqual(given(shipped), ["entropy", "loss", "similarity", "probe"]);
  assert.deepEqual(given(bert), ["entropy", "similarity", "probe"]);
  assert.deepEqual(given(t5), ["entropy", "loss", "probe"]);
  assert.deepEqual(given(bloom), []); // it takes no edits
  assert.deepEqual(given(scratch), []);
});

const state = /** @type {any} */ ({
  model: shipped.name,
  models: [shipped],
  texts: ["a"],
  targets: [],
  pairs: null,
  special_tokens: true,
  masks: {},
  muted: [],
  interventions: [],
  kind: "self",
  query: 3,
  token: null,
  top_k: 10,
  top_p: 1,
  temperature: 1,
  by: "sentence",
});

test("what the model says is asked of the answer; what its heads do is not", () => {
  const asked = { ...state, answer: { kind: "entropy" } };
  const model = modelIn(asked);
  assert.equal(model.predicts, "class");
  assert.equal(modelIn(asked), model); // the same object each time
  const next = /** @type {any} */ (nextRequest(asked, model));
  assert.deepEqual(next.answer, { kind: "entropy", position: 3 });
  assert.equal(next.predict.position, null);
  assert.equal("answer" in /** @type {any} */ (scoresRequest(asked, model)), false);
  const plain = /** @type {any} */ (nextRequest(state, modelIn(state)));
  assert.equal("answer" in plain, false);
  assert.equal(plain.predict.position, 3);
});

test("an answer that the model cannot give is not asked", () => {
  const asked = { ...state, models: [bert], model: bert.name, answer: { kind: "loss" } };
  const model = modelIn(asked);
  assert.equal(model.predicts, "fill");
  assert.equal("answer" in /** @type {any} */ (nextRequest(asked, model)), false);
});

test("the tab is called by what it shows", () => {
  const [next] = PANELS;
  assert.equal(panelLabel(next, modelIn({ ...state, answer: { kind: "loss" } })), "Answer");
  assert.equal(panelLabel(next, shipped), "Next token");
});

test("what was measured is a sentence", () => {
  const said = (
    /** @type {any} */ quantity,
    /** @type {number[]} */ values,
    texts = /** @type {string[]} */ ([]),
  ) => measuredInWords({ quantity, values }, { kind: "similarity", texts });
  assert.equal(
    said("entropy", [Math.log(8)]),
    "Entropy 2.08 nats: as unsure as among 8.0 equally likely tokens.",
  );
  assert.match(said("loss", [Math.log(4)]), /geometric mean of 25\.0%/);
  assert.equal(said("cosine", [0, 0.5], ["a"]), "Cosine 0.500.");
  assert.equal(said("cosine", [0.25, 0.5], ["a", "b"]), "Cosines: “a” 0.250, “b” 0.500.");
});

/** A safetensors file. @param {Record<string, {shape: number[], data: number[]}>} tensors @param {Record<string, string>} metadata */
function fileOf(tensors, metadata) {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { shape, data }]) => {
    const start = at;
    at += 4 * data.length;
    return [name, { dtype: "F32", shape, data_offsets: [start, at] }];
  });
  const header = new TextEncoder().encode(
    JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) }),
  );
  const length = new BigUint64Array([BigInt(header.length)]);
  const numbers = Object.values(tensors).map(({ data }) => new Float32Array(data));
  return new File([length, header, ...numbers], "probe.safetensors");
}

test("a probe is read from a file", async () => {
  const json = (/** @type {unknown} */ value) => new File([JSON.stringify(value)], "p.json");
  assert.deepEqual(await probeIn(json({ weights: [1, 2], bias: 3, layer: 1 })), {
    weights: [[1, 2]],
    bias: [3],
    layer: 1,
  });
  const tensors = {
    weights: { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] },
    bias: { shape: [2], data: [0, 1] },
  };
  assert.deepEqual(await probeIn(fileOf(tensors, { layer: "2", classes: '["a", "b"]' })), {
    weights: [
      [1, 2, 3],
      [4, 5, 6],
    ],
    bias: [0, 1],
    layer: 2,
    classes: ["a", "b"],
  });
  for (const broken of [{}, { weights: [] }, { weights: ["a"] }, { weights: [[1, null]] }]) {
    assert.equal(await probeIn(json(broken)), null);
  }
  assert.equal(await probeIn(new File(["{"], "p.json")), null);
  assert.equal(await probeIn(new File(["x"], "p.safetensors")), null);
});
