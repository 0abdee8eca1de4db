// The numbers that five study notebooks printed, reproduced by the engine's attention, as tests/unit/test_golden.py does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  attend,
  attentionConfig,
  MultiHeadAttention,
} from "../../../static/js/engine/core/attention.js";
import { Generator } from "../../../static/js/engine/tensor/random.js";
import {
  concat,
  fromLists,
  linear,
  narrow,
  reshape,
  zeros,
} from "../../../static/js/engine/tensor/tensor.js";
import { close } from "./tensors.mjs";

const golden = (name) =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}.json`, import.meta.url), "utf8"));

/** 1 where a token may attend to itself or the past. */
const causal = (n) => ({
  shape: [1, 1, n, n],
  data: Uint8Array.from({ length: n * n }, (_, cell) => Number(cell % n <= Math.floor(cell / n))),
});

/** torch.randn and nn.Linear's weight, drawn in the order of the notebook. */
const drawing = (seed) => {
  const generator = new Generator(BigInt(seed));
  const randn = (shape) => ({ shape, data: generator.randn(zeros(shape).data.length) });
  const weight = (out, inner) => {
    const bound = 1 / Math.sqrt(inner);
    const drawn = zeros([out, inner]);
    for (let at = 0; at < drawn.data.length; at++)
      drawn.data[at] = generator.uniform() * 2 * bound - bound;
    return drawn;
  };
  return { randn, weight };
};

/** One text and head out of many, without the first two axes. */
const first = (x) => reshape(narrow(narrow(x, 0, 0, 1), 1, 0, 1), x.shape.slice(2));

/** x, W_k and W_q of the notebook's single head, drawn in this order. */
const singleHead = () => {
  const { randn, weight } = drawing(1337);
  return { x: randn([4, 8, 32]), key: weight(16, 32), query: weight(16, 32) };
};

test("a single head has the notebook's scores, and its pattern over keys and over queries", () => {
  const expected = golden("single_head");
  const { x, key, query } = singleHead();
  const one = (weight) => reshape(linear(narrow(x, 0, 0, 1), weight), [1, 1, 8, 16]);
  for (const softmax_over of ["key", "query"]) {
    const settings = { mask: causal(8), scale: 1, softmax_over, need: "all" };
    const { scores, pattern } = attend(one(query), one(key), one(key), settings);
    close(first(scores), fromLists(expected.scores), expected.tolerance);
    close(
      first(pattern),
      fromLists(expected[`pattern_softmax_over_${softmax_over}`]),
      expected.tolerance,
    );
    for (let cell = 0; cell < 64; cell++)
      if (cell % 8 > Math.floor(cell / 8)) assert.equal(pattern.data[cell], 0);
  }
});

test("a single head through the module gives the same", () => {
  const expected = golden("single_head");
  const { x, key, query } = singleHead();
  const config = attentionConfig({ d_model: 32, n_heads: 1, d_head: 16, output: false, scale: 1 });
  const weights = new Map([
    ["w_q.weight", query],
    ["w_k.weight", key],
    ["w_v.weight", key],
  ]);
  const module = new MultiHeadAttention(config, weights, "");
  const { q, k, v } = module.forward(x, { mask: causal(8) });
  const { scores, pattern } = attend(q, k, v, {
    mask: causal(8),
    ...module.settings(),
    need: "all",
  });
  close(first(scores), fromLists(expected.scores), expected.tolerance);
  close(first(pattern), fromLists(expected.pattern_softmax_over_key), expected.tolerance);
});

test("averaging is attention with a scale of 0", () => {
  const expected = golden("averaging");
  const x = drawing(0).randn([1, 8, 3]);
  const given = { d_model: 3, n_heads: 1, d_head: 3, projections: "none", output: false, scale: 0 };
  const module = new MultiHeadAttention(attentionConfig(given), new Map(), "");
  const { q, k, v, output } = module.forward(x, { mask: causal(8) });
  const { pattern } = attend(q, k, v, { mask: causal(8), ...module.settings(), need: "all" });
  close(first(pattern), fromLists(expected.pattern), expected.tolerance);
  for (let at = 0; at < 8; at++)
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let past = 0; past <= at; past++) sum += x.data[past * 3 + channel];
      assert.ok(Math.abs(output.data[at * 3 + channel] - sum / (at + 1)) < 1e-6);
    }
});

test("softmax sharpens as scores grow", () => {
  const expected = golden("sharpening");
  // one query of 1 against keys that are the logits: q·k is the logits themselves
  const q = reshape(fromLists([1]), [1, 1, 1, 1]);
  const k = reshape(fromLists(expected.logits), [1, 1, expected.logits.length, 1]);
  for (const [scale, name] of [
    [1, "softmax"],
    [expected.times, "softmax_times"],
  ]) {
    const { pattern } = attend(q, k, k, { scale, need: "all" });
    close(
      reshape(pattern, [expected.logits.length]),
      fromLists(expected[name]),
      expected.tolerance,
    );
  }
});

/** q, k, v of the first sequence, unpacked from the projection: heads of (q, k, v). */
const paddedBatch = () => {
  const expected = golden("padded_batch");
  const packed = fromLists([expected.qkv_packed_head_qkv_dhead]); // batch head position (qkv d_head)
  const parts = [0, 2, 4].map((start) => narrow(packed, 3, start, start + 2));
  return { expected, parts };
};

test("a padded batch without its mask is what the notebook printed", () => {
  const { expected, parts } = paddedBatch();
  const [q, k, v] = parts;
  const { scores, pattern, z } = attend(q, k, v, { need: "all" });
  close(
    reshape(scores, scores.shape.slice(1)),
    fromLists(expected.scores_scaled),
    expected.tolerance,
  );
  close(
    reshape(pattern, pattern.shape.slice(1)),
    fromLists(expected.pattern_without_mask),
    expected.tolerance,
  );
  const heads = [0, 1].map((head) => reshape(narrow(z, 1, head, head + 1), z.shape.slice(2)));
  close(concat(heads, 1), fromLists(expected.z_concatenated), expected.tolerance);
});

test("a padded batch with its mask gives padding exactly nothing", () => {
  const { expected, parts } = paddedBatch();
  const [q, k, v] = parts;
  const real = expected.ids[0].map((id) => Number(id !== 0));
  const mask = { shape: [1, 1, 4, 4], data: Uint8Array.from([real, real, real, real].flat()) };
  const { pattern } = attend(q, k, v, { mask, need: "all" });
  const without = fromLists(expected.pattern_without_mask);
  for (let row = 0; row < 8; row++) {
    const [a, b, c, d] = pattern.data.subarray(4 * row, 4 * row + 4);
    assert.deepEqual([c, d], [0, 0]);
    const [x, y] = without.data.subarray(4 * row, 4 * row + 2);
    assert.ok(Math.abs(a - x / (x + y)) <= 2 * expected.tolerance);
    assert.ok(Math.abs(b - y / (x + y)) <= 2 * expected.tolerance);
  }
});

test("the padded batch's packed projection comes apart in the order that it was packed in", () => {
  const { expected, parts } = paddedBatch();
  const config = attentionConfig({
    d_model: 4,
    n_heads: 2,
    d_head: 2,
    projections: "fused",
    packing: "head qkv d_head",
    output: false,
  });
  const module = new MultiHeadAttention(config, new Map([["w_qkv.weight", zeros([12, 4])]]), "");
  const packed = fromLists([expected.qkv_packed_head_qkv_dhead]);
  const heads = [0, 1].map((head) => reshape(narrow(packed, 1, head, head + 1), [1, 4, 6]));
  module.unpack(concat(heads, 2)).forEach((part, which) => {
    close(part, parts[which], 0);
  });
});
