import assert from "node:assert/strict";
import test from "node:test";
import { widthOf } from "../../static/js/draw/textwidth.js";
import { middleOf, placed, SIZE, spreadOut } from "../../static/js/views/explanations/lines.js";
import { barOf, bestOf } from "../../static/js/views/explanations/reading.js";
import { explanationsRequest, searchRequest } from "../../static/js/views/explanations/request.js";
import { explanationsCsv } from "../../static/js/views/explanations/save.js";
import { explanationsScene } from "../../static/js/views/explanations/scene.js";
import {
  apart,
  columnNumber,
  outcome,
  subject,
  tauText,
  verdict,
} from "../../static/js/views/explanations/words.js";
import { VIEWS } from "../../static/js/views/views.js";
import { bloom, shipped } from "./models.mjs";

const state = {
  model: "shipped",
  texts: ["a"],
  masks: {},
  muted: [],
  layer: 1,
  head: 2,
  query: 3,
  targets: [],
  pairs: null,
  kind: "self",
  view: "explanations",
  token: 7,
  versus: 9,
  searched: null,
};

test("a bar has its zero at the left, or in the middle where numbers have signs", () => {
  assert.deepEqual(barOf(1, { signed: false, values: [4, 1] }), { start: 0, length: 0.25 });
  assert.deepEqual(barOf(-1, { signed: true, values: [4, -1] }), { start: 0.375, length: 0.125 });
  assert.deepEqual(barOf(4, { signed: true, values: [4, -1] }), { start: 0.5, length: 0.5 });
  assert.deepEqual(barOf(0, { signed: true, values: [0, 0] }), { start: 0.5, length: 0 });
});

test("curves span the picture, and their names never overlap", () => {
  const lines = ["a", "b", "c"].map((name, index) => ({
    name,
    label: name,
    values: [4, index / 10, -2, 4],
  }));
  const { lines: drawn, low, high, zero } = placed(lines);
  assert.deepEqual([low, high], [-2, 4]);
  assert.equal(drawn[0].points[0].x, SIZE.left);
  assert.equal(drawn[0].points[0].y, SIZE.top);
  assert.equal(drawn[0].points[2].y, SIZE.height - SIZE.bottom);
  assert.equal(drawn[0].points[3].x, SIZE.width - SIZE.right);
  assert.ok(zero !== null && zero > SIZE.top && zero < SIZE.height - SIZE.bottom);
  const places = drawn.map(({ at }) => at).sort((a, b) => a - b);
  assert.ok(places[1] - places[0] >= 13.9 && places[2] - places[1] >= 13.9, String(places));
  assert.equal(middleOf([0, 1, 2, 3]), 2);
  assert.deepEqual(spreadOut([50, 10], 0, 100), [50, 10]); // far apart: as wished
});

test("the picture for a file has both pairs of curves, with their names and numbers", () => {
  const curve = (/** @type {number[]} */ logits) => ({ logits, area: 0 });
  const heard = (/** @type {string} */ name, /** @type {number} */ by) => ({
    name,
    label: `by ${name}`,
    role: name === "ablation" ? "reference" : "method",
    values: [1],
    curves: { deletion: curve([3, by, -1]), insertion: curve([-1, by, 3]) },
  });
  const columns = ["ablation", "weight", "flow"].map((name, index) => ({
    one: heard(name, index / 2),
    tau: name === "flow" ? 0.7 : 0.2,
  }));
  const random = { deletion: curve([3, 1.2, -1]), insertion: curve([-1, 1.1, 3]) };
  const comparison = {
    token: "is",
    against: "are",
    read: "“dog”",
    fills: false,
    columns,
    explanations: { token: { probability: 0.5 }, random },
  };
  const paper = { ink: "#111", faint: "#444", line: "#999", panel: "#fff", font: "serif" };
  const categories = ["#a00", "#0a0", "#00a", "#aa0", "#0aa", "#a0a"];
  const scene = explanationsScene(/** @type {any} */ (comparison), ["Caution"], {
    categories,
    paper,
  });
  assert.equal(scene.title, "Why “is” rather than “are” after “dog”?");
  const { marks } = scene.marks.find(({ mark }) => mark === "group");
  const [deletion, insertion] = marks.filter(({ mark }) => mark === "group");
  assert.ok(deletion.x + SIZE.width <= insertion.x, "they stand side by side");
  assert.ok(insertion.x + SIZE.width <= scene.width);
  for (const [kind, { marks: inside }] of Object.entries({ deletion, insertion })) {
    const written = inside.flatMap((mark) => (mark.mark === "text" ? mark.text : []));
    for (const text of ["by ablation", "by weight", "by flow", "random order", "0", "2"])
      assert.ok(written.includes(text), `${kind} ${text}`);
    const lines = inside.filter(({ line }) => line === 2);
    assert.deepEqual(
      lines.map(({ stroke }) => stroke),
      ["#111", "#a00", "#0a0", "#444"],
    );
    const values = [...columns.map(({ one }) => one.curves[kind]), random[kind]];
    values.forEach(({ logits }, index) => {
      const height = SIZE.height - SIZE.top - SIZE.bottom;
      const points = [...lines[index].d.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)];
      assert.equal(points.length, 3);
      points.forEach(([, , y], step) => {
        assert.ok(Math.abs(Number(y) - (SIZE.top + (height * (3 - logits[step])) / 4)) < 1e-9);
      });
    });
  }
  assert.ok(marks.some(({ text }) => text === "Caution"));
  const heads = marks.filter(({ mark, size }) => mark === "text" && size === 13);
  assert.match(heads.map(({ text }) => text).join(" "), /^Deletion: .* first Insertion: .* first$/);
  for (const { text, size } of heads) assert.ok(widthOf(text, size) <= SIZE.width, text);
});

/** @param {string} name @param {number | null} tau @param {string} [role] */
const column = (name, tau, role = "method") => ({ one: { name, label: name, role }, tau });

/** @param {object[]} columns @param {object} [more] */
const judgement = (columns, more = {}) =>
  verdict(
    { columns, chance: 0.49, n: 10, explanations: { weights_of: "layers.2" }, ...more },
    bestOf(columns),
  );

test("the verdict names the best, and says whether raw attention is more than chance", () => {
  assert.equal(
    judgement([column("weight", 0.42), column("Flow", 0.6), column("x", 0.9, "second reference")]),
    "On this sentence, the explanation that agrees best with ablation is flow: τ = 0.60 over 10 tokens. Raw attention, the mean over the heads of layer 2, agrees no more than a random order might: τ = 0.42, and at most 1 in 20 random orders of 10 tokens reach ±0.49. With only 10 tokens, that cannot be told from chance.",
  );
  const said = judgement;
  assert.match(said([column("weight", 0.7), column("Flow", 0.6)]), /is weight: .*does tell/);
  assert.match(said([column("weight", 0.5), column("Flow", 0.6)]), /layer 2, agrees, too/);
  assert.match(said([column("weight", 0.49), column("Flow", 0.6)]), /agrees, too: τ = 0\.49, /);
  assert.match(said([column("weight", null), column("Flow", 0.6)]), /in no order/);
  assert.match(said([column("weight", null)]), /^There is nothing to compare/);
  const low = said([column("weight", -0.2), column("Flow", 0.3)]);
  assert.match(
    low,
    /no explanation agrees.*τ = 0\.30, .*With only 10.* Raw attention, the mean over the heads of layer 2, has τ = −0\.20\.$/,
  );
  assert.match(
    said([column("weight", -0.6), column("Flow", 0.6)]),
    /the other way round: τ = −0\.60/,
  );
  const alone = said([column("weight", 0.3), column("Flow", 0.2)]);
  assert.match(alone, /the best, weight, has τ = 0\.30/);
  assert.doesNotMatch(alone, /Raw attention/, "it is the best, and said");
});

test("where even the same order is not rare, the verdict is that the tokens are too few", () => {
  for (const n of [0, 2, 3, 4]) {
    const said = judgement([column("weight", 1), column("Flow", 1)], { chance: null, n });
    assert.match(said, new RegExp(`^Too few tokens to tell: with ${n} tokens, `));
    assert.doesNotMatch(said, /chance|random/);
  }
  const one = judgement([column("weight", null)], { chance: null, n: 1 });
  assert.match(one, /with 1 token, /);
  const five = judgement([column("weight", 1)], { chance: 1, n: 5 });
  assert.match(five, /is weight: τ = 1\.00 over 5 tokens\. .*does tell/);
});

test("τ and its bound are never written alike unless they are equal", () => {
  assert.deepEqual(apart(0.42, 0.49), ["0.42", "0.49"]);
  assert.deepEqual(apart(0.5, 0.5), ["0.50", "0.50"]);
  assert.deepEqual(apart(0.4871, 0.4889), ["0.487", "0.489"]);
  assert.deepEqual(apart(0.48891, 0.48894), ["0.48891", "0.48894"]);
  const [below, above] = [0.4871, 0.4929].map((tau) =>
    judgement([column("weight", tau), column("Flow", 0.6)]),
  );
  assert.match(below, /no more than .*τ = 0\.487, and .*±0\.490/);
  assert.match(above, /agrees, too: τ = 0\.493, .*±0\.490/);
  const best = judgement([column("weight", -0.4871), column("Flow", 0.4871)]);
  assert.match(best, /the best, flow, has τ = 0\.487, and .*±0\.490/);
});

test("the numbers of a column have the decimals of its largest, and none reads as 0", () => {
  const written = (/** @type {number[]} */ values) => values.map(columnNumber(values));
  assert.deepEqual(written([5.594, 0.438, -0.0353, 1e-4, -1e-4, 0]), [
    "5.59",
    "0.44",
    "−0.04",
    "<0.01",
    ">−0.01",
    "0.00",
  ]);
  assert.deepEqual(written([0.04, -0.0353]), ["0.0400", "−0.0353"]);
  assert.deepEqual(written([11.24, 0.72]), ["11.24", "0.72"]);
  assert.deepEqual(written([1234.5, 0.3, -7]), ["1235", "<1", "−7"]);
  assert.deepEqual(written([0, 0]), ["0", "0"]);
});

test("what is explained is a prediction, or its lead over another", () => {
  const comparison = { token: "is", against: null, read: "“dog”", fills: false };
  const said = (/** @type {object} */ more) =>
    subject({ ...comparison, explanations: { token: { probability: 0.5 } }, ...more });
  assert.match(said({}), /^Why “is” \(50\.0%\) after “dog”\?/);
  assert.match(said({ against: "are", fills: true }), /^Why “is” rather than “are” at “dog”\?/);
});

test("what the search found is told with what the head matters at all", () => {
  const found = { jsd: 0.3, tvd: 0.04, tvd_without: 0.3, tried: 9, found: true };
  assert.match(outcome(found), /^Found: .*0\.30 .*only 4\.0%, though .*30\.0%/);
  assert.match(outcome({ ...found, tvd_without: 0.01 }), /hardly matters/);
  assert.match(outcome({ ...found, found: false }), /^None was found: .*almost the same/);
  assert.match(outcome({ ...found, jsd: null, tvd: null, found: false }), /^None .*more than 5%/);
});

test("τ is written with a real minus, and a dash where there is none", () => {
  assert.deepEqual([tauText(-0.5), tauText(1), tauText(null)], ["−0.50", "1.00", "–"]);
});

test("explanations are asked for while they are looked at, where there is something to explain", () => {
  const asked = explanationsRequest(state, shipped, []);
  assert.deepEqual(asked?.analyse, {
    explanations: { position: 3, token: 7, against: 9, layer: 1, head: 2, curves: [] },
  });
  assert.equal(explanationsRequest({ ...state, view: "map" }, shipped, []), null);
  assert.equal(explanationsRequest(state, bloom, false), null, "it takes no edits");
  const silent = { ...shipped, predicts: null };
  assert.equal(explanationsRequest(state, silent, false), null);
  const encoder = explanationsRequest({ ...state, kind: "encoder" }, shipped, []);
  assert.ok(
    !("head" in encoder.analyse.explanations),
    "its head does not look from the prediction",
  );
});

test("curves are asked for once the numbers are there", () => {
  const { curves, explanations } = VIEWS.explanations.questions;
  const numbers = explanations.request(state, shipped, true);
  assert.equal(curves.request({ ...state, explanations: null }, shipped, true), null);
  const loading = { status: "loading", answer: {}, problem: null };
  assert.equal(curves.request({ ...state, explanations: loading }, shipped, true), null);
  const ready = { ...loading, status: "ready" };
  const asked = (/** @type {boolean} */ areas) =>
    curves.request({ ...state, areas, explanations: ready }, shipped, true).analyse.explanations;
  const { explanations: alone } = numbers.analyse;
  assert.deepEqual(asked(false), { ...alone, curves: ["ablation", "weight"] });
  assert.deepEqual(asked(true), { ...alone, curves: null }, "the areas of all are looked at");
});

test("a search runs only for the request that the reader asked for", () => {
  const request = searchRequest(state, shipped);
  const question = VIEWS.explanations.questions.other_attention;
  assert.equal(question.request(state, shipped, true), null);
  const searched = JSON.stringify(request);
  assert.deepEqual(question.request({ ...state, searched }, shipped, true), request);
  assert.equal(question.request({ ...state, searched, head: 3 }, shipped, true), null);
  assert.equal(searchRequest({ ...state, kind: "encoder" }, shipped), null);
});

test("a saved file has a line for each token, and an empty field where a method is silent", () => {
  const explanations = {
    sources: [0, 2],
    methods: [
      { name: "weight", values: [0.25, 0.75] },
      { name: "flow", values: null },
    ],
  };
  const tokens = ["a", "b", "c"].map((text, index) => ({
    text,
    id: 7 + index,
    piece: index ? `▁${text}` : null,
  }));
  const lines = explanationsCsv(explanations, tokens).trim().split(/\r?\n/);
  assert.deepEqual(lines, [
    '"key","key id","key token","key piece","weight","flow"',
    '0,7,"a","a",0.25,',
    '2,9,"c","▁c",0.75,',
  ]);
});
