import assert from "node:assert/strict";
import test from "node:test";
import { COLOURS } from "../../static/js/draw/color.js";
import { toSvg } from "../../static/js/draw/scene.js";
import { matrixIn, sameTokens } from "../../static/js/numbers/heads.js";
import { overlaid, withHeads, withoutHead } from "../../static/js/state/overlay.js";
import { coloursOf } from "../../static/js/views/lines/heads.js";
import { labelled } from "../../static/js/views/lines/labels.js";
import { paperOf } from "../../static/js/views/lines/paper.js";
import { focusOf, pictureOf, sidesOf } from "../../static/js/views/lines/picture.js";
import { overlayRequest } from "../../static/js/views/lines/request.js";
import { geometryOf, heightFor, lineMarks, tokenAt } from "../../static/js/views/lines/scene.js";
import {
  fadedIn,
  given,
  linesOf,
  placesOf,
  received,
  strongest,
  sumAt,
  weightAt,
} from "../../static/js/views/lines/strengths.js";
import { captionOf, notes, numbersOf } from "../../static/js/views/lines/words.js";
import { shipped, t5, unloaded } from "./models.mjs";

/** @param {number[][]} rows */
const matrix = (rows) => ({
  rows: rows.length,
  cols: rows[0].length,
  data: Float32Array.from(rows.flat()),
});
const close = (/** @type {number} */ a, /** @type {number} */ b) =>
  assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

const token = (/** @type {string} */ text, more = {}) => ({
  id: 1,
  text,
  start: 0,
  end: 0,
  special: false,
  padding: false,
  segment: 0,
  generated: false,
  ...more,
});
const TOKENS = [
  token("[BOS]", { special: true, id: 9 }),
  token("The"),
  token(" cat"),
  token(" sat"),
];
const PATTERN = [
  [1, 0, 0, 0],
  [0.75, 0.25, 0, 0],
  [0.5, 0.125, 0.375, 0],
  [0.5, 0.25, 0.125, 0.125],
];
const CAUSAL = Uint8Array.from([0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0]);

const state = {
  model: "shipped",
  texts: ["The cat sat"],
  targets: [],
  pairs: null,
  masks: {},
  muted: [],
  kind: "self",
  layer: 1,
  head: 2,
  query: null,
  matrix: "pattern",
  lacks: {},
  view: "lines",
  pinned: [],
  overlay: [],
  mass: 1,
  specials: "shown",
  overlays: null,
  detail: null,
};
const answer = {
  trace: {
    tokens: [TOKENS],
    target_tokens: null,
    sites: [{ name: "layers.0", kind: "self", layer: 0, heads: [3, 5] }],
  },
  tensors: new Map([
    [
      "layers.0.pattern",
      {
        shape: [1, 2, 4, 4],
        data: Float32Array.from([...PATTERN.flat(), ...PATTERN.flat().reverse()]),
      },
    ],
  ]),
};
const own = { trace: answer.trace, tensors: new Map() };
const detail = {
  site: { name: "layers.1", kind: "self", layer: 1, query_tokens: "tokens", key_tokens: "tokens" },
  head: 2,
  text: 0,
  queries: TOKENS,
  keys: TOKENS,
  block: null,
  row: 3,
  queryLabels: ["[BOS]", "The", "cat", "sat"],
  keyLabels: ["[BOS]", "The", "cat", "sat"],
  pattern: matrix(PATTERN),
  norms: null,
  rollout: null,
};
const blocked = { rows: 4, cols: 4, data: CAUSAL };
/** @param {object} changes @param {[number, number][]} heads */
const picture = (changes = {}, heads = [], about = detail) =>
  pictureOf({ ...state, detail: own, ...changes }, about, blocked, heads);

test("the threshold keeps the fewest keys that hold 80% of the row", () => {
  const kept = (/** @type {Float64Array} */ row, /** @type {number} */ mass) => [
    ...strongest(row, mass),
  ];
  // 0.5 + 0.25 = 0.75 is too little, with 0.125 it is 0.875; of the two keys with 0.125 the first
  assert.deepEqual(kept(Float64Array.of(0.5, 0.125, 0.25, 0.125), 0.8), [1, 1, 1, 0]);
  // 0.5 + 0.3 is 80% exactly, and in float32 a little more or less
  const row = Float64Array.from(Float32Array.of(0.3, 0.2, 0.5));
  assert.deepEqual(kept(row, 0.8), [1, 0, 1]);
  assert.deepEqual(kept(Float64Array.of(0.25, 0.25, 0.25, 0.25), 0.5), [1, 1, 0, 0]);
  assert.deepEqual(kept(Float64Array.of(0, 0), 0.8), [0, 0]);
  assert.deepEqual(kept(Float64Array.of(3, 1), 0.75), [1, 0]); // of its own sum
});

test("special tokens are shown, hidden as they are, or hidden with the rest made to sum to 1", () => {
  assert.deepEqual(placesOf(TOKENS, "shown"), [0, 1, 2, 3]);
  const hidden = picture({ specials: "hidden" });
  assert.deepEqual(hidden.shown, { from: [1, 2, 3], to: [1, 2, 3] });
  close(weightAt(hidden.series[0], 3, 1), 0.25);
  const rest = picture({ specials: "renormalised" });
  close(weightAt(rest.series[0], 3, 1), 0.5);
  close(weightAt(rest.series[0], 2, 2), 0.75);
  close(
    received(rest.series, [3])[0]
      .subarray(1)
      .reduce((sum, one) => sum + one),
    1,
  );
  const drawn = (/** @type {any} */ one) =>
    notes(one, linesOf(one.series, one.shown, one.faded), 0).join(" ");
  assert.match(drawn(hidden), /do not sum to 1, because special tokens are hidden/);
  assert.match(drawn(rest), /divided by what is left/);
  assert.doesNotMatch(drawn(picture()), /special/);
});

test("the threshold is of the keys that are shown", () => {
  // of the row of "sat" 0.25, 0.125 and 0.125 are left: half of it is the first
  const { series } = picture({ specials: "hidden", mass: 0.5 });
  const kept = [1, 2, 3].map((key) => series[0].kept[3 * 4 + key]);
  assert.deepEqual(kept, [1, 0, 0]);
  const { groups } = linesOf(series, { from: [3], to: [1, 2, 3] }, { queries: [], keys: [] });
  assert.deepEqual(
    groups.map(({ ends }) => ends),
    [[3, 1]],
  );
});

test("a row with nothing but hidden keys draws no line", () => {
  const { series, shown, faded } = picture({ specials: "renormalised" }, [], {
    ...detail,
    pattern: matrix([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]),
  });
  const drawn = linesOf(series, shown, faded);
  assert.deepEqual([drawn.full, drawn.count, drawn.groups], [0, 0, []]);
});

test("pinned queries are summed, and the one under the pointer is read alone", () => {
  const one = picture();
  const pins = focusOf(one, null, [1, 3, 99]);
  assert.deepEqual([pins.kind, pins.rows], ["pins", [1, 3]]);
  assert.deepEqual([...pins.received[0]], [1.25, 0.5, 0.125, 0.125]);
  assert.equal(captionOf(one, 2), "sum of 2 rows");
  assert.match(numbersOf(one, pins, detail).what, /^sum of 2 rows \(1 The, 3 sat\):$/);
  const query = focusOf(one, { side: "queries", place: 2 }, [1, 3]);
  assert.deepEqual([...query.received[0]], [0.5, 0.125, 0.375, 0]);
  assert.deepEqual(query.part, { from: [2], to: [0, 1, 2, 3] });
  assert.deepEqual(numbersOf(one, query, detail).numbers[0], { name: "0 [BOS]", value: "0.5000" });
  assert.equal(numbersOf(one, query, detail).what, "query 2 cat looks at:");
  const pin = focusOf(one, null, [3]);
  assert.equal(numbersOf(one, pin, detail).what, "query 3 sat looks at:"); // not a sum of one row
  const key = focusOf(one, { side: "keys", place: 1 }, []);
  assert.deepEqual([...(key.given?.[0] ?? [])], [0, 0.25, 0.125, 0.25]);
  assert.deepEqual(key.part.to, [1]);
  assert.deepEqual(focusOf(one, null, []).rows, [0, 1, 2, 3]);
});

test("a pinned token that is hidden is not in the sum, and the words say so", () => {
  const one = picture({ specials: "hidden" });
  const focus = focusOf(one, { side: "queries", place: 0 }, [0, 3]);
  assert.deepEqual([focus.kind, focus.rows], ["pins", [3]]);
  const drawn = linesOf(one.series, focus.part, one.faded);
  assert.match(
    notes(one, drawn, 1).join(" "),
    /1 pinned token is hidden and left out of the sum\./,
  );
});

test("padding is not summed until it is pinned", () => {
  const tokens = [...TOKENS.slice(0, 3), token("[PAD]", { padding: true, special: true })];
  const one = picture({}, [], { ...detail, queries: tokens, keys: tokens });
  assert.deepEqual(focusOf(one, null, []).rows, [0, 1, 2]);
  assert.deepEqual(focusOf(one, null, [3]).rows, [3]);
  assert.deepEqual(fadedIn(tokens, [1, 4]), [true, false, false, true]);
});

test("a blocked cell has no line, whatever the matrix says", () => {
  const loud = { ...detail, pattern: matrix(PATTERN.map((row) => row.map(() => 0.25))) };
  const { series, shown, faded } = picture({}, [], loud);
  const ends = linesOf(series, shown, faded).groups.flatMap(({ ends }) => ends);
  for (let i = 0; i < ends.length; i += 2) assert.ok(ends[i + 1] <= ends[i]);
  assert.equal(ends.length, 2 * 10);
});

test("lines are as strong as their weight, in steps, the strongest in front", () => {
  const { series, shown, faded } = picture();
  const { full, groups, total } = linesOf(series, shown, faded);
  assert.deepEqual([full, total], [1, 10]);
  const levels = groups.map(({ level }) => level);
  assert.deepEqual(levels, [2, 4, 6, 8, 12, 16]);
  assert.deepEqual(groups[0].ends, [2, 1, 3, 2, 3, 3]);
  assert.deepEqual(groups[5].ends, [0, 0]);
});

test("too many lines are cut to the strongest, and of equal ones some stand for all", () => {
  const { series, shown, faded } = picture();
  const few = linesOf(series, shown, faded, 4);
  assert.deepEqual([few.cut, few.count, few.least], [true, 4, 0.5]);
  const same = { ...detail, pattern: matrix(PATTERN.map((row) => row.map(() => 0.25))) };
  const flat = picture({}, [], same);
  const some = linesOf(flat.series, flat.shown, flat.faded, 5);
  assert.deepEqual([some.cut, some.count, some.total], [true, 5, 10]);
  assert.match(
    notes(flat, some, 0).join(" "),
    /strongest 5 of 10 lines are drawn, down to 0\.2500\./,
  );
});

test("overlaid heads come out of the answer by layer and head, each in a colour of its own", () => {
  const overlays = { status: "ready", answer, problem: null };
  const heads = /** @type {[number, number][]} */ ([
    [0, 5],
    [1, 2],
    [0, 4],
  ]);
  const one = picture({ overlays }, heads);
  assert.deepEqual(
    one.series.map(({ name, colour }) => [name, colour]),
    [
      ["L0 · H5", 0],
      ["L1 · H2", 1],
    ],
  );
  assert.equal(one.missing, 1); // head 4 did not come
  const beside = picture({ overlays }, [[0, 3]]);
  assert.deepEqual(
    beside.series.map(({ name, colour }) => [name, colour]),
    [
      ["L1 · H2", "ink"],
      ["L0 · H3", 0],
    ],
  );
  const focus = focusOf(beside, { side: "queries", place: 3 }, []);
  close(sumAt(focus.received, 0), 1);
  assert.equal(captionOf(beside, 1), "sum of 2 heads");
  assert.equal(captionOf(beside, 3), "3 rows × 2 heads");
  assert.deepEqual(
    [...given(one.series, 0)[0]],
    PATTERN.flat()
      .reverse()
      .filter((_, at) => at % 4 === 0),
  );
});

test("an answer of other tokens is not drawn over these", () => {
  const other = { ...own, trace: { ...answer.trace, tokens: [TOKENS.slice(1)] } };
  assert.ok(sameTokens(answer, own));
  assert.ok(!sameTokens(answer, other));
  assert.ok(!sameTokens(null, own));
  assert.equal(matrixIn(answer, [0, 4], "self", "pattern", 0), null);
  assert.equal(matrixIn(answer, [0, 3], "cross", "pattern", 0), null);
  assert.equal(matrixIn(answer, [0, 3], "self", "norms", 0), null);
});

test("of a long text, of which only a picture is there, the exact numbers are waited for", () => {
  const long = { ...own, exact: [] };
  assert.equal(picture({ detail: long }), null);
  const overlays = { status: "ready", answer, problem: null };
  const first = { ...detail, head: 5, site: { ...detail.site, layer: 0 } };
  const one = picture({ detail: long, overlays }, [], first);
  close(weightAt(one.series[0], 0, 0), 0.125);
  const request = overlayRequest({ ...state, texts: ["a".repeat(1001)] }, shipped);
  assert.deepEqual(request?.select, { tensors: ["pattern"], layers: [1], heads: [2] });
});

test("colours are never repeated: past the palette a layer has one, past that some layers", () => {
  const heads = (/** @type {number} */ layers, /** @type {number} */ each) =>
    Array.from(
      { length: layers * each },
      (_, at) => /** @type {[number, number]} */ ([Math.floor(at / each), at % each]),
    );
  assert.deepEqual(coloursOf(heads(2, 4)).colours, [0, 1, 2, 3, 4, 5, 6, 7]);
  const byLayer = coloursOf(heads(3, 4));
  assert.deepEqual([byLayer.by, new Set(byLayer.colours).size], ["layer", 3]);
  assert.deepEqual(byLayer.groups[1], { colour: 1, name: "layer 1: 4 heads" });
  const byLayers = coloursOf(heads(12, 1));
  assert.equal(byLayers.by, "layers");
  assert.ok(Math.max(...byLayers.colours) < COLOURS);
  assert.deepEqual(byLayers.groups.map(({ name }) => name).slice(0, 2), [
    "layers 0 to 1: 2 heads",
    "layers 2 to 3: 2 heads",
  ]);
  assert.deepEqual(coloursOf(heads(17, 1)).groups.at(-1)?.name, "layers 15 to 16: 2 heads");
});

test("only lines ask for the other heads, and only for those that the model has", () => {
  const two = {
    ...state,
    overlay: [
      [0, 1],
      [2, 7],
      [9, 0],
      [0, 8],
    ],
  };
  assert.deepEqual(overlaid(two, shipped), [
    [0, 1],
    [2, 7],
  ]);
  const request = overlayRequest(two, shipped);
  assert.deepEqual(request?.select, { tensors: ["pattern"], layers: [0, 2], heads: [1, 7] });
  assert.equal(request?.predict, null);
  assert.equal(overlayRequest({ ...two, view: "heatmap" }, shipped), null);
  assert.equal(overlayRequest({ ...two, matrix: "rollout" }, shipped), null);
  assert.equal(overlayRequest({ ...two, overlay: [] }, shipped), null);
  assert.equal(overlayRequest(two, unloaded("later")), null);
  assert.deepEqual(overlayRequest({ ...two, matrix: "norms" }, shipped)?.select.tensors, ["norms"]);
  assert.deepEqual(
    overlayRequest({ ...two, matrix: "norms", lacks: { norms: "no" } }, shipped)?.select.tensors,
    ["pattern"],
  );
  assert.deepEqual(overlayRequest({ ...two, kind: "cross" }, t5)?.select.kinds, ["cross"]);
  assert.deepEqual(
    withHeads(
      [[1, 2]],
      [
        [1, 2],
        [0, 0],
      ],
    ),
    [
      [1, 2],
      [0, 0],
    ],
  );
  assert.deepEqual(
    withoutHead(
      [
        [1, 2],
        [0, 0],
      ],
      [1, 2],
    ),
    [[0, 0]],
  );
});

test("scores draw the pattern and say so; norms are not rescaled; rollout has no other heads", () => {
  const words = (/** @type {any} */ one) =>
    notes(one, linesOf(one.series, one.shown, one.faded), 0).join(" ");
  assert.match(words(picture({ matrix: "scores" })), /This is the pattern/);
  const norms = { ...detail, norms: matrix(PATTERN.map((row) => row.map((one) => 8 * one))) };
  const one = picture({ matrix: "norms", specials: "renormalised" }, [], norms);
  close(weightAt(one.series[0], 3, 1), 2);
  assert.equal(linesOf(one.series, one.shown, one.faded).full, 3);
  assert.match(words(one), /These numbers need not sum to 1/);
  const mixed = { ...detail, rollout: matrix(PATTERN) };
  const all = picture({ matrix: "rollout" }, [[0, 3]], mixed);
  assert.deepEqual([all.series.length, all.series[0].name, all.left], [1, "all heads", 1]);
  assert.match(words(all), /no other head is drawn/);
});

test("tokens stand where they are pointed at, and 512 of them fit", () => {
  const places = Array.from({ length: 512 }, (_, index) => index);
  const height = heightFor(512, 600);
  assert.equal(height, 930);
  const shown = { from: places, to: places };
  const geometry = geometryOf({ width: 800, height, shown, of: { queries: 512, keys: 512 } });
  for (const place of [0, 17, 511]) {
    assert.equal(tokenAt(geometry.keys, places, geometry.keys.y[place], 0), place);
  }
  assert.equal(tokenAt(geometry.keys, places, 5, 0), null);
  assert.equal(heightFor(9, 600), 30 + 9 * 22);
});

test("labels thin out and do not overlap; the one pointed at, its neighbours and the strongest stay", () => {
  const places = Array.from({ length: 512 }, (_, index) => index);
  const geometry = geometryOf({
    width: 800,
    height: 920,
    shown: { from: places, to: places },
    of: { queries: 512, keys: 512 },
  });
  const values = [new Float64Array(512)];
  values[0][401] = 0.9;
  const side = {
    places,
    labels: places.map(String),
    faded: [],
    boundary: null,
    marked: [77],
    pointed: 200,
    read: null,
    values,
    caption: "",
    scale: 1,
  };
  const named = labelled(side, geometry.keys.y, geometry.keys.row);
  const names = named.map(({ place }) => place);
  for (const place of [196, 200, 204, 77, 401])
    assert.ok(names.includes(place), `${place} is named`);
  const heights = named.map(({ at }) => at).sort((a, b) => a - b);
  assert.ok(heights.every((at, index) => index === 0 || at - heights[index - 1] >= 12.9));
  assert.equal(labelled({ ...side, pointed: null }, geometry.keys.y, 22).length, 512);
});

const colours = {
  accent: "#b4470a",
  hatch: "#999",
  categories: ["#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8"],
  paper: { ink: "#111", faint: "#666", line: "#ddd", panel: "#fff", font: "sans-serif" },
};

test("lines of one head and strength are one path, and heads run beside one another", () => {
  const { series, shown, faded } = picture(
    { overlays: { status: "ready", answer, problem: null } },
    [[0, 3]],
  );
  const geometry = geometryOf({ width: 600, height: 110, shown, of: { queries: 4, keys: 4 } });
  const marks = lineMarks(linesOf(series, shown, faded), series, geometry, colours, 1.5);
  assert.equal(marks.length, 12); // six strengths of each of two heads
  const [ink, first] = marks.slice(-2);
  assert.deepEqual([ink.stroke, ink.opacity, first.stroke], ["#111", 1, "#1"]);
  assert.notEqual(ink.d, first.d);
});

test("the figure has its title, both axes, every token, the legend and what it leaves out", () => {
  const overlays = { status: "ready", answer, problem: null };
  const one = picture({ overlays, mass: 0.8 }, [[0, 3]]);
  const focus = focusOf(one, null, [1, 3]);
  const scene = paperOf(one, focus, detail, colours);
  const svg = toSvg(scene);
  for (const text of [
    "Layer 1 · head 2: attention weights, with 1 other head",
    "queries",
    "keys",
    "4 rows",
    "L1 · H2",
    "L0 · H3",
    "sum of 2 rows",
    "2 rows × 2 heads",
  ].filter((text) => text !== "4 rows")) {
    assert.ok(svg.includes(text), text);
  }
  const printed = svg.replace(/<[^>]*>/g, " ").replace(/\s+/g, " "); // sentences may wrap
  assert.ok(
    printed.includes("the strongest keys of each row are drawn, until they hold 80% of its weight"),
    printed,
  );
  for (const name of detail.keyLabels) assert.equal(svg.split(`>${name}</text>`).length, 3, name);
  assert.ok(svg.includes(">2.5000</text>")); // what [BOS] gets from two rows in two heads
  const sides = sidesOf(one, focus, detail);
  assert.equal(sides.queries.read, 3);
});
