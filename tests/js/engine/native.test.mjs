// The shipped model in the page, held to what Python computes (data/native.json).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { HeadlightError } from "../../../static/js/engine/errors.js";
import { maskSettings, unedited } from "../../../static/js/engine/masks/rules.js";
import { nativeSource } from "../../../static/js/engine/sources/native.js";
import { derive } from "../../../static/js/engine/trace/site.js";
import { lens, nuclei, predict } from "../../../static/js/engine/trace/trace.js";
import { shippedFiles, shippedSource } from "./shipped.mjs";

const expected = JSON.parse(readFileSync(new URL("data/native.json", import.meta.url), "utf-8"));
const NEAR = 2e-5;
const source = shippedSource();

/** The same value, but numbers only within NEAR. */
function near(found, value, where) {
  if (typeof value === "number" && !Number.isInteger(value)) {
    assert.ok(Math.abs(found - value) <= NEAR, `${where}: ${found}, expected ${value}`);
  } else if (value !== null && typeof value === "object") {
    assert.deepEqual(Object.keys(found), Object.keys(value), where);
    for (const key of Object.keys(value)) near(found[key], value[key], `${where}.${key}`);
  } else if (typeof value === "number") {
    // a whole number in the file may be a float
    assert.ok(Math.abs(found - value) <= NEAR, `${where}: ${found}, expected ${value}`);
  } else assert.deepEqual(found, value, where);
}

function sampled({ shape, data }) {
  const step = Math.floor(data.length / 12) + 1;
  return { shape, numbers: Array.from(data.filter((_, at) => at % step === 0)) };
}

function summary(trace) {
  const names = ["q", "k", "v", "pattern", "result"];
  return {
    ids: trace.tokens.map((row) => row.map(({ id }) => id)),
    muted: trace.sites.map(({ muted }) => muted),
    sites: trace.sites.map((site) =>
      Object.fromEntries([...derive(site, names)].map(([name, tensor]) => [name, sampled(tensor)])),
    ),
    stages: sampled(trace.stages),
  };
}

const inputsOf = (given) => ({
  texts: ["a"],
  targets: null,
  pairs: null,
  muted: [],
  generate: null,
  settings: null,
  ...given,
  masks: maskSettings(given?.masks),
});

for (const each of expected.cases)
  test(`as the server: ${each.name}`, () => {
    const inputs = each.inputs;
    const trace = source.trace(inputs, { max_tokens: null });
    near(summary(trace), each.trace, "trace");
    const known = inputs.generate && {
      ...inputs.generate,
      known: trace.tokens.map((row) =>
        row.filter(({ generated }) => generated).map(({ id }) => id),
      ),
    };
    const plain = { ...inputs, masks: unedited(inputs.masks), muted: [], generate: known };
    const before = source.trace(plain, { max_tokens: null });
    near(predict(trace, { ...each.predict, unedited: before }), each.predictions, "predictions");
    near(nuclei(trace, { top_p: 0.8 }), each.nuclei, "nuclei");
    near(lens(trace, { top_k: 2, position: each.position }), each.lens, "lens");
    const effects = source.muteEffects(inputs, { position: each.position, token: null });
    for (const { effects: heads } of effects) {
      assert.equal(heads.length, 24);
      for (const { kind, layer, head, change, reason } of heads) {
        const muted = trace.sites[layer].muted.includes(head);
        assert.equal(kind, "self");
        assert.equal(change === null, muted);
        assert.equal(reason, muted ? "this head is muted already" : null);
      }
    }
    near(
      effects.map(({ position, token, effects: heads }) => ({
        position,
        token,
        changes: heads.map(({ change }) => change),
      })),
      each.mute_effects,
      "mute effects",
    );
  });

test("rows of ids run as if they were typed", () => {
  const trace = source.traceIds(expected.rows);
  near(summary(trace), expected.of_rows, "rows");
  const [row] = trace.tokens;
  assert.deepEqual(
    row.slice(1).map(({ start }) => start),
    row.slice(0, -1).map(({ end }) => end),
  );
});

const a = (changes) => source.trace(inputsOf(changes), { max_tokens: null });
const cell = { text: null, layer: null, head: null, query: null, key: null, kind: null };
const generate = { n_tokens: 1023, sampled: false, temperature: 1, seed: 0 };
/** The same failures as in data/make_native.py, by name. */
const FAILS = {
  "no texts": () => a({ texts: [] }),
  "lone surrogate": () => a({ texts: ["a", "b\ud800"] }),
  "too many tokens": () => source.trace(inputsOf({ texts: ["a b c d"] }), { max_tokens: 4 }),
  "too many to generate": () =>
    a({ generate: { ...generate, top_k: null, top_p: null, known: null } }),
  targets: () => a({ targets: ["b"] }),
  pairs: () => a({ pairs: ["b"] }),
  "no such head": () => a({ muted: [[0, 8, null]] }),
  "no such layer": () => a({ muted: [[3, 0, null]] }),
  "no such kind": () => a({ muted: [[0, 0, "cross"]] }),
  "no such cell": () => a({ masks: { blocked: [{ ...cell, layer: 0, query: 9 }] } }),
  "no such layer of a cell": () => a({ masks: { allowed: [{ ...cell, layer: 9 }] } }),
  "no rows": () => source.traceIds([]),
  "special id": () => source.traceIds([[5], [1]]),
  position: () => predict(a(), { top_k: 1, position: 5 }),
  temperature: () => predict(a(), { top_k: 1, temperature: 0 }),
  top_k: () => predict(a(), { top_k: 0 }),
  top_p: () => predict(a(), { top_k: 1, top_p: 0 }),
  token: () => predict(a(), { top_k: 1, tokens: [6232] }),
  nuclei: () => nuclei(a(), { top_p: 1.5 }),
  "lens position": () => lens(a(), { top_k: 1, position: -1 }),
  "lens top_k": () => lens(a(), { top_k: 0 }),
  "muted position": () => source.muteEffects(inputsOf(), { position: 99 }),
  "muted token": () => source.muteEffects(inputsOf(), { token: 6232 }),
};

test("errors are the server's, in words, code, field and limit", () => {
  assert.deepEqual(
    Object.keys(FAILS),
    expected.errors.map(({ name }) => name),
  );
  for (const { name, ...error } of expected.errors)
    assert.throws(FAILS[name], (found) => {
      assert.ok(found instanceof HeadlightError, `${name}: ${found.stack}`);
      const { message, code, field, limit } = found;
      assert.deepEqual({ message, code, field, limit }, error, name);
      return true;
    });
});

test("a model without a head predicts nothing, and a NaN is an error", () => {
  const trace = a();
  const unavailable = { code: "unavailable", field: "predict" };
  assert.throws(() => predict({ ...trace, unembed: null }, { top_k: 1 }), unavailable);
  assert.throws(() => lens({ ...trace, stages: null }, { top_k: 1 }), {
    ...unavailable,
    field: "analyse.lens",
  });
  const broken = { ...trace, unembed: () => new Float32Array([0, NaN]) };
  assert.throws(() => predict(broken, { top_k: 1 }), { code: "not_finite", status: 500 });
});

test("a model may embed more ids than its tokenizer has", () => {
  const files = shippedFiles();
  const { data } = files.weights.get("embedding.token.weight");
  const longer = new Float32Array(6235 * 128);
  longer.set(data); // then three tokens that are never likely: their logits are 0
  const weights = new Map(files.weights);
  weights.set("embedding.token.weight", { shape: [6235, 128], data: longer });
  const config = { transformer: { ...files.config.transformer, vocab_size: 6235 } };
  const wider = nativeSource("wider", { ...files, config, weights });
  const inputs = inputsOf({ texts: ["Maria saw herself in"] });
  const changes = (of) => of.muteEffects(inputs, {})[0].effects.map(({ change }) => change);
  const found = changes(wider);
  for (const [index, change] of changes(source).entries())
    assert.ok(Math.abs(found[index] - change) < 0.01, `${index}: ${found[index]}, not ${change}`);
  assert.throws(() => nativeSource("x", { ...files, config, weights: files.weights }), {
    code: "bad_checkpoint",
  });
});
