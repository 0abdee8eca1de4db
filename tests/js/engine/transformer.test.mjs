// Small random models in the page, held to what Python computes (data/transformers.json).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { checkedConfig, readWeights } from "../../../static/js/engine/core/checkpoint.js";
import { Transformer, transformerConfig } from "../../../static/js/engine/core/transformer.js";
import { sliced } from "../../../static/js/engine/slices.js";
import { fromLists } from "../../../static/js/engine/tensor/tensor.js";
import { shippedFile } from "./shipped.mjs";
import { close } from "./tensors.mjs";

const data = JSON.parse(readFileSync(new URL("data/transformers.json", import.meta.url), "utf-8"));
const NEAR = 2e-6;

const bits = (list) => {
  const { shape, data } = fromLists(list);
  return { shape, data: Uint8Array.from(data) };
};

/** @returns {ArrayBuffer} */
const fileOf = ({ weights }) => Uint8Array.from(Buffer.from(weights, "base64")).buffer;

function modelOf(one) {
  const weights = readWeights(fileOf(one));
  return new Transformer(checkedConfig({ transformer: one.config }, weights), weights);
}

for (const one of data.cases) {
  const { positions, causal } = one.config;
  test(`as in Python: ${positions} positions, ${causal ? "causal" : "not causal"}`, () => {
    const model = modelOf(one);
    const pass = model.forward(data.ids, { record: true });
    close(pass.stages, fromLists(one.stages), NEAR, "stages");
    close(pass.attention[1].q, fromLists(one.q), NEAR, "q");
    close(pass.resid, fromLists(one.stages.at(-1)), NEAR, "resid");
    const [last] = one.stages.at(-1);
    const logits = model.unembed(Float32Array.from(last.at(-1)));
    close({ shape: [9], data: logits }, fromLists(one.logits), NEAR, "logits");
    const edited = model.forward(data.ids, {
      positions: data.positions,
      masks: [null, bits(data.mask)],
      muted: bits(data.muted),
    });
    close(edited.resid, fromLists(one.edited), NEAR, "edited");
    assert.deepEqual([edited.attention, edited.stages], [[], null]);
  });
}

test("a pass can begin at a layer", () => {
  const model = modelOf(data.cases[0]);
  const whole = model.forward(data.ids, { record: true });
  const stream = whole.streams[1];
  const from = { layer: 1, stream };
  close(model.forward(data.ids, { from }).resid, whole.resid, 0);
  const half = { shape: stream.shape, data: stream.data.map((value) => value / 2) };
  const other = model.forward(data.ids, { from: { layer: 1, stream: half } });
  assert.notDeepEqual(other.resid.data, whole.resid.data);
});

test("several rows are unembedded at once, and the work ends a slice after each layer", () => {
  const model = modelOf(data.cases[0]);
  let slices = 0;
  const { resid } = sliced(
    () => slices++,
    () => model.forward(data.ids),
  );
  assert.equal(slices, 2);
  const together = model.unembed(resid.data);
  assert.equal(together.length, 2 * 5 * 9);
  const third = model.unembed(resid.data.subarray(20, 30));
  close({ shape: [9], data: together.slice(18, 27) }, { shape: [9], data: third }, 1e-7);
});

test("sizes are checked as in Python", () => {
  const sizes = { vocab_size: 5, d_head: 3 };
  assert.throws(() => transformerConfig(sizes), { code: "invalid_input", field: "d_head" });
  assert.throws(() => transformerConfig({ vocab_size: 0 }), {
    message: "vocab_size must be at least 1; got 0.",
    field: "vocab_size",
  });
  assert.throws(() => transformerConfig({ vocab_size: 5, positions: "wavy" }), {
    message: "positions must be one of none, learned, sinusoidal, rotary; got 'wavy'.",
    field: "positions",
  });
  assert.equal(transformerConfig({ vocab_size: 5 }).d_mlp, 512);
});

test("weights are float32 whatever the file holds, and the shipped file is read as it is", () => {
  const weights = readWeights(shippedFile("model.safetensors"));
  const { shape, data } = weights.get("embedding.token.weight");
  assert.deepEqual(shape, [6232, 128]);
  assert.ok(data instanceof Float32Array);
});

test("weights that do not suit their configuration are refused, with the name of the first", () => {
  const [one] = data.cases;
  const changed = (change) => {
    const weights = readWeights(fileOf(one));
    const config = { transformer: { ...one.config } };
    change(weights, config.transformer);
    return () => checkedConfig(config, weights);
  };
  const wrong = { code: "bad_checkpoint", status: 503 };
  const cases = [
    [/blocks.1.mlp.0.bias with the shape \[14\]; got none/, (w) => w.delete("blocks.1.mlp.0.bias")],
    [/expected norm.bias with the shape \[10\]; got \[9\]/, (w) => w.set("norm.bias", zeros(9))],
    [/blocks.2.x is unknown/, (w) => w.set("blocks.2.x", zeros(1))],
    [/not finite, in norm.weight/, (w) => w.get("norm.weight").data.fill(NaN, 3, 4)],
    [/embedding.token.weight with the shape \[8, 10\]/, (_, config) => (config.vocab_size = 8)],
    [/config.json is not a native configuration: n_layers/, (_, config) => (config.n_layers = 0)],
  ];
  for (const [message, change] of cases) assert.throws(changed(change), { ...wrong, message });
  assert.throws(() => checkedConfig({}, new Map()), { ...wrong, message: /no transformer/ });
  assert.throws(() => checkedConfig(null, new Map()), wrong);
  const file = fileOf(one);
  assert.throws(() => readWeights(file.slice(0, -1)), { ...wrong, message: /cut short/ });
  assert.throws(() => readWeights(new ArrayBuffer(3)), wrong);
});

const zeros = (n) => ({ shape: [n], data: new Float32Array(n) });
