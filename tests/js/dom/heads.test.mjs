import assert from "node:assert/strict";
import test from "node:test";
import { FINDS } from "../../../static/js/state/finds.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { findForm, ranking } = await import("../../../static/js/panels/heads/find.js");
const { grid } = await import("../../../static/js/panels/heads/grid.js");
const { labelLegend } = await import("../../../static/js/panels/heads/legend.js");

globalThis.ImageData = /** @type {any} */ (
  class {
    constructor(/** @type {number} */ width, /** @type {number} */ height) {
      this.data = new Uint8ClampedArray(4 * width * height);
    }
  }
);

/** Heads 0 and 1 of layer 0 and 1: all but the last draw attention to something. @param {number} layer @param {number} head @param {string | null} metric */
const scored = (layer, head, metric) => ({
  site: `layers.${layer}`,
  layer,
  head,
  scores: Object.fromEntries(
    FINDS.map((find) => [
      find.metric,
      { value: [metric, "copying"].includes(find.metric) ? 0.9 : 0, over: 5, reason: null },
    ]),
  ),
});
const drawn = {
  "1.0": [{ label: "reflexive", does: "finds who is meant", value: 0.97 }],
};
const probe = {
  model: "shipped",
  state: "ready",
  metrics: [],
  sink_share: 0,
  heads: [
    scored(0, 0, "previous_token"),
    scored(0, 1, "induction"),
    scored(1, 0, null),
    scored(1, 1, null),
  ],
};
const token = { id: 1, text: "a", special: false, padding: false, segment: 0 };
const tensor = { shape: [1, 2, 1, 1], data: new Uint8Array(2) };
const answer = {
  trace: {
    model: "shipped",
    tokens: [[token]],
    sites: [0, 1].map((layer) => ({
      name: `layers.${layer}`,
      kind: "self",
      layer,
      heads: [0, 1],
      query_tokens: "tokens",
      key_tokens: "tokens",
    })),
  },
  tensors: new Map([0, 1].map((layer) => [`layers.${layer}.pattern`, tensor])),
};

/** @param {object} changes */
function mounted(changes = {}) {
  page(".left");
  const store = new Store(
    /** @type {any} */ ({
      model: "shipped",
      models: [shipped],
      kind: "self",
      layer: 0,
      head: 0,
      muted: [],
      find: null,
      by: "probe",
      least: 0,
      left: "find",
      shown: 0,
      segments: "all",
      steps: "linear",
      grid: null,
      probe,
      scores: null,
      scheme: "light",
      effects: null,
      right: "next",
      relations: { shipped: drawn },
      ...changes,
    }),
  );
  const root = document.querySelector("#grid");
  grid(root, store);
  root.after(labelLegend(store));
  findForm(document.querySelector("#find"), document.querySelector("#find-said"), store);
  ranking(document.querySelector("#find-panel"), store);
  store.update(/** @type {any} */ ({ grid: answer }));
  return store;
}
/** The labels of the heads, without the places where a long word may be broken. */
const labels = () => texts(".tag-words").map((text) => text.replaceAll("\u00ad", ""));
const choices = () =>
  [...document.querySelectorAll('input[name="find"]')].map(({ value }) => value);

test("the labels under the heads are whole words, with a short form for narrow cells", () => {
  mounted();
  assert.deepEqual(labels(), ["previous token", "induction", "reflexive", "mixed"]);
  assert.equal(texts(".tag-words")[1], "induc\u00adtion"); // wider than its cell: broken between syllables
  assert.deepEqual(texts(".tag-brief"), ["prev", "induc", "refl", "mixed"]);
  assert.equal(document.querySelector("#find-said").textContent, "strongest");
  const { about } = document.querySelectorAll(".cell")[2].dataset;
  assert.equal(about, "layer 1 · head 0: reflexive 0.97 (finds who is meant)");
});

test("the legend explains the labels that are on the page, and no others", () => {
  const store = mounted();
  const legend = document.querySelector(".label-legend");
  assert.deepEqual(texts(".label-legend dt").toSorted(), [
    "induction",
    "previous token",
    "reflexive",
  ]);
  assert.ok(texts(".label-legend dd").includes("finds who is meant"));
  assert.equal(legend.hidden, false);
  store.update({ find: "induction" }); // now the cells have numbers only
  assert.equal(legend.hidden, true);
});

test("a head whose weights are drawn has no name, but is ranked by what the reader chooses", () => {
  const random = { mechanism: "multi-head" };
  const answered = { heads: probe.heads, sink_share: 0 };
  const scores = { status: "ready", answer: { trace: { scores: [answered] } } };
  const model = { ...shipped, name: "scratch", mechanisms: [], settings: [] };
  const own = { model: "scratch", models: [model], probe: null, by: "sentence", scores };
  const store = mounted({ ...own, scratch: random });
  assert.deepEqual(new Set(labels()), new Set([""]));
  assert.deepEqual(new Set(texts(".tag b")), new Set([""]));
  assert.match(texts("#ranking tbody td")[0], /These weights are random/);
  assert.equal(document.querySelector(".label-legend").hidden, true);
  store.update({ find: "previous_token" });
  assert.deepEqual(texts(".tag b"), [".90", ".00", ".00", ".00"]);
  store.update({ find: null, scratch: { ...random, weights: "a file" } });
  assert.deepEqual(labels().slice(0, 2), ["previous token", "induction"]);
});

/** The probe, with the second head copying only so much. @param {object} copying */
const copyingOnly = (copying) => ({
  ...probe,
  heads: probe.heads.map((one, index) =>
    index === 1 ? { ...one, scores: { ...one.scores, copying } } : one,
  ),
});

test("a head that looks where induction looks, but does not copy, has no label and says both numbers", () => {
  mounted({ probe: copyingOnly({ value: 0.2, over: 9, reason: null }) });
  assert.deepEqual(labels(), ["previous token", "mixed", "reflexive", "mixed"]);
  const cell = document.querySelectorAll(".cell")[1];
  const half = "looks where induction looks (0.90), but does not copy (0.20)";
  assert.equal(cell.dataset.about, `layer 0 · head 1: ${half}`);
  assert.match(cell.getAttribute("aria-label"), /but does not copy/);
  assert.deepEqual(texts(".label-legend dt").toSorted(), ["previous token", "reflexive"]);
});

test("a head of which nobody knows whether it copies keeps its label, and says which half is not known", () => {
  const reason = "the model's prediction is not linear in the residual stream";
  mounted({ probe: copyingOnly({ value: null, over: 0, reason }) });
  assert.deepEqual(labels()[1], "induction");
  const { about } = document.querySelectorAll(".cell")[1].dataset;
  assert.match(
    about,
    /induction 0.90; whether it copies is not known: the model's prediction is not/,
  );
});

test("whether a head copies is known of a sentence from the probe", () => {
  const heads = probe.heads.map((one) => {
    const { copying: _, ...rest } = one.scores;
    return { ...one, scores: rest };
  });
  const trace = { model: "shipped", scores: [{ heads, sink_share: 0 }] };
  const scores = { status: "ready", answer: { trace } };
  const half = copyingOnly({ value: 0.2, over: 9, reason: null });
  const store = mounted({ by: "sentence", scores, probe: half });
  assert.equal(labels()[1], "mixed");
  store.update({ find: "copying" });
  assert.equal(texts(".tag b")[1], ".20");
  store.update({ find: null, probe: { ...half, model: "another" } });
  assert.equal(labels()[1], "induction");
  const { about } = document.querySelectorAll(".cell")[1].dataset;
  assert.match(about, /whether it copies is not known: it was not measured/);
});

test("the finder offers the relations of the model, and ranks the heads that draw one", () => {
  const store = mounted();
  assert.ok(choices().includes("relation.reflexive"));
  const chosen = document.querySelector('input[value="relation.reflexive"]');
  chosen.checked = true;
  chosen.dispatchEvent(new Event("change", { bubbles: true }));
  assert.equal(store.state.find, "relation.reflexive");
  assert.deepEqual(texts("#ranking tbody button"), ["L1·H0"]);
  assert.deepEqual(texts("#ranking tbody td:last-child"), ["0.970"]);
  assert.equal(document.querySelector("#ranking-what").textContent, "share of attention");
  assert.match(document.querySelector("#find-about").textContent, /a head that finds who is meant/);
  const below = [...document.querySelectorAll(".cell.below")];
  assert.equal(below.length, 3);
  click("#ranking button");
  assert.deepEqual([store.state.layer, store.state.head], [1, 0]);
});

test("a ranking tints all heads by their scores, marks the best three, and opens", () => {
  const store = mounted({ left: "row" });
  const cells = [...document.querySelectorAll(".cell")];
  const marked = () => cells.map(({ dataset }) => dataset.best ?? "");
  const tints = () => cells.map(({ style }) => style.getPropertyValue("--score"));
  assert.deepEqual([marked(), tints()], [Array(4).fill(""), Array(4).fill("0")]);
  const choice = document.querySelector('input[value="copying"]');
  choice.checked = true;
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  assert.equal(store.state.left, "find");
  assert.deepEqual([marked(), tints()], [["1", "2", "3", ""], Array(4).fill("0.9")]);
  store.update({ find: "previous_token" });
  assert.deepEqual(
    [marked(), tints()],
    [
      ["1", "", "", ""],
      ["0.9", "0", "0", "0"],
    ],
  );
  assert.match(cells[0].getAttribute("aria-label"), /number 1 of all heads/);
  store.update({ find: null });
  assert.deepEqual([marked(), tints()], [Array(4).fill(""), Array(4).fill("0")]);
});

test("a relation that the model is not known to draw says so", () => {
  const store = mounted({ find: "relation.colour" });
  assert.equal(document.querySelector('input[name="find"]:checked').value, "relation.colour");
  const words = "No head of this model is known to follow the relation “colour”.";
  assert.equal(document.querySelector("#find-about").textContent, words);
  assert.deepEqual(texts("#ranking tbody td"), [words]);
  store.update({ find: null });
  assert.ok(!choices().includes("relation.colour"));
});

/** A grid of one head a layer over three tokens, and the head that is selected. */
const three = (() => {
  const tokens = [0, 1, 2].map((id) => ({ ...token, id, text: `w${id}` }));
  const sites = answer.trace.sites.map((site) => ({ ...site, heads: [0] }));
  const shape = [1, 1, 3, 3];
  const small = { shape, data: new Uint8Array(9) };
  const row = new Float32Array([1, 0, 0, 0.9, 0.1, 0, 0.2, 0.7, 0.1]);
  const [site] = sites;
  return {
    grid: {
      trace: { ...answer.trace, tokens: [tokens], sites },
      tensors: new Map(sites.map(({ name }) => [`${name}.pattern`, small])),
    },
    detail: {
      trace: { ...answer.trace, tokens: [tokens], target_tokens: null, sites: [site] },
      tensors: new Map([
        ["layers.0.pattern", { shape, data: row }],
        ["layers.0.blocked_by", { shape, data: new Uint8Array(9) }],
      ]),
    },
  };
})();
const painting = {
  picture: [],
  match: null,
  detail: three.detail,
  view: "lines",
  brush: null,
  quiz: false,
  query: null,
  key: null,
  next: null,
};
const about = () => document.querySelector("#find-about").textContent;
/** @param {number[]} shares by layer @returns {any} */
const matches = (shares) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: {
      match: shares.map((share, layer) => ({
        site: `layers.${layer}`,
        layer,
        head: 0,
        share,
        chance: 0.42,
        lift: 0,
        over: 2,
        reason: null,
      })),
    },
  },
});

test("a picture is chosen like any way to find a head, and is ready to paint at once", () => {
  const store = mounted(painting);
  store.update(/** @type {any} */ (three));
  const line = document.querySelector("#picture-shapes");
  assert.equal(line.hidden, true);
  const chosen = document.querySelector('input[value="picture"]');
  chosen.checked = true;
  chosen.dispatchEvent(new Event("change", { bubbles: true }));
  const { find, left, view, brush } = store.state;
  assert.deepEqual([find, left, view, brush], ["picture", "find", "heatmap", "picture"]);
  assert.equal(line.hidden, false);
  assert.match(about(), /^Paint at least one cell: drag over the heatmap/);
  assert.deepEqual(texts("#ranking tbody td"), ["Paint at least one cell to rank the heads."]);
  assert.ok([...document.querySelectorAll('input[name="by"]')].every(({ disabled }) => disabled));
});

test("a picture starts from a shape, labels and ranks the heads, and is cleared", () => {
  const store = mounted({ ...painting, find: "picture" });
  store.update(/** @type {any} */ (three));
  click("#picture-shapes button", "this head");
  assert.deepEqual(store.state.picture, [
    [0, 0],
    [1, 0],
    [2, 1],
  ]);
  click("#picture-shapes button", "previous token");
  assert.deepEqual(store.state.picture, [
    [1, 0],
    [2, 1],
  ]);
  assert.match(about(), /comparing the heads/);
  assert.match(texts("#ranking tbody td")[0], /comparing the heads/);
  store.update({ match: matches([0.3, 0.8]) });
  assert.deepEqual(texts("#ranking tbody button"), ["L1·H0", "L0·H0"]);
  assert.deepEqual(texts("#ranking tbody td:last-child"), ["0.80", "0.30"]);
  assert.deepEqual(texts(".tag b"), [".30", ".80"]);
  assert.equal(document.querySelector("#ranking-what").textContent, "share of attention");
  assert.match(about(), /^2 cells are painted.* in 2 rows .* everywhere alike gives 0\.42\.$/);
  const [, cell] = document.querySelectorAll(".cell");
  assert.match(cell.getAttribute("aria-label"), /like my picture 0\.80/);
  click("#picture-shapes button", "clear");
  assert.deepEqual(store.state.picture, []);
  assert.deepEqual(texts(".tag b"), ["", ""]);
});

test("what a picture lacks is said", () => {
  const store = mounted({ ...painting, find: "picture", picture: [[9, 0]] });
  store.update(/** @type {any} */ (three));
  assert.match(about(), /too short for your picture/);
  const problem = { message: "The server is busy.", retry: true };
  store.update({
    picture: [[1, 0]],
    match: /** @type {any} */ ({ status: "error", problem, answer: null }),
  });
  assert.equal(about(), "The server is busy.");
  assert.deepEqual(texts("#ranking tbody td"), ["The server is busy."]);
});
