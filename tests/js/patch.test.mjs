import assert from "node:assert/strict";
import test from "node:test";
import {
  benchIn,
  bestOf,
  cellAt,
  disputed,
  interventionAt,
} from "../../static/js/views/patch/reading.js";
import { missingIn, patchRequest } from "../../static/js/views/patch/request.js";
import { patchesCsv } from "../../static/js/views/patch/save.js";
import { patchScene } from "../../static/js/views/patch/scene.js";
import { answers, cellSentence, outcome, placeInWords } from "../../static/js/views/patch/words.js";
import { VIEWS } from "../../static/js/views/views.js";
import { bloom, shipped, t5 } from "./models.mjs";
import { begun, byHead, byToken, inBothStacks, patchAnswer } from "./patched.mjs";

const state = {
  model: "shipped",
  models: [shipped],
  texts: ["first", "dogs are"],
  shown: 1,
  masks: {},
  muted: [],
  targets: [],
  pairs: null,
  kind: "self",
  query: 1,
  view: "patch",
  clean: "dog is",
  patched_at: "resid_mid",
  patched_by: "head",
  token: 7,
  versus: 9,
};

test("only the shown text is patched, at what the model can change", () => {
  const asked = patchRequest(state, shipped, 20);
  assert.deepEqual(asked?.analyse.patching, {
    clean: "dog is",
    at: "resid_mid",
    by: "position",
    text: 1,
    position: 1,
    token: 7,
    against: 9,
    exact: 20,
  });
  const some = { ...shipped, edited_at: ["head", "mlp"] };
  const { at, by } = patchRequest(state, some, 20)?.analyse.patching ?? {};
  assert.deepEqual([at, by], ["head", "head"], "the first place that it has");
});

test("all patches are run once the largest ones were", () => {
  const { patch, patched } = VIEWS.patch.questions;
  assert.equal(patch.request(state, shipped, true).analyse.patching.exact, 20);
  assert.equal(patched.request({ ...state, patch: null }, shipped, true), null);
  const loading = { ...patchAnswer(begun), status: "loading" };
  assert.equal(patched.request({ ...state, patch: loading }, shipped, true), null);
  const whole = patched.request({ ...state, patch: patchAnswer(begun) }, shipped, true);
  assert.equal(whole.analyse.patching.exact, null);
});

test("nothing runs until there are two sentences, and a model that can be patched", () => {
  const missing = (/** @type {object} */ more, model = shipped) =>
    missingIn({ ...state, ...more }, model);
  assert.equal(missing({}), "");
  assert.equal(missing({ clean: "  " }), "clean");
  assert.equal(missing({ clean: "dogs are" }), "same");
  assert.equal(missing({}, bloom), "edits");
  assert.equal(missing({}, { ...shipped, predicts: null }), "prediction");
  assert.equal(missing({}, t5), "");
  assert.equal(missing({}, { ...shipped, edited_at: [] }), "places");
  assert.equal(patchRequest({ ...state, clean: "" }, shipped, 20), null);
  assert.equal(patchRequest({ ...state, view: "map" }, shipped, 20), null);
});

const held = (/** @type {object} */ found) => ({ ...state, patch: patchAnswer(found) });

test("aligned tokens are compared by their ids, and the widest share ends the colours", () => {
  const bench = benchIn(held(byToken));
  assert.deepEqual(
    bench?.groups[0].columns.map(({ name, clean, differs, read }) => [name, clean, differs, read]),
    [
      ["dogs", "dog", true, false],
      ["near", "near", false, true],
    ],
  );
  assert.equal(bench?.reach, 1.5);
  assert.deepEqual(bestOf(bench), [1, 0]);
  assert.equal(disputed(bench), 1);
  assert.equal(cellAt(bench, [2, 0]), undefined);
  const none = {
    ...byToken,
    layers: [{ kind: "self", layer: 0, cells: [{ restored: -1 }, { restored: 0 }] }],
  };
  assert.equal(bestOf(benchIn(held(none))), null);
});

test("a cell becomes the intervention that makes its patch", () => {
  const bench = benchIn(held(byToken));
  assert.deepEqual(interventionAt(bench, [1, 0], state), {
    kind: "patch",
    at: "resid_mid",
    layer: 1,
    text: 1,
    positions: [1],
    source: "dog is",
  });
  const heads = benchIn(held(byHead));
  assert.deepEqual(interventionAt(heads, [0, 2], { ...state, texts: ["dogs are"] }), {
    kind: "patch",
    at: "head",
    layer: 0,
    head: 2,
    source: "dog is",
  });
});

test("a cell is read in words", () => {
  const bench = benchIn(held(byToken));
  const said = (/** @type {[number, number]} */ at) =>
    cellSentence(placeInWords(bench, at), cellAt(bench, at));
  assert.equal(
    said([1, 0]),
    "The stream after attention in layer 1 at “dogs”: the patch brings back 150%. The gradient says 40%: here the two disagree.",
  );
  assert.match(said([0, 0]), /moves the answer away from the clean one, −25%\. The gradient/);
  assert.match(said([0, 1]), /brings nothing back\. The gradient says 0%\.$/);
  const heads = benchIn(held(byHead));
  assert.equal(placeInWords(heads, [0, 2]), "head 2 of layer 0, at all tokens");
  assert.match(answers(bench), /^After “near”, “is” leads “are” by 4\.00 .* by −2\.50 in/);
  assert.match(answers({ ...bench, against: null, fills: true }), /^At “near”, “is” has a logit/);
  assert.match(outcome(null, 0), /^No single patch/);
  assert.match(outcome({ place: "x", share: 0.5 }, 2), /50%: x\. At 2 places/);
});

test("a saved file has a line for each patch", () => {
  const lines = patchesCsv(benchIn(held(byToken)))
    .trim()
    .split("\r\n");
  assert.equal(
    lines[0],
    '"at","kind","layer","head","position","clean id","clean token","id","token","metric","restored","estimate","disagrees"',
  );
  assert.equal(lines[3], '"resid_mid","self",1,,1,4,"dog",5,"dogs",7.25,1.5,0.4,1');
  const heads = patchesCsv(benchIn(held(byHead)))
    .trim()
    .split("\r\n");
  assert.equal(heads[3], '"head","self",0,2,,,,,,1,0.25,0.25,0');
});

test("the picture has both maps, and frames what they disagree about", () => {
  const paper = { ink: "rgb(0, 0, 0)", faint: "g", line: "l", panel: "rgb(9, 9, 9)", font: "f" };
  const bench = benchIn(held(byToken));
  const { marks, width, height } = patchScene(bench, new Uint8ClampedArray(1024), paper);
  const texts = marks.filter(({ mark }) => mark === "text").map(({ text }) => text);
  assert.equal(texts.filter((text) => text === "150%").length, 1);
  assert.equal(texts.filter((text) => text === "dogs").length, 2);
  assert.equal(marks.filter(({ stroke }) => stroke).length, 2);
  for (const { x, y } of marks) assert.ok(x >= 0 && x < width && y > 0 && y < height);
});

const both = {
  ...state,
  model: "t5",
  models: [t5],
  texts: ["first", "dogs are"],
  targets: ["", "she"],
  patch: patchAnswer(inBothStacks),
};

test("the decoder has the tokens of the target, the same in both runs", () => {
  const bench = benchIn(both);
  assert.deepEqual(
    bench?.groups.map(({ kind, from, layers, columns }) => [
      kind,
      from,
      layers.length,
      columns.map(({ name, differs, read }) => [name, differs, read]),
    ]),
    [
      [
        "encoder",
        0,
        2,
        [
          ["dogs", true, false],
          ["near", false, false],
        ],
      ],
      [
        "decoder",
        2,
        2,
        [
          ["[PAD]", false, false],
          ["she", false, true],
          ["</s>", false, false],
        ],
      ],
    ],
  );
  assert.equal(bench?.read, "she");
  assert.equal(placeInWords(bench, [1, 0]), "all heads of encoder layer 1 at “dogs”");
  assert.equal(placeInWords(bench, bestOf(bench)), "all heads of cross layer 0 at “she”");
});

test("a patch of an encoder–decoder says in which stack it is", () => {
  const bench = benchIn(both);
  assert.deepEqual(interventionAt(bench, [3, 2], both), {
    kind: "patch",
    at: "head",
    layer: 0,
    site: "cross",
    text: 1,
    positions: [2],
    source: "dog is",
  });
  const lines = patchesCsv(bench).trim().split("\r\n");
  assert.equal(lines.length, 1 + 2 * 2 + 2 * 3);
  assert.equal(lines[1], '"head","encoder",0,,1,4,"dog",5,"dogs",1,0.5,0.5,0');
  assert.equal(lines[9], '"head","cross",0,,1,3,"she",3,"she",4,0.9,0.9,0');
});

test("the picture has the names of all layers, and nothing outside", () => {
  const paper = { ink: "rgb(0, 0, 0)", faint: "g", line: "l", panel: "rgb(9, 9, 9)", font: "f" };
  const { marks, width, height } = patchScene(benchIn(both), new Uint8ClampedArray(1024), paper);
  const texts = marks.filter(({ mark }) => mark === "text").map(({ text }) => text);
  for (const name of ["Encoder layer 1", "Cross layer 0"])
    assert.equal(texts.filter((text) => text === name).length, 2);
  const rects = marks.filter(({ mark }) => mark === "rect");
  assert.equal(rects.length, 2 * 10);
  assert.equal(new Set(rects.map(({ x, y }) => `${x} ${y}`)).size, 20, "none lies on another");
  for (const { x, y } of marks) assert.ok(x >= 0 && x < width && y > 0 && y < height);
});
