import assert from "node:assert/strict";
import test from "node:test";
import { overlayOf } from "../../static/js/draw/overlays.js";
import { barsBody, lensBody } from "../../static/js/draw/pictures/bars.js";
import { captioned, framed, wrapped } from "../../static/js/draw/pictures/frame.js";
import { gridBody } from "../../static/js/draw/pictures/grid.js";
import { headBody } from "../../static/js/draw/pictures/heatmap.js";
import { headsCsv } from "../../static/js/panels/save/csv.js";
import { FINDS } from "../../static/js/state/finds.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { rowCsv } from "../../static/js/views/inside/save.js";
import { cellsCsv } from "../../static/js/views/lines/save.js";
import { axisTitles } from "../../static/js/words/axes.js";
import { tabled } from "../../static/js/words/format.js";
import { editsInWords, fileName, textInWords } from "../../static/js/words/picture.js";

const paper = { ink: "#111", faint: "#666", line: "#ddd", panel: "#fff", font: "serif" };
const table = new Uint8ClampedArray(1024).fill(200);

/** Every mark, groups opened, where it stands in the picture. @param {any[]} marks @returns {any[]} */
const flat = (marks, dx = 0, dy = 0) =>
  marks.flatMap((mark) =>
    mark.mark === "group"
      ? flat(mark.marks, dx + mark.x, dy + mark.y)
      : [{ ...mark, x: mark.x + dx, y: mark.y + dy }],
  );
/** @param {any} scene */
const textsIn = ({ marks }) =>
  flat(marks).flatMap(({ text }) => (text === undefined ? [] : [text]));
/** @param {any} scene */
function assertInside({ width, height, marks }) {
  for (const mark of flat(marks)) {
    if (mark.mark === "path") continue;
    assert.ok(mark.x >= 0 && mark.x <= width, JSON.stringify(mark).slice(0, 200));
    assert.ok(mark.y >= 0 && mark.y <= height, JSON.stringify(mark).slice(0, 200));
  }
}

const body = {
  width: 100,
  height: 50,
  marks: [{ mark: "rect", x: 0, y: 0, width: 100, height: 50 }],
};

test("a picture has its title and what it is of, above its body", () => {
  const about = ["Text: “a”", "", "model shipped"];
  const scene = framed({ title: "Layer 1", more: "induction 0.9", about, body, paper });
  assert.deepEqual(textsIn(scene), ["Layer 1", "induction 0.9", "Text: “a”", "model shipped"]);
  assert.equal(scene.title, "Layer 1: induction 0.9");
  const [rect] = flat(scene.marks).filter(({ mark }) => mark === "rect");
  for (const { mark, y } of flat(scene.marks)) if (mark === "text") assert.ok(y < rect.y);
  assertInside(scene);
});

test("a picture with a title of its own gets its caption below", () => {
  const own = { ...body, font: "serif", ground: "#fff", title: "t" };
  const scene = captioned(own, ["one", "two"], paper);
  assert.deepEqual(textsIn(scene), ["one", "two"]);
  for (const { mark, y } of flat(scene.marks)) if (mark === "text") assert.ok(y > 50);
  assertInside(scene);
});

test("a long text is broken at spaces, and cut after some lines", () => {
  const lines = wrapped("word ".repeat(300), 400);
  assert.equal(lines.length, 3);
  assert.match(lines[2], /…$/);
  assert.deepEqual(wrapped("", 400), []);
  const start = performance.now();
  wrapped("x".repeat(20_000), 400);
  assert.ok(performance.now() - start < 200);
});

test("what was done to the model is said, and nothing else", () => {
  const said = (changes, muted = []) =>
    editsInWords({ masks: { ...OWN_MASKS, ...changes }, muted });
  assert.equal(said({}), "");
  assert.equal(
    said({ causal: false, padding: false, window: 3, blocked: [{}, {}], allowed: [{}] }, [[1, 2]]),
    "causal mask off · padding not masked · window of 3 · painted: 2 places blocked · painted: 1 place freed · muted: L1·H2",
  );
  assert.match(said({}, Array(9).fill([0, 0])), /^9 heads muted$/);
  const choice = { texts: ["a", "b\u202e"], targets: ["t"], pairs: ["p"] };
  const traits = { takes_targets: false, takes_pairs: false };
  assert.equal(textInWords(choice, 1, traits), "Text: “bU+202e” (text 2 of 2)");
  assert.match(
    textInWords(choice, 0, { takes_targets: true, takes_pairs: true }),
    /“a” and “p” to “t”/,
  );
});

test("a file has a name that every system takes", () => {
  assert.equal(fileName("org/my model", "layer", 1), "headlight-org-my-model-layer-1");
  assert.doesNotMatch(fileName("../../etc", 'a"<b>'), /[/\\"<>]/);
});

const labels = (n) => Array.from({ length: n }, (_, index) => `t${index}`);
const tokensOf = (n, second = n) =>
  labels(n).map((text, index) => ({ text, padding: false, segment: index >= second ? 1 : 0 }));
const head = (more = {}) => ({
  matrix: { rows: 6, cols: 9, data: Float32Array.from({ length: 54 }, (_, at) => at) },
  blocked: { rows: 6, cols: 9, data: new Uint8Array(54) },
  labels: { queries: labels(6), keys: labels(9) },
  zoom: null,
  paper,
  hatch: "#888",
  overlay: { veils: [], lines: [] },
  table,
  range: { low: 0, high: 54 },
  unit: "weight",
  titles: axisTitles("self"),
  ...more,
});

test("the head has every token, both axes, and the legend of its hatching", () => {
  const data = new Uint8Array(54);
  data[8] = 1;
  const made = headBody(head({ blocked: { rows: 6, cols: 9, data } }));
  const texts = textsIn(made);
  for (const text of [...labels(9), "keys →", "← queries", "weight", "blocked by the causal mask"])
    assert.ok(texts.includes(text), text);
  assertInside(made);
});

test("what is zoomed to is what is drawn", () => {
  const made = headBody(head({ zoom: [2, 4, 5, 20] }));
  const [cells] = made.marks.filter(({ mark }) => mark === "image");
  assert.deepEqual([cells.pixels.width, cells.pixels.height], [4, 2]);
  const texts = textsIn(made).filter((text) => /^t\d/.test(text));
  assert.deepEqual(texts, ["t2", "t3", "t5", "t6", "t7", "t8"]);
  const beyond = headBody(head({ zoom: [7, 9, 0, 1] }));
  assert.equal(textsIn(beyond).filter((text) => /^t\d/.test(text)).length, 15);
});

test("a head fills the width that it gets with square cells, or a height, too", () => {
  const made = (/** @type {any} */ more) => {
    const body = headBody(head(more));
    return { ...body, plot: body.marks.find(({ mark }) => mark === "image"), texts: textsIn(body) };
  };
  const right = ({ plot }) => plot.x + plot.width;
  for (const width of [150, 300, 900]) {
    const { plot, ...body } = made({ room: { width } });
    assert.equal(body.width, width);
    assert.ok(Math.abs(plot.width / 9 - plot.height / 6) < 1e-6);
    assert.ok(plot.width > width / 4, `${plot.width} of ${width}`);
    assertInside(body);
  }
  const high = made({ room: { width: 300, height: 700 } });
  assert.ok(Math.abs(high.height - 700) < 1 && high.plot.height > 550);
  assertInside(high);
  const [bar, none] = [true, false].map((bar) => made({ room: { width: 300 }, bar }));
  assert.ok(right(none) > right(bar) + 40);
  assert.ok(bar.texts.includes("weight") && !none.texts.includes("weight"));
  const numbers = made({ room: { width: 900 }, numbers: true }).texts;
  assert.ok(numbers.includes("53.00") && !made({ room: { width: 900 } }).texts.includes("53.00"));
});

test("the second segment begins at a line; cells that the filter leaves out are veiled", () => {
  const tokens = { queries: tokensOf(6, 2), keys: tokensOf(9, 4) };
  const block = { queries: [0, 2], keys: [4, 9] };
  const made = headBody(head({ overlay: overlayOf(tokens, block) }));
  const lines = made.marks.filter(({ mark, line }) => mark === "path" && line === 1.5);
  assert.equal(lines.length, 2);
  const plot = made.marks.find(({ mark }) => mark === "image");
  const [x1] = lines[0].d
    .match(/M([\d.]+)/)
    .slice(1)
    .map(Number);
  assert.ok(Math.abs(x1 - (plot.x + (plot.width * 4) / 9)) < 1e-6);
  const veiled = made.marks.filter(({ opacity }) => opacity === 0.8);
  const area = veiled.reduce((sum, { width, height }) => sum + width * height, 0);
  assert.ok(Math.abs(area / (plot.width * plot.height) - 44 / 54) < 1e-6);
  // the line of a segment that is out of sight is not drawn at the edge
  const zoomed = headBody(head({ overlay: overlayOf(tokens, null), zoom: [3, 6, 5, 9] }));
  assert.equal(zoomed.marks.filter(({ line }) => line === 1.5).length, 0);
});

test("all heads stand in rows of layers; those that are muted say so", () => {
  const matrix = { rows: 2, cols: 3, data: new Uint8Array(6) };
  const heads = (n) =>
    Array.from({ length: n }, (_, one) => ({
      head: one,
      matrix,
      words: "previous token .9",
      brief: "prev .9",
      muted: one === 1,
    }));
  const made = gridBody({
    layers: [
      { layer: 0, heads: heads(4) },
      { layer: 1, heads: heads(2) },
    ],
    table,
    range: { low: 0, high: 255 },
    paper,
  });
  assert.equal(made.marks.filter(({ mark }) => mark === "image").length, 6);
  assert.equal(textsIn(made).filter((text) => text === "muted").length, 2);
  assertInside(made);
  const lines = (/** @type {typeof made} */ picture) =>
    textsIn(picture).filter((text) => /prev|token/.test(text));
  const row = (/** @type {number} */ n) =>
    gridBody({
      layers: [{ layer: 0, heads: heads(n) }],
      table,
      range: { low: 0, high: 255 },
      paper,
    });
  assert.deepEqual([...new Set(lines(made))], ["previous token .9"]); // whole words
  const narrow = row(16);
  assert.deepEqual([...new Set(lines(narrow))], ["previous", "token .9"]);
  assertInside(narrow);
  const narrower = row(20);
  assert.deepEqual([...new Set(lines(narrower))], ["prev .9"]);
  assertInside(narrower);
  const crowd = row(32);
  assert.deepEqual(lines(crowd), []); // no room for words
  assertInside(crowd);
});

test("bars are as long as they should be, and many are cut with a word", () => {
  const bars = [
    { name: "</text>", value: "50%", start: 0, length: 0.5, fill: "red" },
    {
      name: "none",
      value: "",
      start: 0,
      length: 0,
      fill: "red",
      note: "this head is muted already",
    },
  ];
  const made = barsBody({
    bars,
    heads: { name: "token", value: "p", scale: ["0", "1"] },
    zero: 0,
    paper,
  });
  const rects = made.marks.filter(({ mark }) => mark === "rect");
  assert.deepEqual(
    rects.map(({ width }) => width),
    [150],
  );
  assert.ok(
    textsIn(made).includes("this head is muted already") && textsIn(made).includes("</text>"),
  );
  const many = barsBody({
    bars: Array(300).fill(bars[0]),
    heads: { name: "", value: "", scale: [] },
    zero: 0.5,
    paper,
  });
  assert.ok(textsIn(many).includes("… and 100 more"));
  assertInside(many);
});

test("the stages of the lens have their candidates", () => {
  const stages = [
    {
      name: "layer 0",
      meter: { text: "“a” 25%", share: 0.25 },
      leads: true,
      candidates: [
        { text: "a 25%", final: true },
        { text: "b 9%", final: false },
      ],
    },
  ];
  const made = lensBody({ stages, fill: "red", paper });
  assert.ok(["layer 0", "“a” 25%", "a 25%", "b 9%"].every((text) => textsIn(made).includes(text)));
  assertInside(made);
});

const AB = tabled(
  [
    { id: 7, text: " a", piece: "Ġa" },
    { id: 8, text: "b", piece: null },
  ],
  ["a", "b"],
);
/** @param {string} csv */
const linesOf = (csv) => csv.trimEnd().split("\r\n");

test("cells of several heads, one a line; a blocked one has no number", () => {
  const matrix = { rows: 1, cols: 2, data: Float32Array.from([0.5, 0]) };
  const csv = cellsCsv({
    heads: [
      { layer: 1, head: 2, matrix, blocked: Uint8Array.from([0, 1]) },
      { layer: 0, head: 0, matrix, blocked: null },
    ],
    queries: tabled([{ id: 5, text: "=", piece: null }], ['=1+"1']),
    keys: AB,
    unit: "weight",
  });
  assert.deepEqual(linesOf(csv), [
    '"layer","head","query","query id","query token","query piece","key","key id","key token","key piece","weight"',
    '1,2,0,5,"\'=1+""1","\'=",0,7,"a","Ġa",0.5',
    '1,2,0,5,"\'=1+""1","\'=",1,8,"b","b",',
    '0,0,0,5,"\'=1+""1","\'=",0,7,"a","Ġa",0.5',
    '0,0,0,5,"\'=1+""1","\'=",1,8,"b","b",0',
  ]);
});

test("a row has every step, a line for each key", () => {
  const k = { rows: 2, cols: 2, data: Float32Array.from([1, 2, 3, 4]) };
  const v = { rows: 2, cols: 1, data: Float32Array.from([10, 20]) };
  const made = linesOf(
    rowCsv({
      keys: AB,
      scale: 0.5,
      q: Float32Array.from([2, 3]),
      k,
      v,
      scores: Float32Array.from([4, 9]),
      pattern: Float32Array.from([0.25, 0]),
      blocked: Uint8Array.from([0, 1]),
    }),
  );
  assert.equal(
    made[0],
    '"key","key id","key token","key piece","q·k","scale","q·k × scale","score","blocked by","weight","q[0]","q[1]","k[0]","k[1]","q∘k[0]","q∘k[1]","v[0]","weight × v[0]"',
  );
  assert.equal(made[1], '0,7,"a","Ġa",8,0.5,4,4,"",0.25,2,3,1,2,2,6,10,2.5');
  assert.equal(made[2], '1,8,"b","b",18,0.5,9,9,"the causal mask",,2,3,3,4,6,12,20,0');
  const bare = rowCsv({
    keys: AB.slice(0, 1),
    scale: 1,
    q: null,
    k: null,
    v: null,
    scores: null,
    pattern: [1],
    blocked: [0],
  });
  assert.deepEqual(linesOf(bare), [
    '"key","key id","key token","key piece","blocked by","weight"',
    '0,7,"a","Ġa","",1',
  ]);
});

test("a score that is not defined is empty, not 0", () => {
  const one = (value) => ({ value, over: 5, reason: null });
  const names = FINDS.map(({ metric }) => metric).filter((name) => name !== "between");
  const scores = Object.fromEntries(names.map((name) => [name, one(0)]));
  scores.induction = one(null);
  const made = linesOf(headsCsv([{ site: "layers.0", layer: 0, head: 3, scores }]));
  const at = made[0].split(",").indexOf('"induction"');
  assert.deepEqual(
    made[1].split(","),
    ["0", "3", '""', ...names].map((one, index) => (index < 3 ? one : index === at ? "" : "0")),
  );
  assert.equal(names[at - 3], "induction");
});
