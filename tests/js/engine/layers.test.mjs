// Layers with random settings and weights give Python's numbers (data/make_layers.py), and the cases worked by hand.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { attend, attentionConfig } from "../../../static/js/engine/core/attention.js";
import { Block, blockConfig } from "../../../static/js/engine/core/block.js";
import {
  checkPositions,
  Embedding,
  rotary,
  sinusoidal,
} from "../../../static/js/engine/core/embedding.js";
import { fromLists } from "../../../static/js/engine/tensor/tensor.js";
import { close, drawing } from "./tensors.mjs";

const { cases, ...expected } = JSON.parse(
  readFileSync(new URL("data/layers.json", import.meta.url), "utf8"),
);

/** The positions of make_layers.py: one text begins at 0, the other later. */
const POSITIONS = [
  [0, 1, 2],
  [700, 1000, 1001],
];
const CAUSAL = { shape: [1, 1, 3, 3], data: Uint8Array.of(1, 0, 0, 1, 1, 0, 1, 1, 1) };

for (const each of cases) {
  const { projections, softmax_over, n_heads, d_head, d_model } = each.attention;
  test(`layer ${each.seed}: ${projections}, norm ${each.block.norm}, softmax over ${softmax_over}`, () => {
    const attention = attentionConfig(each.attention);
    if (!attention.output && each.block.residual) assert.equal(n_heads * d_head, d_model);
    const randn = drawing(each.seed);
    const weights = new Map(
      Object.entries(each.shapes).map(([name, shape]) => [`blocks.7.${name}`, randn(...shape)]),
    );
    const block = new Block(blockConfig({ attention, ...each.block }), weights, "blocks.7.");
    const x = randn(2, 3, d_model);
    const [out, pass] = block.forward(x, {
      context: each.cross ? randn(2, 4, d_model) : null,
      mask: each.causal ? CAUSAL : null,
      rotary: each.rotary ? rotary(POSITIONS, d_head) : null,
      muted: each.muted && { shape: [1, n_heads], data: Uint8Array.from(each.muted[0]) },
    });
    const found = { x: out, ...pass, w_o_by_head: block.attention.w_o_by_head };
    for (const [name, tensor] of Object.entries(each.found)) {
      const size = Math.max(1, ...tensor.data.map(Math.abs));
      close(found[name], tensor, 4e-6 * size, name);
    }
  });
}

test("sinusoidal positions are Python's, far along too", () => {
  close(
    sinusoidal(
      [
        [0, 1, 2],
        [5, 100, 1023],
      ],
      6,
    ),
    expected.sinusoidal,
    1e-6,
  );
});

test("an embedding adds the position's vector to the token's", () => {
  const weights = new Map([
    [
      "embedding.token.weight",
      fromLists([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    ],
    [
      "embedding.learned.weight",
      fromLists([
        [10, 20],
        [30, 40],
      ]),
    ],
  ]);
  const of = (positions) =>
    new Embedding(positions, weights, "embedding.").forward([[2, 0]], [[0, 1]]);
  close(
    of("none"),
    fromLists([
      [
        [5, 6],
        [1, 2],
      ],
    ]),
  );
  close(
    of("rotary"),
    fromLists([
      [
        [5, 6],
        [1, 2],
      ],
    ]),
  );
  close(
    of("learned"),
    fromLists([
      [
        [15, 26],
        [31, 42],
      ],
    ]),
  );
  close(
    of("sinusoidal"),
    fromLists([
      [
        [5, 7],
        [1 + Math.sin(1), 2 + Math.cos(1)],
      ],
    ]),
  );
});

test("a row with nothing to attend to gives 0, and the others do not notice", () => {
  const randn = drawing(3);
  const [q, k, v] = [0, 1, 2].map(() => randn(1, 1, 2, 3));
  const mask = { shape: [1, 1, 2, 2], data: Uint8Array.of(0, 0, 1, 0) };
  const { scores, pattern, z } = attend(q, k, v, { mask, need: "all" });
  assert.deepEqual([...pattern.data], [0, 0, 1, 0]);
  assert.deepEqual([...z.data], [0, 0, 0, ...v.data.slice(0, 3)]);
  assert.ok(scores.data.every((score) => Number.isFinite(score) && score !== 0));
  assert.deepEqual(attend(q, k, v, { mask }), z);
});

test("a sink takes its share, however large it is", () => {
  const [q, k] = [fromLists([[[[0]]]]), fromLists([[[[1], [2]]]])];
  const shares = (sink) =>
    [...attend(q, k, k, { sink: fromLists([sink]), need: "all" }).pattern.data].map(
      (share) => +share.toFixed(6),
    );
  assert.deepEqual(shares(0), [0.333333, 0.333333]);
  assert.deepEqual(shares(1000), [0, 0]);
  assert.deepEqual(shares(-1000), [0.5, 0.5]);
});

test("large scores do not overflow, and a number that is not finite is passed on", () => {
  const of = (value) => {
    const one = fromLists([[[[value], [0]]]]);
    return [...attend(one, one, one, { scale: 1, need: "all" }).pattern.data];
  };
  assert.deepEqual(of(1e18), [1, 0, 0.5, 0.5]);
  assert.ok(of(Number.NaN).slice(0, 2).every(Number.isNaN));
});

test("impossible settings are refused by name", () => {
  const sizes = { d_model: 6, n_heads: 2, d_head: 3 };
  const refused = [
    [{ ...sizes, n_heads: 0 }, "n_heads"],
    [{ ...sizes, d_head: 2, projections: "none" }, "d_head"],
    [{ ...sizes, soft_cap: 0 }, "soft_cap"],
  ];
  for (const [settings, field] of refused)
    assert.throws(() => attentionConfig(settings), { code: "invalid_input", field });
  assert.throws(() => blockConfig({ attention: attentionConfig(sizes), d_ff: -1 }), {
    field: "d_ff",
  });
  const narrow = attentionConfig({ ...sizes, d_head: 2, output: false });
  assert.throws(() => blockConfig({ attention: narrow }), { field: "residual" });
  assert.equal(blockConfig({ attention: narrow, residual: false }).residual, false);
  assert.throws(() => checkPositions("rotary", 6, 3), { field: "d_head" });
  assert.throws(() => checkPositions("sinusoidal", 5, 2), { field: "d_model" });
  checkPositions("learned", 5, 3);
});
