import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { flow, MAX_TOKENS } from "../../../static/js/engine/analysis/flow.js";
import { METRICS } from "../../../static/js/engine/analysis/metrics.js";
import { rollout } from "../../../static/js/engine/analysis/rollout.js";
import { headScores, sinkShare } from "../../../static/js/engine/analysis/scores.js";
import { isPunctuation } from "../../../static/js/engine/analysis/words.js";
import { siteMask } from "../../../static/js/engine/masks/mask.js";
import { maskSettings } from "../../../static/js/engine/masks/rules.js";
import { Generator } from "../../../static/js/engine/tensor/random.js";
import { isNear, nested, scored } from "./near.mjs";

const { made_up, punctuation } = JSON.parse(
  readFileSync(new URL("data/analyses.json", import.meta.url), "utf8"),
);
const TEXTS = ["[PAD]", "[BOS]", ",", "␣", " \"x'", "—", "$␣"];

/** @param {number} id */
const token = (id) => ({
  id,
  text: TEXTS[id] ?? ` w${id}`,
  start: 0,
  end: 0,
  special: id < 2,
  padding: id === 0,
  segment: 0,
  generated: false,
});

/** @param {number[][][][]} pattern (batch, head, query, key) @param {object} rest */
function site(pattern, rest = {}) {
  const [n_heads, n_query, n_key] = [
    pattern[0].length,
    pattern[0][0].length,
    pattern[0][0][0].length,
  ];
  return {
    name: "layers.0",
    kind: "self",
    layer: 0,
    n_heads,
    n_kv_heads: n_heads,
    scale: 1,
    q: null,
    k: null,
    v: null,
    stored_pattern: {
      shape: [pattern.length, n_heads, n_query, n_key],
      data: Float32Array.from(pattern.flat(3)),
    },
    bias: null,
    gate: null,
    minus: null,
    soft_cap: null,
    sink: null,
    softmax_over: "key",
    mask_applied: "before",
    w_o: null,
    muted: [],
    query_tokens: "tokens",
    key_tokens: "tokens",
    ...rest,
  };
}

/** @param {number[][]} rows @param {object[]} sites @param {number[][] | null} targets */
const traceOf = (rows, sites, targets = null) => ({
  model: "m",
  tokens: rows.map((row) => row.map(token)),
  target_tokens: targets?.map((row) => row.map(token)) ?? null,
  sites,
  stages: null,
  unembed: null,
  token_text: null,
  special_ids: new Set(),
  predicts: null,
  read_at: null,
  settings: null,
});

const open = { ...maskSettings(), causal: false };

/** @param {number[][]} rows @param {object} settings @param {number} layer @param {object} [rest] */
const maskOf = (rows, settings, layer, rest = {}) =>
  siteMask(settings, {
    layer,
    kind: "self",
    n_query: rows[0].length,
    n_key: rows[0].length,
    n_heads: 2,
    real_keys: {
      shape: [rows.length, rows[0].length],
      data: Uint8Array.from(rows.flat(), (id) => Number(id !== 0)),
    },
    causal: true,
    ...rest,
  });

made_up.forEach(({ rows, masks, sites, ...expected }, number) => {
  const trace = traceOf(
    rows,
    sites.map(({ muted, pattern }, layer) =>
      site(pattern, { name: `layers.${layer}`, layer, muted, mask: maskOf(rows, masks, layer) }),
    ),
  );
  test(`the scores of made-up heads are Python's, case ${number}`, () => {
    rows.forEach((_, text) => {
      for (const specials of [false, true]) {
        const found = headScores(trace, text, specials).map(scored);
        isNear(found, expected.scores[text][Number(specials)], `text ${text}, ${specials}`);
      }
      isNear(sinkShare(headScores(trace, text)), expected.sink_share[text]);
    });
  });
  test(`rollout and flow of made-up patterns are Python's, case ${number}`, () => {
    isNear(rollout(trace), expected.rollout, "rollout");
    isNear(flow(trace), expected.flow, "flow");
  });
});

test("a token is punctuation if it has a mark or symbol, and neither letter nor digit", () => {
  for (const [text, is] of Object.entries(punctuation)) assert.equal(isPunctuation(text), is, text);
  // a sign of Unicode 17 and a letter of Unicode 15, which the server does not know
  for (const [text, is] of [
    ["\ufbd1", false],
    [".\ufbd1", true],
    [".\u{11f04}", true],
  ])
    assert.equal(isPunctuation(text), is);
});

test("between two texts only what needs no common places is scored", () => {
  const row = [0.25, 0.5, 0.25];
  const mask = maskOf([[7, 8, 9]], open, 0, { n_query: 2, kind: "cross" });
  const cross = site(
    [
      [
        [row, row],
        [row, row],
      ],
    ],
    { kind: "cross", query_tokens: "target_tokens", mask },
  );
  const trace = traceOf([[1, 7, 7]], [cross], [[7, 8]]);
  const { scores } = headScores(trace, 0)[0];
  for (const { name, one_text } of METRICS.filter((metric) => metric.one_text)) {
    assert.equal(one_text, true);
    assert.equal(scores[name].reason, "queries and keys come from two texts", name);
  }
  assert.deepEqual(scores.first_token, { value: 0.25, over: 2, reason: null });
  assert.deepEqual(scores.special_mass, { value: 0.25, over: 2, reason: null });
});

test("there are no scores of a text that is not there", () => {
  assert.throws(() => headScores(traceOf([[7]], []), 1), { code: "invalid_input" });
});

test("a decoder with cross-attention has no rollout and no flow, but an encoder has", () => {
  const pattern = [
    [
      [
        [1, 0],
        [0.5, 0.5],
      ],
      [
        [1, 0],
        [0.5, 0.5],
      ],
    ],
  ];
  const rest = { mask: maskOf([[7, 8]], open, 0) };
  const [own, cross] = ["self", "cross"].map((kind) => site(pattern, { ...rest, kind }));
  const encoder = site(pattern, { ...rest, kind: "encoder" });
  for (const [analysis, field] of [
    [rollout, "analyse.rollout"],
    [flow, "analyse.flow"],
  ]) {
    for (const sites of [[], [own, cross]]) {
      const trace = traceOf([[7, 8]], sites);
      assert.throws(() => analysis(trace), { code: "unavailable", field });
    }
    isNear(analysis(traceOf([[7, 8]], [encoder, cross])), [
      [
        [1, 0],
        [0.25, 0.75],
      ],
    ]);
  }
});

test("a text of several stripes is read as a whole", () => {
  const n = 300;
  const ids = Array.from({ length: n }, (_, index) => 7 + index);
  const pattern = ids.map((_, i) => ids.map((_, j) => (j <= i ? 1 / (i + 1) : 0)));
  const sites = [0, 1].map((layer) =>
    site([[pattern]], { layer, mask: maskOf([ids], { ...open, causal: true }, layer) }),
  );
  const trace = traceOf([ids], sites);
  const mean = (from) =>
    ids.slice(from).reduce((sum, _, k) => sum + 1 / (from + k + 1), 0) / (n - from);
  const { previous_token, mean_offset } = headScores(trace, 0)[1].scores;
  isNear(previous_token, { value: mean(1), over: n - 1, reason: null });
  isNear(mean_offset, { value: (n - 1) / 4, over: n, reason: null });
  const mixed = pattern.map((row, i) => row.map((share, j) => (share + Number(i === j)) / 2));
  const found = nested(rollout(trace))[0];
  for (const i of [0, 255, 256, 299]) {
    const row = ids.map((_, first) =>
      mixed[i].reduce((sum, share, j) => sum + share * mixed[j][first], 0),
    );
    isNear(found[i], row, `row ${i}`);
  }
});

/** The smallest cut between a top and a bottom token, by trying all: it equals the flow. @param {number[][][]} layers @param {number} query @param {number} key */
function leastCut(layers, query, key) {
  const n = layers[0].length;
  const inner = n * (layers.length - 1);
  return Math.min(
    ...Array.from({ length: 2 ** inner }, (_, sides) => {
      /** @param {number} layer @param {number} place */
      const isAbove = (layer, place) => {
        if (layer === 0) return place !== key;
        if (layer === layers.length) return place === query;
        return ((sides >> (n * (layer - 1) + place)) & 1) === 1;
      };
      let cut = 0;
      layers.forEach((rows, layer) => {
        rows.forEach((row, i) => {
          row.forEach((capacity, j) => {
            if (isAbove(layer + 1, i) && !isAbove(layer, j)) cut += capacity;
          });
        });
      });
      return cut;
    }),
  );
}

test("the flow is the least cut, also where a search takes back what an earlier one sent", () => {
  const [n, ids] = [4, [7, 8, 9, 10]];
  for (let seed = 0; seed < 10; seed++) {
    const numbers = new Generator(seed).randn(3 * n * n).map((number) => Math.exp(3 * number));
    const patterns = [0, 1, 2].map((layer) =>
      ids.map((_, i) => {
        const row = [...numbers.subarray((layer * n + i) * n, (layer * n + i + 1) * n)];
        const sum = row.reduce((all, each) => all + each, 0);
        return row.map((each) => each / sum);
      }),
    );
    const sites = patterns.map((pattern, layer) =>
      site([[pattern]], { layer, mask: maskOf([ids], open, layer, { n_heads: 1 }) }),
    );
    const capacities = patterns.map((rows) =>
      rows.map((row, i) => row.map((share, j) => (share + Number(i === j)) / 2)),
    );
    const found = flow(traceOf([ids], sites));
    const cuts = ids.map((_, query) => ids.map((_, key) => leastCut(capacities, query, key)));
    isNear(found, [cuts], `seed ${seed}`);
  }
});

test("what widens below a narrow place passes no more, and flow worked by hand", () => {
  const layers = [
    [
      [1, 0],
      [0.5, 0.5],
    ],
    [
      [1, 0],
      [0.8, 0.2],
    ],
  ].map((pattern, layer) =>
    site([[pattern, pattern]], { layer, mask: maskOf([[7, 8]], open, layer) }),
  );
  // to token 0: 0.4 by way of token 0, and 0.25, which is all that token 1 passes on; to token 1: 0.6 of 0.75
  isNear(flow(traceOf([[7, 8]], layers)), [
    [
      [1, 0],
      [0.65, 0.6],
    ],
  ]);
  isNear(flow(traceOf([[7, 8]], layers.toReversed())), [
    [
      [1, 0],
      [0.65, 0.6],
    ],
  ]);
  assert.equal(MAX_TOKENS, 24);
});
