import assert from "node:assert/strict";
import test from "node:test";
import { undoEdit } from "../../../static/js/state/history.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { knowsInText } from "../../../static/js/words/heads.js";
import { asked } from "../explaining.mjs";
import { bert, other, shipped, unloaded } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { forecast } = await import("../../../static/js/panels/strip/strip.js");
const { nextStep } = await import("../../../static/js/panels/next/next.js");
const { toggles } = await import("../../../static/js/panels/input/toggles.js");

const mute = { model: "silent", predicts: null };
const TOKENS = ["[BOS]", "Mary", " saw"].map((text, id) => ({
  id,
  text,
  start: 0,
  end: 3,
  special: id === 0,
  padding: false,
  segment: 0,
}));
/** @param {[text: string, probability: number, unedited?: number][]} rows */
const answered = (rows) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: "shipped",
      tokens: [TOKENS],
      predicted_at: [2],
      predictions: [
        rows.map(([text, probability, unedited = null], id) => ({
          id,
          text,
          probability,
          unedited,
          special: false,
        })),
      ],
    },
  },
});
/** @param {object} [more] */
const storeOf = (more) =>
  new Store({
    model: "shipped",
    models: [shipped, other, bert],
    texts: ["Mary saw"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    kind: "self",
    layer: 1,
    head: 2,
    query: null,
    shown: 0,
    next: null,
    view: "heatmap",
    past: [],
    future: [],
    against: null,
    token: null,
    top_k: 10,
    temperature: 1,
    right: "next",
    effects: null,
    depth: "start",
    find: null,
    by: "probe",
    probe: null,
    grid: null,
    quiz: false,
    relations: {},
    ...more,
  });

test("the strip shows the likeliest tokens, and after an edit how far it moved them", () => {
  page("#forecast");
  const store = storeOf({
    next: answered([
      ["her", 0.723],
      ["him", 0.21],
    ]),
  });
  forecast(document.querySelector("#forecast"), store);
  assert.deepEqual(texts("#forecast h2"), ["Most likely after “saw”"]);
  assert.deepEqual(texts("#forecast li"), ["her72.3%", "him21.0%"]);
  store.update({
    next: answered([
      ["him", 0.5, 0.21],
      ["her", 0.243, 0.723],
      ["it", 0.1, 0.1],
    ]),
  });
  assert.deepEqual(texts("#forecast li"), ["her72.3% → 24.3%", "him21.0% → 50.0%", "it10.0%"]);
});

test("in a first look a tap on a token finds the head that it needs most; in Full there is a panel for that", () => {
  const next = answered([
    ["her", 0.243],
    ["him", 0.21],
  ]);
  const store = storeOf({ next, layer: 0, head: 0 });
  suggesting(store);
  document.body.append(Object.assign(document.createElement("section"), { id: "forecast" }));
  forecast(document.querySelector("#forecast"), store);
  click("#forecast .token", "her");
  assert.deepEqual([store.state.token, store.state.right], [0, "effects"]);
  store.update({ effects: EFFECTS });
  assert.match(said(), /^Without layer 2 head 5, “her” would fall to 8\.9%/);
  act(store);
  assert.deepEqual([store.state.layer, store.state.head], [2, 5]);
  assert.equal(said(), "“her” needs this head most: without it, 8.9%. Next: mute it.");
  act(store);
  assert.deepEqual(store.state.muted, [[2, 5]]);
  store.update({ depth: "full", right: "next", token: null });
  click("#forecast .token", "him");
  assert.deepEqual([store.state.token, store.state.right], [1, "next"]);
});

test("one asks why of the likeliest token, in every depth, until it is watched", () => {
  const next = answered([
    ["her", 0.243],
    ["him", 0.21],
  ]);
  page("#forecast");
  const store = storeOf({ next, depth: "full" });
  forecast(document.querySelector("#forecast"), store);
  const why = document.querySelector("#forecast .why-token");
  assert.deepEqual([why.hidden, why.textContent], [false, "Why “her”?"]);
  why.click();
  assert.deepEqual([store.state.token, store.state.right, why.hidden], [0, "effects", true]);
  store.update({ token: 1 }); // another one is watched
  assert.equal(why.hidden, false);
  store.update({ models: [{ ...store.state.models[0], lacks: "weights" }] });
  assert.equal(why.hidden, true, "no head can be muted");
});

test("where a text repeats the token, its position is named", () => {
  page("#forecast");
  const next = answered([["her", 0.723]]);
  next.answer.trace.tokens = [[...TOKENS, TOKENS[2]]];
  forecast(document.querySelector("#forecast"), storeOf({ next }));
  assert.deepEqual(texts("#forecast h2"), ["Most likely after “saw” (token 2)"]);
});

test("a watched token looks watched, and can be let go by name", () => {
  page("#forecast");
  const next = answered([
    ["her", 0.723],
    ["him", 0.21],
    ["it", 0.05],
    ["them", 0.0002],
  ]);
  const store = storeOf({ next });
  forecast(document.querySelector("#forecast"), store);
  const pressed = () =>
    [...document.querySelectorAll("#forecast .token")].map((one) =>
      one.getAttribute("aria-pressed"),
    );
  click("#forecast .token", "him");
  assert.equal(store.state.token, 1);
  assert.deepEqual(texts("#forecast li"), ["her72.3%", "him21.0%×", "it5.0%"]);
  assert.deepEqual(pressed(), ["false", "true", "false"]);
  store.update({ token: 3 });
  assert.deepEqual(texts("#forecast li"), [
    "her72.3%",
    "him21.0%",
    "it5.0%",
    "Watched:them< 0.1%×",
  ]);
  document.querySelector("#forecast .stop").focus();
  click("#forecast button", "Stop watching “them”");
  assert.equal(store.state.token, null);
  assert.deepEqual(texts("#forecast li"), ["her72.3%", "him21.0%", "it5.0%"]);
  assert.equal(document.activeElement.textContent, "her"); // the keyboard stays in the strip
});

test("Start says what to expect of its model, or what it is", () => {
  const description = "LlamaForCausalLM, from x.gguf: 4-bit (Q4_1), read back as float16";
  assert.equal(knowsInText({ name: "mine", description }), description);
  assert.equal(knowsInText({ name: "mine" }), "");
  assert.match(knowsInText({ name: "shipped" }), /toy grammar/);
});

test("a model that predicts nothing has no strip", () => {
  page("#forecast");
  const store = storeOf({ models: [{ ...shipped, ...mute, name: "shipped" }] });
  forecast(document.querySelector("#forecast"), store);
  assert.equal(document.querySelector("#forecast").hidden, true);
});

const offered = () => texts("#next-step button")[0];
const said = () => texts("#next-step span")[0];
/** @param {any} store */
function suggesting(store) {
  page("#next-step");
  /** @type {string[]} */
  const done = [];
  nextStep(document.querySelector("#next-step"), store, {
    following: () => ({ title: "Copying", show: () => done.push("example") }),
    undoEdit: (also) => {
      done.push("undo");
      store.update({ ...undoEdit(store.state), ...also });
    },
    watch: () => done.push("watch"),
  });
  return done;
}
/** Do what is suggested, as the history does it. @param {any} store @param {object} [answers] */
function act(store, answers = {}) {
  const before = store.state;
  click("#next-step button");
  const { state } = store;
  const isEdit = state.muted !== before.muted && state.past === before.past; // not an undone one
  if (isEdit) store.update({ past: [...state.past, { before, after: state, edits: true }] });
  store.update(answers);
}

test("who has muted a head and taken it back is offered the film of a sister, once", () => {
  const store = storeOf({
    models: [{ ...shipped, ...mute, predicts: "next", name: "shipped", sister: "sister" }],
    depth: "start",
    trained: null,
    future: [{}],
  });
  const done = suggesting(store);
  assert.equal(offered(), "Watch it learn");
  click("#next-step button");
  assert.deepEqual(done, ["watch"]);
  store.update({ trained: { model: "sister" } });
  assert.equal(said(), "Next: try another example.");
  store.update({ trained: null, depth: "full" });
  assert.equal(said(), "Next: try another example.", "All controls has a button");
});

const FALLEN = answered([
  ["her", 0.243, 0.723],
  ["him", 0.2, 0.1],
]);
/** @param {number} layer @param {number} head @param {number} change */
const effect = (layer, head, change) => ({ kind: "self", layer, head, change, reason: null });
const FOUND = { position: 2, token: { id: 0, text: "her", probability: 0.243 } };
const EFFECTS = asked({
  mute_effects: [
    {
      ...FOUND,
      effects: [effect(0, 4, -0.1), effect(2, 5, -1), effect(2, 6, 0.5)],
    },
  ],
});

test("where the token stands in the text already, a head that looks at it is offered besides the one that matters most", () => {
  const next = answered([
    [" mary", 0.8],
    ["him", 0.1],
  ]);
  const token = { id: 0, text: " mary", probability: 0.8, special: false };
  const estimated = { ...effect(0, 4, null), estimate: -0.3 };
  const asleep = { ...effect(2, 6, null), estimate: -0.9 }; // it looks elsewhere
  const effects = [effect(2, 5, -1), estimated, asleep];
  const found = asked({
    mute_estimates: [{ position: 2, token, effects, agreement: null }],
    predictions: next.answer.trace.predictions,
  });
  /** @param {number} layer @param {number} n @param {Record<number, number[]>} rows of “saw”, by head */
  const site = (layer, n, rows) => {
    const last = Array.from({ length: n }, (_, head) => [
      255,
      0,
      0,
      255,
      0,
      0,
      ...(rows[head] ?? [255, 0, 0]),
    ]);
    const heads = last.map((_, head) => head);
    const about = {
      name: `layers.${layer}`,
      kind: "self",
      layer,
      heads,
      query_tokens: "tokens",
      key_tokens: "tokens",
    };
    return [about, { shape: [1, n, 3, 3], data: Uint8Array.from(last.flat()) }];
  };
  const sites = [site(0, 5, { 4: [40, 204, 11] }), site(2, 7, { 5: [0, 20, 235] })];
  const grid = {
    trace: { model: "shipped", tokens: [TOKENS], sites: sites.map(([about]) => about) },
    tensors: new Map(sites.map(([about, tensor]) => [`${about.name}.pattern`, tensor])),
  };
  const muting = (/** @type {number} */ probability) => ({
    ...next,
    answer: {
      trace: {
        ...next.answer.trace,
        predictions: [[{ ...next.answer.trace.predictions[0][0], probability }]],
      },
    },
  });
  const store = storeOf({
    next,
    grid,
    token: 0,
    right: "effects",
    effects: found,
    layer: 2,
    head: 5,
    muting: muting(0.29),
  });
  suggesting(store);
  assert.equal(
    said(),
    "Without this head, “mary” is at 29.4%. But layer 0 head 4 looks at “mary” itself (80.0%). Next: look at that head.",
  );
  act(store);
  assert.deepEqual([store.state.layer, store.state.head], [0, 4]);
  store.update({ muting: muting(0.6) });
  assert.equal(
    said(),
    "This head looks at “mary” (80.0%) and helps it: without it, 60.0%. Next: mute it.",
  );
  // the mute may tell that its estimate was wrong
  store.update({ muting: muting(0.79) });
  assert.match(said(), /^1 of 3 heads were muted in turn\. Without .*Next: look at that head\.$/);
  act(store);
  assert.deepEqual([store.state.layer, store.state.head], [2, 5]);
  assert.match(said(), /needs this one most/, "it is not offered again");
  // and where no head looks at it, there is the one
  store.update({ grid: { ...grid, tensors: new Map() } });
  assert.match(said(), /needs this one most/);
});

test("after a mute the page says what it did, and finds another head that helps", () => {
  const store = storeOf();
  const done = suggesting(store);
  assert.equal(offered(), "Mute this head");
  act(store, { next: FALLEN });
  assert.deepEqual(store.state.muted, [[1, 2]]);
  assert.equal(said(), "“her” fell from 72.3% to 24.3%. Next: find another head that helps it.");
  act(store, { effects: { ...EFFECTS, status: "loading" } });
  assert.deepEqual([store.state.right, store.state.token], ["effects", null]);
  assert.equal(said(), "Muting each head in turn …");
  store.update({ effects: EFFECTS });
  assert.equal(
    said(),
    "Without layer 2 head 5, too, “her” would fall to 8.9%. Next: look at that head.",
  );
  act(store);
  assert.deepEqual([store.state.layer, store.state.head], [2, 5]);
  assert.equal(offered(), "Mute this head");
  act(store);
  assert.equal(store.state.muted.length, 2);
  store.update({ layer: 1, head: 2 });
  assert.equal(offered(), "Undo");
  act(store);
  assert.deepEqual([store.state.muted, store.state.right], [[[1, 2]], "next"]);
  act(store);
  assert.deepEqual([store.state.muted, done], [[], ["undo", "undo"]]);
  assert.equal(offered(), "Copying");
  act(store);
  assert.equal(done.at(-1), "example");
});

test("the token that an edit took from the first place is the one to find heads for", () => {
  const store = storeOf();
  suggesting(store);
  const lost = answered([
    ["him", 0.4, 0.1],
    ["her", 0.2, 0.7],
  ]);
  act(store, { next: lost });
  assert.match(said(), /^“her” fell from 70\.0% to 20\.0%/);
  act(store);
  assert.equal(store.state.token, 1);
  const gone = answered([
    [".", 0.4, 0.1],
    ["her", 0.001, 0.7],
  ]);
  store.update({ right: "next", next: gone });
  assert.equal(offered(), "Undo"); // nothing is left of it that another head could hold
});

test("if no other head helps, or that cannot be found out, the page suggests to undo", () => {
  const store = storeOf();
  suggesting(store);
  act(store, { next: FALLEN });
  act(store, { effects: asked({ mute_effects: [{ ...FOUND, effects: [effect(0, 4, 0.2)] }] }) });
  assert.equal(offered(), "Undo");
  store.update({ effects: { status: "error", answer: null, problem: null } });
  assert.equal(offered(), "Undo");
});

test("to compare is suggested where the head can look elsewhere, and then to undo", () => {
  const store = storeOf();
  suggesting(store);
  act(store);
  assert.notEqual(offered(), "Compare"); // a muted head looks where it looked
  store.update({ layer: 2 });
  assert.equal(offered(), "Compare");
  act(store);
  assert.deepEqual([store.state.view, store.state.against.muted], ["compare", []]);
  assert.equal(offered(), "Undo");
  act(store);
  assert.deepEqual([store.state.view, store.state.muted], ["heatmap", []]);
  const masks = { ...OWN_MASKS, causal: false };
  const before = store.state;
  store.update({ masks, future: [] });
  store.update({ past: [{ before, after: store.state, edits: true }] });
  assert.equal(offered(), "Compare");
});

test("there is always a way on: for an edit that came with a link, and without a sentence", () => {
  const store = storeOf({ muted: [[1, 2]], right: "lens" });
  const done = suggesting(store);
  assert.equal(offered(), "Remove the edits");
  act(store);
  assert.deepEqual(store.state.muted, []);
  store.update({ texts: [" "] });
  assert.equal(said(), "Next: type a sentence, or try an example.");
  act(store);
  assert.deepEqual(done, ["example"]);
});

test("what a model does not support is not suggested", () => {
  page("#next-step");
  const silent = { ...shipped, predicts: null };
  nextStep(document.querySelector("#next-step"), storeOf({ models: [silent] }), {
    following: () => null,
    undoEdit: () => {},
  });
  assert.equal(document.querySelector("#next-step").hidden, true);
});

test("a switch shows whether a mask is on, whoever turned it on", () => {
  page("#toggles");
  const models = [{ ...shipped, causal: true }, { ...bert, causal: false }, unloaded("later")];
  const store = storeOf({ models });
  toggles(document.querySelector("#toggles"), store);
  const [causal, padding] = document.querySelectorAll("#toggles input");
  assert.deepEqual([causal.checked, padding.checked], [true, true]); // the model's own
  causal.click();
  assert.equal(store.state.masks.causal, false);
  causal.click();
  assert.equal(store.state.masks.causal, null); // as the model has it, which is not an edit
  padding.click();
  assert.equal(store.state.masks.padding, false);
  store.update({ model: bert.name });
  assert.equal(causal.checked, false);
  causal.click();
  assert.equal(store.state.masks.causal, true);
  store.update({ model: "shipped", masks: { ...store.state.masks, causal: null } });
  assert.equal(causal.checked, true);
  store.update({ model: "later" }); // nobody knows its mask yet, and the picture is the older one
  assert.deepEqual([causal.checked, causal.disabled], [true, true]);
});

test("where nothing is padded, the mask of padding says so, and has no switch", () => {
  page("#toggles");
  const store = storeOf({ grid: { trace: { tokens: [[{ padding: false }]] } } });
  toggles(document.querySelector("#toggles"), store);
  const [causal, padding] = document.querySelectorAll("#toggles input");
  assert.deepEqual([causal.hidden, padding.hidden], [false, true]);
  assert.equal(padding.parentElement.textContent, "padding mask (nothing to pad)");
  store.update({ grid: { trace: { tokens: [[{ padding: true }]] } } });
  assert.equal(padding.hidden, false);
});
