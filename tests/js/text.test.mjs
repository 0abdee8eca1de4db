import assert from "node:assert/strict";
import test from "node:test";
import { toSvg } from "../../static/js/draw/scene.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { weightsCsv } from "../../static/js/views/text/save.js";
import { textScene } from "../../static/js/views/text/scene.js";
import { directionOf, shadesOf, stepOf, wordsOf } from "../../static/js/views/text/tokens.js";
import {
  headsOf,
  meanOf,
  partsIn,
  textRequest,
  weightsIn,
  wholeRequest,
} from "../../static/js/views/text/weights.js";
import { notes, percent, sentence, titleOf, under } from "../../static/js/views/text/words.js";
import { tabled } from "../../static/js/words/format.js";
import { shipped, t5 } from "./models.mjs";

const state = {
  model: "shipped",
  models: [shipped, t5],
  texts: ["a b"],
  targets: [],
  pairs: null,
  masks: OWN_MASKS,
  muted: [],
  scratch: { mechanism: "multi-head" },
  shown: 0,
  query: null,
  view: "text",
  kind: "self",
  layer: 1,
  head: 4,
  over: "head",
  role: "query",
  overlay: [],
  next: null,
  segments: "all",
  detail: null,
  text: null,
};

/** @param {string[]} names */
const tokensOf = (names) =>
  names.map((text, id) => ({
    id,
    text,
    start: 2 * id,
    end: 2 * id + 1,
    special: false,
    padding: false,
    segment: 0,
  }));

const THREE = tokensOf(["a", "b", "c"]);
const site = {
  name: "layers.1",
  kind: "self",
  layer: 1,
  heads: [4, 6],
  muted: [],
  softmax_over: "key",
  query_tokens: "tokens",
  key_tokens: "tokens",
};
const detail = {
  site,
  head: 4,
  text: 0,
  queries: THREE,
  keys: THREE,
  row: 2,
  block: null,
  pooled: null,
  queryLabels: ["a", "b", "c"],
  keyLabels: ["a", "b", "c"],
  exact: "all",
  blocks: [],
  scores: null,
};

/** @param {number[]} data @param {number} [cols] */
const square = (data, cols = 3) => ({
  rows: data.length / cols,
  cols,
  data: Float32Array.from(data),
});
const CAUSAL = { ...square([]), rows: 3, data: Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0]) };
const FREE = { ...CAUSAL, data: new Uint8Array(9) };
const FIRST = {
  pattern: square([1, 0, 0, 0.25, 0.75, 0, 0.5, 0.3, 0.2]),
  blocked: CAUSAL,
  full: 1,
};
const SECOND = {
  pattern: square([0.6, 0.3, 0.1, 0.75, 0.25, 0, 0, 0.5, 0.5]),
  blocked: FREE,
  full: 1,
};

test("one head, every head of the layer, or the set with the selected one", () => {
  assert.deepEqual(headsOf(state, shipped), [[1, 4]]);
  const layer = headsOf({ ...state, over: "layer" }, shipped);
  assert.deepEqual(layer.length, 8);
  assert.deepEqual(layer[7], [1, 7]);
  const overlay = [
    [2, 3],
    [1, 4],
    [0, 9],
  ]; // the last is not a head of this model
  assert.deepEqual(headsOf({ ...state, over: "set", overlay }, shipped), [
    [1, 4],
    [2, 3],
  ]);
});

test("it asks for nothing that the page has, and for a long text in bytes", () => {
  assert.equal(textRequest(state, shipped), null);
  assert.equal(textRequest({ ...state, over: "set" }, shipped), null); // the selected head alone
  const layer = { ...state, over: "layer" };
  assert.equal(textRequest({ ...layer, view: "lines" }, shipped), null);
  const { select } = textRequest(layer, shipped);
  assert.deepEqual(select, {
    tensors: ["pattern", "blocked_by"],
    layers: [1],
    heads: [0, 1, 2, 3, 4, 5, 6, 7],
  });
  const long = { ...layer, texts: ["word ".repeat(200)] };
  assert.equal(textRequest(long, shipped).select.dtype, "uint8");
  assert.equal(textRequest(long, shipped).select.resolution, 1024);
  assert.equal(wholeRequest(long, shipped).select.dtype, undefined); // what is saved is exact
});

test("a row is where a token looks, a column who looks at it; a mean is over heads", () => {
  assert.deepEqual([...meanOf([SECOND], "query", 0).values].map(rounded), [0.6, 0.3, 0.1]);
  assert.deepEqual([...meanOf([SECOND], "key", 0).values].map(rounded), [0.6, 0.75, 0]);
  const both = meanOf([FIRST, SECOND], "key", 1);
  assert.deepEqual([...both.values].map(rounded), [0.15, 0.5, 0.4]);
});

test("a token is blocked only where every head is, and bytes are not exact", () => {
  assert.deepEqual([...meanOf([FIRST], "query", 0).blocked], [0, 1, 1]);
  assert.deepEqual([...meanOf([FIRST, SECOND], "query", 0).blocked], [0, 0, 0]);
  assert.deepEqual([...meanOf([FIRST], "key", 2).blocked], [1, 1, 0]);
  assert.equal(meanOf([FIRST, SECOND], "query", 0).exact, true);
  const bytes = { pattern: { ...CAUSAL, data: Uint8Array.from([51, 0, 0]) }, blocked: CAUSAL };
  const found = meanOf([{ ...bytes, full: 255 }], "query", 0);
  assert.equal(found.exact, false);
  assert.equal(rounded(found.values[0]), 0.2);
});

test("heads are found in an answer whose mask is of all heads, and of another text", () => {
  const shape = [2, 2, 3, 3];
  const data = Float32Array.from({ length: 36 }, (_, at) => at);
  const bits = Uint8Array.from({ length: 18 }, (_, at) => at);
  const answer = {
    trace: { tokens: [THREE, THREE], sites: [site] },
    tensors: new Map([
      ["layers.1.pattern", { shape, data }],
      ["layers.1.blocked_by", { shape: [2, 1, 3, 3], data: bits }],
    ]),
  };
  const [part] = partsIn(answer, [[1, 6]], { ...detail, text: 1 });
  assert.equal(part.pattern.data[0], 27);
  assert.equal(part.blocked.data[0], 9);
  assert.equal(partsIn(answer, [[1, 5]], detail), null); // not every head is there
  assert.equal(partsIn(answer, [[1, 6]], { ...detail, keys: THREE.slice(1) }), null); // pooled
});

test("of a long text the rows that came are exact, and the rest is rounded", () => {
  const row = { shape: [1, 1, 1, 3], data: Float32Array.from([0.123, 0.877, 0]) };
  const bits = { shape: [1, 1, 1, 3], data: Uint8Array.from([0, 0, 1]) };
  const tensors = new Map([
    ["layers.1.pattern", row],
    ["layers.1.blocked_by", bits],
  ]);
  const long = {
    ...detail,
    pattern: FIRST.pattern,
    blocked: CAUSAL,
    exact: [1, 2],
    blocks: [{ start: 1, stop: 2, tensors }],
  };
  const weights = weightsIn(state, long, [[1, 4]]);
  assert.equal(weights("query", 1).exact, true);
  assert.equal(rounded(weights("query", 1).values[0]), 0.123);
  assert.equal(weights("query", 2).exact, false);
  assert.equal(weights("key", 1).exact, false);
  const pooled = weightsIn(state, { ...long, pooled: { rows: 2, cols: 2 } }, [[1, 4]]);
  assert.equal(pooled("key", 1), null);
  assert.equal(pooled("query", 2), null);
  assert.equal(pooled("query", 1).exact, true);
});

test("a share is never said to be more or less than it is", () => {
  assert.deepEqual([0.97, 0.996, 1, 0.99961, 0.01, 0.0099, 0].map(percent), [
    "97%",
    "99.6%",
    "100%",
    "100%",
    "1%",
    "<\u202f1%",
    "0%",
  ]);
  assert.deepEqual([0.5, 0.004].map(under), ["50%", ""]);
});

test("the sentence says where a token looks, and who looks at it", () => {
  const labels = ["Mary", "saw", "the", "the", "herself"];
  const of = (values, blocked = [0, 0, 0, 0, 0]) => ({ values, blocked, exact: true });
  const say = (role, weights) => sentence(role, 4, labels, labels, weights);
  assert.equal(
    say("query", of([0.96, 0.03, 0.006, 0.004, 0])),
    "“herself” gives 96% to “Mary”, 3% to “saw” and less than 1% to each of 3 other tokens.",
  );
  assert.equal(
    say("key", of([0, 0.5, 0.2, 0, 0.02], [2, 0, 0, 2, 0])),
    "“herself” is looked at by “saw” (50%), “the” (token 2, 20%) and “herself” (2%).",
  );
  assert.equal(
    say("query", of([0.3, 0.25, 0.2, 0.15, 0.1])),
    "“herself” gives 30% to “Mary”, 25% to “saw”, 20% to “the” (token 2), 15% to “the” (token 3) and less to one other token.",
  );
  const all = [1, 1, 1, 1, 1];
  assert.match(say("query", of([0, 0, 0, 0, 0], all)), /looks at nothing: every token is blocked/);
  assert.match(say("key", of([0, 0, 0, 0, 0], all)), /^No token looks at “herself”/);
  assert.match(say("key", null), /are not available/);
});

test("the notes say what is hatched, rounded, muted, and of how many heads", () => {
  const heads = [
    [1, 4],
    [2, 3],
  ];
  const muted = { ...state, over: "set", muted: [[2, 3]] };
  const said = notes(muted, detail, heads, { ...meanOf([FIRST], "query", 0), exact: false });
  assert.match(said, /Mean of 2 heads: L1 · H4, L2 · H3\./);
  assert.match(said, /Hatched tokens are blocked by the causal mask\./);
  assert.match(said, /rounded to 1\/255/);
  assert.match(said, /1 of these heads is muted/);
  assert.equal(
    titleOf({ over: "layer" }, site, 4, [...heads, [0, 0]]),
    "Layer 1 · mean of its 3 heads",
  );
  const alone = { ...state, muted: [[1, 4]] };
  assert.match(notes(alone, detail, [[1, 4]], null), /This head is muted/);
});

test("tokens stand as in the text: pieces touch, lines break, Hebrew is read from the right", () => {
  const given = [
    { ...THREE[0], text: "[BOS]", special: true, start: 0, end: 0 },
    { ...THREE[0], text: "mir", start: 0, end: 3 },
    { ...THREE[0], text: "ror", start: 3, end: 6 },
    { ...THREE[0], text: " \n", start: 6, end: 8 },
    { ...THREE[0], text: "on", start: 8, end: 10, segment: 1 },
  ];
  const words = wordsOf(given);
  assert.deepEqual(
    words.map(({ joined }) => joined),
    [false, false, true, false, false],
  );
  assert.equal(words[3].breaks, true);
  assert.equal(directionOf(words), "ltr");
  assert.equal(directionOf(wordsOf([given[0], { ...given[1], text: "שלום" }])), "rtl");
});

test("letters have 4.5 to 1 on every colour", () => {
  const table = new Uint8ClampedArray(1024);
  for (let step = 0; step < 256; step += 1) table.fill(step, 4 * step, 4 * step + 3);
  const luminance = (step) => {
    const share = step / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  shadesOf(table).forEach(({ fill, dark }, step) => {
    assert.equal(fill, `rgb(${step}, ${step}, ${step})`);
    const [low, high] = [luminance(step) + 0.05, dark ? 1.05 : 0.05];
    assert.ok(Math.max(low, high) / Math.min(low, high) >= 4.5);
  });
  assert.deepEqual(
    [0, 0.5, 1].map((weight) => stepOf(weight, "linear")),
    [0, 128, 255],
  );
  assert.equal(stepOf(0.01, "log"), 128);
});

test("a picture has every token, its weights, and hatching where it is blocked", () => {
  const paper = { ink: "rgb(1, 1, 1)", faint: "grey", line: "silver", panel: "white", font: "f" };
  const colours = { sequential: new Uint8ClampedArray(1024), paper, hatch: "teal", accent: "red" };
  const weights = meanOf([FIRST], "query", 1);
  const of = { detail, two: false, role: "query", place: 1, weights, steps: "linear" };
  const scene = textScene({ ...of, title: "T", about: ["said"], colours });
  const svg = toSvg(scene);
  for (const text of ["a", "b", "c", "25%", "75%", "said"])
    assert.ok(svg.includes(`>${text}<`), text);
  assert.equal(svg.match(/stroke="teal"/g).length, 1);
  assert.equal(svg.match(/stroke="red"/g).length, 1);
  const many = tokensOf(Array.from({ length: 300 }, (_, at) => `word${at}`));
  const none = { ...of, detail: { ...detail, queries: many, keys: many }, weights: null };
  const tall = textScene({ ...none, title: "T", about: [], colours });
  assert.equal(tall.width, scene.width);
  assert.ok(tall.height > 5 * scene.height);
});

/** @param {import("../../static/js/views/text/weights.js").Part[]} parts */
const of = (parts) => (/** @type {"query" | "key"} */ role, /** @type {number} */ place) =>
  meanOf(parts, role, place);

test("what is saved has a line for each cell, and nothing where it is blocked", () => {
  const tokens = tabled(
    [7, 8, 9].map((id) => ({ id, text: `t${id}`, piece: null })),
    ["a", "b", "c"],
  );
  const lines = weightsCsv(tokens, tokens, of([FIRST, SECOND]), 2).split("\r\n");
  assert.equal(lines.length, 11);
  assert.match(lines[0], /"mean weight of 2 heads"/);
  assert.equal(lines[4], '1,8,"b","t8",0,7,"a","t7",0.5');
  const one = weightsCsv(tokens, tokens, of([FIRST]), 1).split("\r\n");
  assert.equal(one[2], '0,7,"a","t7",1,8,"b","t8",');
});

/** @param {number} value */
const rounded = (value) => Math.round(1e6 * value) / 1e6;
