import assert from "node:assert/strict";
import test from "node:test";
import { MEASURED, measure } from "../../static/js/numbers/measures.js";

/** @param {string} text @param {boolean} [padding] */
const token = (text, padding = false) => ({ text, padding });

/**
 * An answer of one layer, a text of three words (or what is given), heads of two channels.
 * @param {object} parts
 * @param {number[][][]} parts.pattern head, query, key
 * @param {number[][][]} [parts.blocked_by] one for all heads
 * @param {number[][][]} [parts.scores]
 * @param {number[][][]} [parts.z]
 * @param {number[][][]} [parts.norms]
 * @param {object} [parts.site]
 * @param {any[]} [parts.tokens]
 * @param {object} [parts.trace]
 * @returns {any}
 */
function answer({ site = {}, tokens = words("the cat sat"), trace = {}, ...tensors }) {
  const held = Object.entries(tensors).map(([name, heads]) => {
    const shape = [1, heads.length, heads[0].length, heads[0][0].length];
    return [`layers.0.${name}`, { shape, data: Float32Array.from(heads.flat(2)) }];
  });
  const heads = tensors.pattern.map((_, head) => head);
  return {
    trace: {
      model: "scratch",
      tokens: [tokens],
      target_tokens: null,
      predictions: null,
      sites: [
        {
          name: "layers.0",
          kind: "self",
          layer: 0,
          heads,
          scale: 0.5,
          softmax_over: "key",
          query_tokens: "tokens",
          key_tokens: "tokens",
          blocked_rows: [],
          blocked_columns: [],
          ...site,
        },
      ],
      ...trace,
    },
    tensors: new Map(/** @type {any} */ (held)),
  };
}

/** @param {string} text */
const words = (text) => text.split(" ").map((word) => token(word));

/** @param {string} name @param {any} now @param {any} [reference] @param {number} [head] @returns {any} */
const of = (name, now, reference = null, head = 0) =>
  measure(/** @type {any} */ (name), { now, reference, state: { head }, text: 0 });

/** @param {number} a @param {number} b */
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

const OPEN = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];
const CAUSAL = [
  [0, 1, 1],
  [0, 0, 1],
  [0, 0, 0],
];
const rows = [
  [0.5, 0.25, 0.25],
  [0.25, 0.5, 0.25],
  [0.125, 0.125, 0.75],
];
const columns = [
  [0.5, 0.5, 0.75],
  [0.25, 0.25, 0.125],
  [0.25, 0.25, 0.125],
];

test("sums are of rows and columns, of the selected head, before → now", () => {
  const now = answer({ pattern: [rows, columns] });
  assert.deepEqual(of("row_sums", now).values, {
    row_least: 1,
    row_most: 1,
    column_least: 0.875,
    column_most: 1.25,
  });
  const found = of("row_sums", now, null, 1);
  assert.deepEqual([found.values.row_least, found.values.row_most], [0.625, 1.75]);
  const wrong = of("row_sums", answer({ pattern: [columns] }), answer({ pattern: [rows] }));
  assert.equal(wrong.sentence, "Row sums 1 → 0.625 to 1.75; column sums 0.875 to 1.25 → 1.");
});

test("a padding query is not a row, and shares out its part of a column", () => {
  const tokens = [token("the"), token("cat"), token("", true)];
  const { values } = of("row_sums", answer({ pattern: [columns], tokens }));
  assert.deepEqual(values, { row_least: 0.625, row_most: 1.75, column_least: 1, column_most: 1 });
});

test("entropy is in nats along the softmax, beside an even share of what is allowed", () => {
  const pattern = [
    [
      [1, 0, 0],
      [0.5, 0.5, 0],
      [1 / 3, 1 / 3, 1 / 3],
    ],
  ];
  const { values } = of("entropy", answer({ pattern, blocked_by: [CAUSAL] }));
  const even = (Math.log(2) + Math.log(3)) / 3;
  close(values.head_0, even);
  close(values.mean, even);
  close(values.uniform, even);
  const over = answer({ pattern: [columns], site: { softmax_over: "query" } });
  // the first column is 1/2, 1/4, 1/4, as the second; the third 3/4, 1/8, 1/8
  const first = 1.5 * Math.log(2);
  const third = 0.75 * Math.log(4 / 3) + 0.25 * Math.log(8);
  close(of("entropy", over).values.mean, (2 * first + third) / 3);
  close(of("entropy", over).values.uniform, Math.log(3));
});

test("the entropy of each head is told, before and now", () => {
  const sure = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const even = [0, 1, 2].map(() => [1 / 3, 1 / 3, 1 / 3]);
  const { sentence } = of(
    "entropy",
    answer({ pattern: [sure, even] }),
    answer({ pattern: [even, even] }),
  );
  assert.equal(
    sentence,
    "Entropy of each head 1.1, 1.1 → 0, 1.1 nats; an even distribution has 1.1.",
  );
});

test("what a mask after the softmax took is not part of the entropy", () => {
  const halves = [
    [0.2, 0, 0],
    [0.25, 0.25, 0],
    [0.1, 0.1, 0.1],
  ];
  const { values } = of("entropy", answer({ pattern: [halves], blocked_by: [CAUSAL] }));
  close(values.mean, values.uniform);
});

test("the variance of the scores stands beside scale² · d_head, over what is allowed", () => {
  const scores = [
    [
      [1, 99, 99],
      [3, 1, 99],
      [3, 1, 3],
    ],
  ];
  const z = [Array.from({ length: 3 }, () => [0, 0, 0, 0, 0, 0, 0, 0])];
  const now = answer({ pattern: [rows], scores, z, blocked_by: [CAUSAL] });
  const { values, sentence } = of("variance", now);
  close(values.measured, 1); // 1 and 3, three times each
  assert.equal(values.theory, 2); // 0.5² · 8
  assert.match(sentence, /Variance of the scores 1;.* scale² · d_head = 0\.5² · 8 = 2\./);
  const bare = answer({
    pattern: [rows],
    scores,
    z,
    blocked_by: [OPEN],
    site: { scale: 1 },
  });
  assert.match(of("variance", bare).sentence, /would give d_head = 8\./);
});

test("without projections a token with itself is not a sample: q and k are one vector there", () => {
  const scores = [
    [
      [50, 1, 1],
      [3, 50, 1],
      [3, 3, 50],
    ],
  ];
  const z = [[[0], [0], [0]]];
  const trace = { scratch: { mechanism: "dot-product" } };
  const now = answer({ pattern: [rows], scores, z, blocked_by: [OPEN], trace });
  close(of("variance", now).values.measured, 1);
});

test("the share of padding is over all heads, of real queries alone", () => {
  const tokens = [token("the"), token("cat"), token("", true)];
  const pattern = [
    rows,
    [
      [0.5, 0.1, 0.4],
      [0.2, 0.5, 0.3],
      [0, 0, 1],
    ],
  ];
  const { values } = of("padding", answer({ pattern, tokens }));
  close(values.most, 0.4);
  close(values.total, 0.4);
  assert.equal(of("padding", answer({ pattern })), null);
});

test("the future is what stands after the query", () => {
  close(of("future", answer({ pattern: [rows] })).values.most, 0.25);
  const cross = { query_tokens: "target_tokens" };
  const two = answer({ pattern: [rows], site: cross, trace: { target_tokens: [words("a b c")] } });
  assert.equal(of("future", two), null);
});

test("slices without a distribution are counted for the head and the text", () => {
  const blocked_rows = [
    { text: 0, head: null, index: 0 },
    { text: 0, head: 1, index: 2 },
    { text: 1, head: null, index: 1 },
  ];
  const now = answer({ pattern: [rows, rows], site: { blocked_rows } });
  assert.deepEqual(of("blocked", now).values, { rows: 1, columns: 0 });
  assert.equal(
    of("blocked", now).sentence,
    "Row 0 has no distribution: its weights and its z are 0.",
  );
  assert.match(of("blocked", now, null, 1).sentence, /^Rows 0 and 2 have no distribution/);
  const open = answer({ pattern: [rows] });
  assert.equal(of("blocked", open).sentence, "Every row has a distribution.");
  const down = (/** @type {number[][]} */ pattern, /** @type {any[]} */ blocked_columns) =>
    of("blocked", answer({ pattern: [pattern], site: { softmax_over: "query", blocked_columns } }));
  const holed = [
    [0, 0, 0],
    [0.5, 1, 0],
    [0.5, 0, 0],
  ];
  const found = down(holed, [{ text: 0, head: null, index: 2 }]);
  const told = "Column 2 has no distribution: its weights are 0.";
  assert.equal(found.sentence, `${told} The weights and the z of row 0 are 0.`);
  assert.deepEqual(found.values, { rows: 1, columns: 1 });
  assert.equal(down(rows, []).sentence, "Every column has a distribution.");
});

const z = [
  [
    [1, 0],
    [0, 1],
    [1, 1],
  ],
];

test("a change is the largest of a channel of z, or none at all", () => {
  const before = answer({ pattern: [rows], z });
  const other = [[[1, 0.5], ...z[0].slice(1)]];
  const found = of("change", answer({ pattern: [rows], z: other }), before);
  assert.equal(found.values.most, 0.5);
  assert.match(of("change", before, before).sentence, /did not change at all/);
  assert.equal(of("change", before), null);
  assert.equal(of("change", answer({ pattern: [rows], z, tokens: words("a b c") }), before), null);
});

test("real tokens are paired wherever the padding stands", () => {
  const [pad, the, cat] = [token("", true), token("the"), token("cat")];
  const right = answer({ pattern: [rows], z, tokens: [the, cat, pad] });
  const moved = [[[9, 9], ...z[0].slice(0, 2)]];
  const left = answer({ pattern: [rows], z: moved, tokens: [pad, the, cat] });
  assert.equal(of("change", left, right).values.most, 0);
});

test("a head is as far from the reference as the share of attention that moved", () => {
  const other = [[0.5, 0, 0.5], rows[1], rows[2]];
  const found = of("heads", answer({ pattern: [rows, other] }), answer({ pattern: [rows, rows] }));
  assert.equal(found.values.head_0, 0);
  close(found.values.head_1, 0.25 / 3);
  const fewer = answer({ pattern: [rows] });
  assert.equal(of("heads", answer({ pattern: [rows, rows] }), fewer), null);
});

test("a pattern is not a transpose of itself: the cell where it is least so", () => {
  const found = of("transpose", answer({ pattern: [rows], blocked_by: [OPEN] }));
  assert.deepEqual(found.values, { most: 0.125, query: 0, key: 2, there: 0.25, back: 0.125 });
  assert.equal(found.sentence, "Largest difference: “the” → “sat” 0.25, “sat” → “the” 0.125.");
  const causal = of("transpose", answer({ pattern: [rows], blocked_by: [CAUSAL] }));
  assert.match(causal.sentence, /only one direction/);
});

test("the first column has a share of the weight, and one of what the head moves", () => {
  const norms = [
    [
      [0, 1, 1],
      [0, 1, 0],
      [1, 0, 0],
    ],
  ];
  const { values } = of("first_column", answer({ pattern: [rows], norms }));
  close(values.weight, 0.875 / 3);
  close(values.moved, 0.25);
  assert.deepEqual(Object.keys(of("first_column", answer({ pattern: [rows] })).values), ["weight"]);
});

test("words in another order are found again by what they say", () => {
  const before = answer({ pattern: [rows], z });
  const turned = [[z[0][2], z[0][0], z[0][1]]];
  const tokens = words("sat the cat");
  const found = of("order", answer({ pattern: [rows], z: turned, tokens }), before);
  assert.deepEqual([found.values.most, found.values.moved], [0, 3]);
  const placed = [[z[0][0], z[0][2], z[0][1]]];
  close(of("order", answer({ pattern: [rows], z: placed, tokens }), before).values.most, 1);
  assert.equal(of("order", answer({ pattern: [rows], z, tokens: words("the cat") }), before), null);
});

test("the likeliest token, before and now", () => {
  const mat = { predictions: [[{ id: 3, text: " mat", probability: 0.25 }]] };
  const dog = { predictions: [[{ id: 4, text: " dog", probability: 0.5 }]] };
  const now = answer({ pattern: [rows], trace: dog });
  const found = of("prediction", now, answer({ pattern: [rows], trace: mat }));
  assert.equal(found.sentence, "Most likely: “mat” (25%) → “dog” (50%).");
  assert.deepEqual(found.values, { probability: 0.5, reference: 0.25, same: 0 });
  assert.equal(of("prediction", answer({ pattern: [rows] })), null);
});

test("no measure breaks on a text without words, nor on an answer without matrices", () => {
  const none = answer({ pattern: [[[1]]], tokens: [token("", true)] });
  const bare = answer({ pattern: [rows] });
  bare.tensors.clear();
  for (const name of MEASURED) {
    assert.equal(of(name, none), null, name);
    assert.equal(of(name, bare), null, name);
  }
});
