import assert from "node:assert/strict";
import test from "node:test";
import { colourAt } from "../../static/js/draw/color.js";
import { codeOf, codesIn, partOf } from "../../static/js/state/address/parts.js";
import { fitting, folded, grouped, largest } from "../../static/js/views/why/fold.js";
import { walked } from "../../static/js/views/why/matrix.js";
import { listed } from "../../static/js/views/why/pattern.js";
import { entryInWords, seenIn } from "../../static/js/views/why/reading.js";
import { cellOf, keyBy, offIn, switched, whyRequest } from "../../static/js/views/why/request.js";
import { cellCsv } from "../../static/js/views/why/save.js";
import { whyScene } from "../../static/js/views/why/scene.js";
import { sentencesOf, switchedInWords } from "../../static/js/views/why/sentences.js";
import { isExact, totalsOf } from "../../static/js/views/why/totals.js";
import { partInText, partLabel } from "../../static/js/views/why/words.js";
import { asked, selected } from "./explaining.mjs";
import { shipped } from "./models.mjs";

const EMBEDDING = { kind: "embedding", layer: null, site: null, head: null };
const HEAD = { kind: "head", layer: 0, site: "layers.0", head: 2 };
const MLP = { kind: "mlp", layer: 0, site: null, head: null };
const NORM = { kind: "norm", layer: 1, site: "layers.1", head: null };
const TABLE = {
  text: 0,
  site: "layers.1",
  layer: 1,
  head: 2,
  query: 2,
  key: 0,
  score: 5,
  query_parts: [EMBEDDING, HEAD, NORM],
  key_parts: [EMBEDDING, MLP],
  values: [
    [0.25, 0.5],
    [2.5, -0.75],
    [1.5, 0.5],
  ],
  soft_cap: null,
  bias: 0.5,
  remainder: 1e-6,
  scores: [5, 2, 0, 0, 0],
  pattern: [0.9, 0.08, 0.02, 0, 0],
  switched: null,
};
const TOKENS = { query: "“keys”", key: "“[BOS]”" };

test("a part has a code, which gives it back", () => {
  for (const [side, part, code] of [
    ["query", EMBEDDING, "q_embedding"],
    ["key", HEAD, "k_head_0_layers.0_2"],
    ["query", MLP, "q_mlp_0"],
    ["key", NORM, "k_norm_1_layers.1"],
    ["query", { ...MLP, kind: "mixer" }, "q_mixer_0"],
    ["key", { ...MLP, kind: "intervention" }, "k_intervention_0"],
    [
      "key",
      { ...HEAD, site: "decoder.layers.0.cross", head: 11 },
      "k_head_0_decoder.layers.0.cross_11",
    ],
  ]) {
    assert.equal(codeOf(side, part), code);
    assert.deepEqual(partOf(code), { side, part });
  }
});

test("what stands for attention, and what an intervention added, have names", () => {
  const mixer = { ...MLP, kind: "mixer" };
  const change = { ...MLP, kind: "intervention" };
  assert.equal(partLabel(mixer, "layers.1", "key"), "Layer 0, mixer");
  assert.equal(partLabel(change, "layers.1", "key"), "Layer 0, intervention");
  assert.match(
    partInText(mixer, "layers.1", "key", "“a”"),
    /stands for attention in layer 0 wrote at/,
  );
  assert.equal(partInText(change, "layers.1", "key", "“a”"), "what you changed in layer 0 at “a”");
});

test("in an encoder–decoder every part names its stack", () => {
  const cross = "decoder.layers.1.cross";
  const of = (site) => ({ ...HEAD, site });
  const rows = [
    [of("encoder.layers.0"), cross, "key", "Encoder 0, head 2"],
    [of("decoder.layers.0.self"), cross, "query", "Decoder 0, head 2"],
    [of("decoder.layers.0.cross"), cross, "query", "Decoder 0, cross head 2"],
    [MLP, cross, "query", "Decoder 0, feed-forward"],
    [MLP, cross, "key", "Encoder 0, feed-forward"],
    [EMBEDDING, cross, "key", "Encoder embedding"],
    [MLP, "decoder.layers.1.self", "key", "Decoder 0, feed-forward"],
    [MLP, "encoder.layers.1", "query", "Encoder 0, feed-forward"],
    [MLP, "layers.1", "query", "Layer 0, feed-forward"],
    [EMBEDDING, "layers.1", "key", "Embedding"],
  ];
  for (const [part, own, side, label] of rows) assert.equal(partLabel(part, own, side), label);
  assert.equal(
    partInText(MLP, cross, "key", "“a”"),
    "what the feed-forward network of encoder layer 0 wrote at “a”",
  );
  assert.equal(partInText(EMBEDDING, cross, "query", "“a”"), "the decoder’s embedding of “a”");
  assert.equal(
    partInText(of("decoder.layers.0.cross"), cross, "query", "“a”"),
    "what decoder layer 0, cross head 2 wrote at “a”",
  );
});

test("what is not a part is left out of an address", () => {
  const wrong = [
    "",
    "q",
    "v_mlp_0",
    "q_soul_0",
    "q_mlp_x",
    "q_mlp_0_<b>",
    "q_mlp_12345678",
    "Q_mlp_0",
  ];
  assert.deepEqual(codesIn([...wrong, "q_mlp_0", "k_mlp_0", "q_mlp_0"]), ["q_mlp_0", "k_mlp_0"]);
});

test("smaller parts are folded into one, and nothing is lost", () => {
  assert.deepEqual(
    grouped([1, 9, 2, 8, 3], 2, () => false),
    [[1], [3], [0, 2, 4]],
  );
  assert.deepEqual(
    grouped([1, 9, 2, 8, 3], 2, (place) => place === 2),
    [[1], [2], [3], [0, 4]],
  );
  assert.deepEqual(
    grouped([1, 9, 2], 2, () => false),
    [[0], [1], [2]],
  ); // one alone is not folded
  const n = 13;
  const values = Array.from({ length: n }, (_, row) =>
    Array.from({ length: n + 1 }, (_, column) => (row % 2 ? -1 : 1) * (row + 1) * (column + 2)),
  );
  const parts = (/** @type {number} */ many) =>
    Array.from({ length: many }, (_, head) => ({ ...HEAD, head }));
  const table = { values, query_parts: parts(n), key_parts: parts(n + 1) };
  const kept = (side, part) => side === "query" && part.head === 0;
  const shown = folded(table, { open: false, columns: 4, kept });
  assert.equal(shown.rows.length, 12); // ten, the kept one and the folded rest
  assert.deepEqual(shown.rows.at(-1).places, [1, 2]);
  assert.deepEqual(
    shown.columns.map(({ places }) => places.length),
    [1, 1, 1, 1, 10],
  );
  const sum = values.flat().reduce((a, b) => a + b, 0);
  for (const sums of [
    shown.values.flat(),
    shown.rows.map((one) => one.sum),
    shown.columns.map((one) => one.sum),
  ])
    assert.ok(Math.abs(sums.reduce((a, b) => a + b, 0) - sum) < 1e-9);
  const open = folded(table, { open: true, columns: 4, kept });
  assert.deepEqual([open.rows.length, open.columns.length], [n, n + 1]);
});

test("as many columns as fit", () => {
  assert.deepEqual([300, 577, 833, 2000].map(fitting), [4, 6, 10, 10]);
});

test("the largest entries are put into words, with the share of the score", () => {
  assert.deepEqual(largest(TABLE.values).slice(0, 2), [
    { row: 1, column: 0, value: 2.5 },
    { row: 2, column: 0, value: 1.5 },
  ]);
  assert.deepEqual(sentencesOf(TABLE, TOKENS, ""), [
    "In this head, “keys” gives “[BOS]” the score 5.00 and, after the softmax, 90.0% of its attention.",
    "Half of the score, 2.50, comes from what layer 0, head 2 wrote at “keys” meeting the embedding of “[BOS]”.",
    "Next comes the bias of the norm (the same at every token) meeting the embedding of “[BOS]”: +1.50.",
    "Most against it is what layer 0, head 2 wrote at “keys” meeting what the feed-forward network of layer 0 wrote at “[BOS]”: −0.75.",
  ]);
  assert.match(
    sentencesOf(TABLE, TOKENS, "the causal mask")[0],
    /but the causal mask blocks this cell/,
  );
  // a score near 0 has no shares
  const [, first] = sentencesOf({ ...TABLE, score: 0.001 }, TOKENS, "");
  assert.match(first, /^The largest part of it, \+2\.50, comes from/);
  // a negative score is explained by what makes it negative
  const [, most, against] = sentencesOf(
    {
      ...TABLE,
      score: -1,
      values: [
        [-2, 1],
        [0, 0],
        [0, 0],
      ],
    },
    TOKENS,
    "",
  );
  assert.match(most, /^The largest part of it, −2\.00/);
  assert.match(against, /^Most against it is .*: \+1\.00\.$/);
  assert.equal(
    sentencesOf(
      {
        ...TABLE,
        values: [
          [0, 0],
          [0, 0],
          [0, 0],
        ],
      },
      TOKENS,
      "",
    ).length,
    1,
  );
});

test("what switching off did is said", () => {
  const off = {
    score: 1,
    scores: [1, 2, 0, 0, 0],
    pattern: [0.2, 0.7, 0.1, 0, 0],
    head_pattern: null,
  };
  const keys = ["[BOS]", "The", "keys", "to", "the"];
  assert.equal(
    switchedInWords({ ...TABLE, switched: off }, TOKENS, keys, 2),
    "Without these 2 parts, “keys” gives “[BOS]” 20.0% of its attention instead of 90.0%. “keys” then looks most at “The”, with 70.0%.",
  );
  assert.equal(switchedInWords(TABLE, TOKENS, keys, 0), "");
});

test("the rows below the table sum to the score", () => {
  const rows = totalsOf(TABLE);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["pairs", "bias", "remainder", "score"],
  );
  const [pairs, bias, remainder, score] = rows.map(({ value }) => value);
  assert.ok(Math.abs(pairs + bias + remainder - score) < 1e-5);
  assert.ok(isExact(TABLE));
  assert.ok(!isExact({ remainder: 0.2, score: 5 }));
  assert.deepEqual(
    totalsOf({ ...TABLE, soft_cap: -1, switched: { score: 3 } }).map(({ name }) => name),
    ["pairs", "soft_cap", "bias", "remainder", "score", "without"],
  );
});

test("the keys with the most attention before or after are listed, in the order of the text", () => {
  const n = 40;
  const pattern = Array.from({ length: n }, (_, at) => (at < 30 ? (at + 1) / 1000 : 0));
  const blocked = Array.from({ length: n }, (_, at) => (at < 30 ? 0 : 1));
  const after = pattern.map((_, at) => (at === 0 ? 0.9 : 0));
  const shown = listed({ pattern, switched: { pattern: after }, key: 3 }, blocked);
  assert.deepEqual([shown.keys.length, shown.more, shown.blocked], [25, 5, 10]);
  assert.deepEqual(shown.keys.slice(0, 3), [0, 3, 7]);
});

test("arrow keys walk the grid, whose heads are at −1", () => {
  const size = /** @type {const} */ ([3, 4]);
  assert.deepEqual(walked([0, 0], "ArrowUp", size), [-1, 0]);
  assert.deepEqual(walked([-1, 0], "ArrowLeft", size), [-1, 0]); // no head of both
  assert.deepEqual(walked([2, 3], "ArrowRight", size), [2, 4]);
  assert.deepEqual(walked([3, 4], "ArrowDown", size), [3, 4]);
  assert.deepEqual(walked([1, 2], "Home", size), [1, -1]);
  assert.deepEqual(walked([1, 2], "End", size), [1, 4]);
  assert.equal(walked([1, 2], "x", size), null);
});

test("colours are symmetric about zero", () => {
  const table = Uint8ClampedArray.from({ length: 1024 }, (_, at) => Math.floor(at / 4));
  assert.deepEqual(
    [-2, -1, 0, 1].map((share) => colourAt(table, share)[0]),
    [0, 0, 128, 255],
  );
});

test("parts are switched on one side or on both", () => {
  assert.deepEqual(switched([], ["q_mlp_0"]), ["q_mlp_0"]);
  assert.deepEqual(switched(["q_mlp_0", "k_mlp_0"], ["q_mlp_0"]), ["k_mlp_0"]);
  assert.deepEqual(switched(["q_mlp_0"], ["q_mlp_0", "k_mlp_0"]), ["q_mlp_0", "k_mlp_0"]);
  assert.deepEqual(switched(["q_mlp_0", "k_mlp_0"], ["q_mlp_0", "k_mlp_0"]), []);
});

test("the request names the cell, and the parts that the site can have", () => {
  const off = ["q_mlp_0", "k_mlp_1", "k_norm_1_layers.1", "q_embedding"];
  const state = selected({ view: "why", query: 2, off });
  const { analyse, select } = whyRequest(state, shipped, true);
  assert.deepEqual(analyse.cell, {
    layer: 1,
    head: 2,
    kind: "self",
    text: 0,
    query: 2,
    key: 0,
    without: [
      { part: MLP, side: "query" },
      { part: NORM, side: "key" }, // a feed-forward network of layer 1 writes after this site
      { part: EMBEDDING, side: "query" },
    ],
  });
  assert.deepEqual(select, { layers: [] });
  assert.equal(whyRequest({ ...state, view: "lines" }, shipped, true), null);
  assert.equal(whyRequest(state, { ...shipped, tensors: ["pattern"] }, true), null);
  assert.equal(whyRequest(state, shipped, false), null);
  assert.equal(offIn({ off, layer: 1, kind: "cross" }, "decoder.layers.1.cross").length, 4);
});

test("the key is the chosen one, or the one with the largest weight", () => {
  const state = selected({ query: 3, off: [] });
  assert.deepEqual(cellOf(state), { query: 3, key: 2, n: 5 });
  assert.deepEqual(cellOf({ ...state, key: 1 }), { query: 3, key: 1, n: 5 });
  assert.deepEqual(cellOf({ ...state, key: 99 }), { query: 3, key: 4, n: 5 });
  assert.deepEqual([keyBy(state, -1), keyBy({ ...state, key: 4 }, 1)], [{ key: 1 }, { key: 4 }]);
});

const state = selected({
  view: "why",
  query: 2,
  off: [],
  why: asked({ target_tokens: null, cell: [TABLE] }),
});
const shown = folded(TABLE, { open: false, kept: () => false });

test("the answer is read once it is of the tokens on the page", () => {
  const seen = seenIn(state);
  assert.deepEqual(seen.tokens, TOKENS);
  assert.deepEqual([...seen.blocked], [0, 0, 0, 1, 1]);
  const other = asked({ cell: [TABLE], tokens: [[]] });
  assert.equal(seenIn({ ...state, why: other }), null);
  assert.equal(seenIn({ ...state, why: null }), null);
});

test("every number of the grid can be read in words", () => {
  const seen = seenIn(state);
  const read = (/** @type {[number, number]} */ at) => entryInWords(seen, shown, at);
  assert.equal(
    read([1, 0]),
    "+2.5000: what layer 0, head 2 wrote at “keys”, meeting the embedding of “[BOS]”. That is 50% of the score.",
  );
  assert.equal(
    read([1, 2]),
    "+1.7500: what layer 0, head 2 wrote at “keys”, meeting all parts of the key.",
  );
  assert.equal(read([-1, 0]), "+4.2500: the embedding of “[BOS]”, meeting all parts of the query.");
  assert.match(read([3, 2]), /^\+4\.5000: all parts of the query/);
});

test("a file has every pair, what else the score is the sum of, and the row", () => {
  const lines = cellCsv(seenIn(state)).trim().split("\r\n");
  assert.equal(lines.length, 1 + 6 + 4 + 2 * 5);
  assert.equal(lines[3], '"pair","Layer 0, head 2","Embedding",,,,,2.5,');
  assert.ok(lines.includes('"bias",,,,,,,0.5,'));
  assert.ok(lines.includes('"row_attention",,,1,1,"The","The",0.08,'));
});

test("the picture has every number of the table", () => {
  const paper = {
    ink: "rgb(17, 17, 17)",
    faint: "#444444",
    line: "#999999",
    panel: "rgb(255, 255, 255)",
    font: "serif",
  };
  const diverging = new Uint8ClampedArray(1024).fill(200);
  const scene = whyScene({ ...seenIn(state), shown, isOff: () => false }, diverging, paper);
  const written = scene.marks.flatMap((mark) => (mark.mark === "text" ? mark.text : []));
  for (const text of ["2.50", "−0.75", "Layer 0, head 2", "4.5000", "5.0000", "Sum"])
    assert.ok(written.includes(text), text);
  assert.equal(scene.marks.filter(({ mark }) => mark === "rect").length, 6);
  // its sentences wrap: on one line each, they would make the table small on paper
  const { table, tokens, mask } = seenIn(state);
  assert.ok(written.join(" ").includes(sentencesOf(table, tokens, mask).join(" ")));
  assert.ok(scene.width < 560, String(scene.width));
});
