import assert from "node:assert/strict";
import test from "node:test";
import { ApiError } from "../../../static/js/api/errors.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { click, document, texts } from "./dom.mjs";

const { filmBar } = await import("../../../static/js/panels/film/bar.js");
const { film } = await import("../../../static/js/panels/film/film.js");
const { becoming, phaseChange, stepsOf } = await import("../../../static/js/panels/film/born.js");
const { paint } = await import("../../../static/js/panels/film/paint.js");
const { save } = await import("../../../static/js/panels/film/save.js");

const STEPS = [0, 100, 400, 900];
/** One layer of two heads: the second begins to look for induction at the third step, and the first never keeps a habit. */
const FILM = {
  steps: STEPS,
  curves: {
    loss: [9, 5, 4, 3],
    agreement: [0.5, 0.5, 0.75, 1],
    previous_token: [0.1, 0.1, 0.6, 0.8],
    induction: [0.02, 0.1, 0.9, 0.95],
  },
  heads: {
    induction: [[[0, 0]], [[0.9, 0.1]], [[0.1, 0.9]], [[0.1, 0.95]]],
    copying: [[[0, 0]], [[1, 1]], [[1, 1]], [[1, 1]]],
  },
  mutes: [[[0, 0]], [[0, 0.01]], [[-0.02, 0.3]], [[0, 0.41]]],
  rounding: 0.031,
};
const MODELS = [
  { ...shipped, film: STEPS },
  ...STEPS.slice(0, -1).map((step) => ({ ...shipped, name: `shipped@${step}`, film: null, step })),
];

/** A model with that film, on screen. */
const STATE = {
  model: "shipped",
  models: MODELS,
  kind: "self",
  layer: 0,
  head: 0,
  find: null,
  right: "film",
  status: "ready",
};

/** The panel of a model with that film. @param {object} [state] @param {() => Promise<any>} [get] */
function opened(state = {}, get = async () => FILM) {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const store = new Store({ ...STATE, trained: null, ...state });
  /** @type {string[]} */
  const asked = [];
  film(root, store, async (model) => {
    asked.push(model);
    return get();
  });
  return { root, store, asked };
}
/** The line above the heads. @param {object} [state] @param {object} [ask] what is asked of the API */
function barOf(state = {}, ask = {}) {
  const root = document.createElement("section");
  const opener = document.createElement("button");
  document.body.replaceChildren(root, opener);
  const trained = { model: "shipped", status: "ready", answer: FILM, problem: null };
  const store = new Store({ ...STATE, trained, ...state });
  filmBar(root, opener, store, { models: async () => [], film: async () => FILM, ...ask });
  return { root, opener, store };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("the steps of a film are models, and the last is the model itself", () => {
  const names = ["shipped@0", "shipped@100", "shipped@400", "shipped"];
  for (const [at, name] of names.entries()) {
    const model = MODELS.find((one) => one.name === name);
    assert.deepEqual(stepsOf(model, MODELS), { base: "shipped", steps: STEPS, names, at });
  }
  assert.equal(stepsOf({ ...shipped, name: "other" }, [...MODELS, shipped]).base, null);
});

test("a head has its habit from the step on from which it keeps it", () => {
  assert.deepEqual(becoming(FILM), [{ layer: 0, head: 1, name: "induction", from: 2 }]);
  const late = paint(FILM, 3).heads.get("0.1");
  assert.equal(late?.text, "400");
  assert.match(late?.words ?? "", /L0 · H1: induction from step 400 on/);
  assert.equal(paint(FILM, 1).heads.size, 0, "before it, the head is not coloured");
});

test("a phase change is the steepest rise of induction, if it is steep", () => {
  assert.equal(phaseChange(FILM), 1);
  assert.equal(phaseChange({ curves: { induction: [0, 0.2, 0.4, 0.6] } }), null);
});

test("a model without a film has no bar, and stops a film that plays", async () => {
  const { root, opener, store } = barOf({ models: [...MODELS, { ...shipped, name: "other" }] });
  click("button", "Play");
  store.update({ model: "other" });
  assert.ok(root.hidden && opener.hidden);
  store.update({ model: "shipped" });
  assert.ok(texts("button").includes("Play") && !root.hidden);
});

test("a model without a film asks for none", async () => {
  const { asked } = opened({ model: "other", models: [{ ...shipped, name: "other" }] });
  await settled();
  assert.deepEqual(asked, []);
});

test("the slider opens a step, and says what is known of it", () => {
  const { root, store } = barOf();
  const slider = root.querySelector(".film-slider");
  assert.equal(slider.max, "3");
  slider.value = "1";
  slider.dispatchEvent(new document.defaultView.Event("input"));
  assert.equal(store.state.model, "shipped@100");
  assert.equal(slider.getAttribute("aria-valuetext"), "After 100 of 900 steps");
  const back = [...root.querySelectorAll("button")].find((one) => one.textContent === "Back");
  assert.ok(back?.hidden, "there is no other model to go back to");
  assert.deepEqual(texts(".hint"), ["Step 100 of 900loss 5.00 · best induction 0.10"]);
  store.update({ grid: /** @type {any} */ ({ trace: { model: "shipped" } }) });
  assert.match(
    texts(".hint")[0],
    /^Step 900 of 900loss 3\.00/,
    "it tells of the picture on screen",
  );
});

test("the film of a sister opens at its beginning, plays, and leads back", async () => {
  const own = { ...shipped, film: null, sister: "sister" };
  const named = MODELS.map((one) => ({ ...one, name: one.name.replace("shipped", "sister") }));
  const models = async () => [own, ...named];
  const { root, opener, store } = barOf({ models: [own], trained: null }, { models });
  assert.ok(root.hidden && !opener.hidden);
  opener.click();
  await settled();
  assert.equal(store.state.model, "sister@0");
  assert.ok(opener.hidden && texts("button").includes("Pause"));
  store.update({ layer: 1, head: 5 });
  click("button", "Back to Headlight small");
  assert.equal(store.state.model, "shipped");
  assert.deepEqual([store.state.layer, store.state.head], [0, 0], "the head that was selected");
  assert.ok(root.hidden && !opener.hidden);
});

test("a sister that cannot be reached says why", async () => {
  const own = { ...shipped, film: null, sister: "sister" };
  const models = async () => {
    throw new ApiError("The server is busy.", { retry: true });
  };
  const { root, opener, store } = barOf({ models: [own], trained: null }, { models });
  opener.click();
  await settled();
  assert.equal(store.state.model, "shipped");
  assert.match(root.textContent, /busy/);
  assert.ok(!root.hidden && !opener.disabled);
});

test("what was measured of a step is told", async () => {
  const { root, store, asked } = opened({ model: "shipped@100", head: 1 });
  await settled();
  assert.deepEqual(asked, ["shipped"]);
  assert.deepEqual(texts("figcaption"), [
    "Loss5.00 nats",
    "Agreement right50%",
    "Previous token0.10",
    "Induction0.10",
    "Loss without L0 · H1+0.01 nats",
  ]);
  store.update({ model: "shipped@400", head: 0 });
  assert.equal(texts("figcaption")[4], "Loss without L0 · H0−0.02 nats");
  assert.deepEqual(asked, ["shipped"], "one answer is for all steps");
  assert.match(root.textContent, /between steps 100 and 400 .* from 0\.10 to 0\.90/);
  assert.match(root.textContent, /by at most 0\.031/);
  click("button", "L0 · H1: induction from step 400 on");
  assert.deepEqual([store.state.layer, store.state.head], [0, 1]);
  const current = [...root.querySelectorAll('.film-heads [aria-current="true"]')];
  assert.equal(current[0]?.getAttribute("data-place"), "0.1");
});

test("a film of a small network has its own curves, and says nothing of habits", async () => {
  const curves = { loss: [2, 1, 0.5, 0.1], accuracy: [0.1, 0.2, 0.8, 1] };
  const { root } = opened({}, async () => ({
    ...FILM,
    curves,
    heads: {},
    mutes: [],
    rounding: null,
  }));
  await settled();
  assert.deepEqual(texts("figcaption"), ["Loss0.10 nats", "Answers right100%"]);
  assert.ok(root.querySelector("h3").parentElement.hidden);
  assert.match(root.textContent, /on lines that training never showed/);
  const [rounding] = [...root.querySelectorAll(".source")].filter((one) =>
    /8 bits/.test(one.textContent),
  );
  assert.ok(rounding.hidden);
  assert.equal(paint({ ...FILM, heads: {} }, 1), null);
});

test("it plays from the beginning, a step at a time, and waits for one that loads", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { store } = barOf();
  click("button", "Play");
  assert.equal(store.state.model, "shipped@0");
  store.update({ status: "loading" });
  t.mock.timers.tick(1600);
  assert.equal(store.state.model, "shipped@0");
  store.update({ status: "ready" });
  for (const name of ["shipped@100", "shipped@400", "shipped", "shipped"]) {
    t.mock.timers.tick(1600);
    assert.equal(store.state.model, name);
  }
  assert.deepEqual(texts("button").slice(0, 2).includes("Play"), true, "it ends by itself");
});

test("a film that cannot be read says why, and can be asked for again", async () => {
  const answers = [new ApiError("The server is busy.", { retry: true }), FILM];
  const { root } = opened({}, async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  await settled();
  assert.match(texts(".summary")[0], /busy/);
  assert.equal(root.querySelector(".film-curves").hidden, true);
  click("button", "Try again");
  await settled();
  assert.ok(root.querySelector(".summary").hidden);
  assert.equal(root.querySelector(".film-curves").hidden, false);
});

test("a film that nobody measured has no curves", async () => {
  const { root } = opened({}, async () => ({
    ...FILM,
    curves: {},
    heads: {},
    mutes: [],
    rounding: null,
  }));
  await settled();
  assert.ok(root.querySelector(".summary").hidden);
  assert.equal(root.querySelector(".film-curves").hidden, true);
  assert.equal(root.querySelector("h3").parentElement.hidden, true);
});

test("all numbers are saved", async () => {
  const asked = { model: "shipped", status: "ready", answer: FILM, problem: null };
  const row = save(() => /** @type {any} */ (asked));
  const state = /** @type {any} */ ({ model: "shipped@100", models: MODELS, layer: 0, head: 0 });
  const lines = row.csv(state).trim().split(/\r?\n/);
  assert.equal(lines.length, 1 + 4 * 4 + 3 * 4 * 2);
  assert.ok(lines.includes('400,"induction",0,1,0.9') && lines.includes('900,"mute",0,1,0.41'));
  const scene = row.scene(state, /** @type {any} */ ({ scheme: "light", bare: false }));
  assert.match(scene.title, /The training of Headlight small: After 100 of 900 steps/);
});
