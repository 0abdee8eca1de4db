// The path map as a reader uses it: edges are pointed at, rows have the focus, heads are chosen.

import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { click, document, page, point, press, texts } from "./dom.mjs";

const { paths } = await import("../../../static/js/views/paths/paths.js");

const part = (kind, layer = null, head = null) => ({
  kind,
  layer,
  head,
  site: kind === "head" ? `layers.${layer}` : null,
});
const edge = (sender, through, receiver, moved, verdict = "confirmed") => ({
  sender,
  receiver,
  through,
  promised: verdict === "denied" ? 3 : moved,
  moved,
  verdict,
});
const reader = { part: part("head", 1, 4), position: 2 };
const EDGES = [
  edge(reader, "logit", { part: null, position: 2 }, 4),
  edge({ part: part("embedding"), position: 1 }, "k", reader, 2),
  edge({ part: part("mlp", 0), position: 0 }, "v", reader, -0.5, "denied"),
];
const found = {
  position: 2,
  token: { id: 7, text: " herself", probability: 0.8 },
  logit: 4.5,
  against: { id: 8, text: " himself", probability: 0.1 },
  least: 0.1,
  left_out: 2,
  edges: EDGES,
  opaque: [],
};
const tokens = ["[BOS]", "Mary", " saw"].map((text, id) => ({ id, text, padding: false }));
const answered = {
  status: "ready",
  problem: null,
  answer: { trace: { model: "shipped", tokens: [tokens], target_tokens: null, paths: [found] } },
};

/** @param {object} [more] of the state */
function view(more) {
  page();
  let observed;
  globalThis.ResizeObserver = class {
    constructor(seen) {
      observed = seen;
    }
    observe() {}
  };
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const { room = 800, ...changes } = more ?? {};
  const store = new Store({
    model: "shipped",
    models: [shipped],
    view: "paths",
    shown: 0,
    paths: answered,
    weakest: 0,
    rival: "second",
    layer: 0,
    head: 0,
    lacks: {},
    ...changes,
  });
  let asked = 0;
  paths(root, store, { retry: () => (asked += 1) });
  observed([{ contentRect: { width: room } }]);
  return { store, root, asked: () => asked };
}
const said = () => texts(".paths-said")[0];

test("every edge that is cut is drawn, listed and marked", () => {
  view();
  assert.equal(document.querySelectorAll(".paths-edge").length, 3);
  assert.equal(document.querySelectorAll(".paths-edge.denied .paths-cross").length, 1);
  assert.deepEqual(texts(".paths-table tbody .paths-tag"), ["logit", "K", "V"]);
  assert.deepEqual(texts(".paths-table tbody td:last-child"), ["", "", "denied"]);
  const widths = [...document.querySelectorAll(".paths-line")].map((line) =>
    Number(line.getAttribute("stroke-width")),
  );
  assert.deepEqual(
    widths.sort((a, b) => b - a),
    [11, 5.5, 1.38],
  );
  assert.match(texts(".paths-title")[0], /lead of “herself” over “himself” after “saw”.* 4\.50/);
  assert.match(
    said(),
    /^3 edges are drawn; cuts deny 1 of them\. 2 more were found, but not cut\./,
  );
});

test("edges pass below the names of the rows, and a map that is too wide says so", () => {
  view();
  const drawn = [...document.querySelectorAll(".paths-edge, .paths-name")];
  const kinds = drawn.map((one) => one.getAttribute("class").split(" ")[0]);
  assert.ok(kinds.lastIndexOf("paths-edge") < kinds.indexOf("paths-name"));
  assert.equal(document.querySelector(".paths-wide").hidden, true);
  view({ room: 150 });
  assert.equal(document.querySelector(".paths-wide").hidden, false);
});

test("an edge that is pointed at, or whose row has the focus, is told and lit", () => {
  view();
  point(document.querySelector('.paths-edge[data-edge="1"] .paths-hit'));
  assert.match(said(), /^Layer 1 head 4 at “saw” finds the embedding of “Mary” by its key\./);
  assert.equal(document.querySelectorAll(".paths-edge.lit").length, 1);
  document.querySelectorAll(".paths-table button")[2].focus();
  assert.match(said(), /moves what the feed-forward network .* The cut denies the promise\.$/);
  assert.deepEqual(
    [...document.querySelectorAll(".lit")].map((each) => each.getAttribute("data-edge")),
    ["2", "2"],
  );
});

test("a head that is chosen is selected, with a click or by key", () => {
  const { store } = view();
  const head = document.querySelector(".paths-head");
  assert.equal(head.getAttribute("aria-label"), "Layer 1 head 4 at “saw”: look at this head");
  head.focus();
  press("Enter");
  assert.deepEqual([store.state.layer, store.state.head], [1, 4]);
  assert.ok(head.classList.contains("selected"));
});

test("the slider hides weak edges, and asks for nothing", () => {
  const { store, asked } = view();
  const slider = document.querySelector(".paths-weakest input");
  slider.value = "60";
  slider.dispatchEvent(new slider.ownerDocument.defaultView.Event("input"));
  assert.equal(store.state.weakest, 0.6);
  assert.equal(document.querySelectorAll(".paths-edge").length, 2); // one by what was promised
  assert.equal(asked(), 0);
  click('.paths-tools input[value="none"]');
});

test("it says why there is nothing to draw", () => {
  const problem = { message: "It takes too long.", retry: true };
  const { asked } = view({ paths: { status: "error", answer: null, problem } });
  assert.equal(said(), "It takes too long.");
  click(".paths-view > button");
  assert.equal(asked(), 1);
  view({ paths: { status: "loading", answer: null, problem: null } });
  assert.match(said(), /cutting each edge/);
  view({ models: [{ ...shipped, predicts: null }], paths: null });
  assert.match(said(), /makes no predictions/);
});

test("nothing of the last model stays when a model is chosen that predicts nothing", () => {
  const { store, root } = view({
    models: [shipped, { ...shipped, name: "headless", predicts: null }],
  });
  store.update({ model: "headless" });
  assert.match(said(), /makes no predictions/);
  assert.ok(root.querySelector(".paths-body").hidden);
  assert.ok(root.querySelector(".paths-title").hidden);
  assert.ok(root.querySelector(".paths-tools").hidden); // they choose between routes
  store.update({ model: "shipped" });
  assert.equal(root.querySelector(".paths-tools").hidden, false);
});

test("a cell of the composition leads to its later head, and the composition to the map", () => {
  const sites = [0, 1].flatMap((layer) =>
    ["decoder", "cross"].map((kind) => ({
      name: `decoder.layers.${layer}.${kind === "cross" ? kind : "self"}`,
      kind,
      layer,
      n_heads: 2,
    })),
  );
  const pairs = [
    { earlier: sites[1].name, later: sites[3].name, q: [[0, 0.25]], k: null, v: null },
  ];
  const trace = {
    model: "t5",
    composition: [{ pairs, wholes: [{ site: sites[3].name, head: 1, lift: 1, output: 1 }] }],
    weight_composition: { pairs, baseline: 0.1 },
  };
  const { store } = view({
    model: "t5",
    models: [{ ...shipped, name: "t5", sites, takes_targets: true }],
    masks: OWN_MASKS,
    muted: [],
    overlay: [],
    texts: ["a"],
    pairs: null,
    matrix: "pattern",
    kind: "decoder",
    query: null,
    composed: "q",
    measured: "text",
    paths: null,
    composition: { status: "ready", problem: null, answer: { trace } },
  });
  const labels = texts(".paths-matrix text").slice(1);
  assert.deepEqual(labels, ["cross L0·H0", "cross L1·H0", "cross L1·H1"]);
  const one = structuredClone(trace); // a single token, which looks at itself
  one.composition[0].pairs[0].q = [[-1e-8, 1e-8]];
  store.update({ composition: { status: "ready", problem: null, answer: { trace: one } } });
  assert.match(
    texts(".paths-composed-said")[0],
    /^No head reads an earlier one through its queries/,
  );
  assert.deepEqual(texts(".paths-strongest li"), []);
  store.update({ composition: { status: "ready", problem: null, answer: { trace } } });
  assert.equal(texts(".paths-strongest li").length, 1);
  click(".paths-strongest button");
  const { kind, layer, head } = store.state;
  assert.deepEqual([kind, layer, head], ["cross", 1, 1]);
  click(".paths-composed button", "On the map");
  assert.deepEqual([store.state.view, store.state.arcs], ["map", "q"]);
});
