// The map as a reader uses it: it walks by key, goes to places, and sends a token through the model.

import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { scratch, shipped, t5 } from "../models.mjs";
import { click, document, page, point, press, texts } from "./dom.mjs";

const { map } = await import("../../../static/js/views/map/map.js");
const { headsCsv } = await import("../../../static/js/views/map/save.js");
const { detailOf } = await import("../../../static/js/numbers/detail.js");

const sizes = { n_layers: 3, n_heads: 8, d_model: 128, d_head: 16, vocab_size: 6232 };
const block = { d_ff: 512, norm: "pre", residual: true, n_parameters: 1391232 };
const named = shipped.sites.map((each) => ({ ...each, name: `layers.${each.layer}` }));
const model = {
  ...shipped,
  ...sizes,
  ...block,
  sites: named,
  tensors: [...shipped.tensors, "result"],
};
const TOKENS = ["[BOS]", "Mary", "saw"].map((text, id) => ({
  id,
  text,
  start: 0,
  end: 1,
  special: id === 0,
  padding: false,
  segment: 0,
}));
const site = (layer, heads) => ({
  name: `layers.${layer}`,
  kind: "self",
  layer,
  heads,
  muted: [],
  softmax_over: "key",
  query_tokens: "tokens",
  key_tokens: "tokens",
});
const trace = (sites) => ({ model: "shipped", tokens: [TOKENS], target_tokens: null, sites });
const ROW = [0, 0, 0, 0, 0, 0, 0.1, 0.8, 0.1];
const detail = (layer, head) => ({
  trace: trace([site(layer, [head])]),
  tensors: new Map([
    [`layers.${layer}.pattern`, { shape: [1, 1, 3, 3], data: Float32Array.from(ROW) }],
    [`layers.${layer}.blocked_by`, { shape: [1, 1, 3, 3], data: new Uint8Array(9) }],
  ]),
});
/** In layer 0, head 5 looks at “Mary” with 204/255, and the others at [BOS]. */
const grid = {
  trace: trace([0, 1, 2].map((layer) => site(layer, [0, 1, 2, 3, 4, 5, 6, 7]))),
  tensors: new Map(
    [0, 1, 2].map((layer) => [
      `layers.${layer}.pattern`,
      {
        shape: [1, 8, 3, 3],
        data: Uint8Array.from(
          Array.from({ length: 8 }, (_, head) =>
            layer === 0 && head === 5
              ? [0, 0, 0, 0, 0, 0, 51, 204, 0]
              : [0, 0, 0, 0, 0, 0, 255, 0, 0],
          ).flat(),
        ),
      },
    ]),
  ),
};
const next = {
  status: "ready",
  problem: null,
  answer: {
    trace: { predictions: [[{ id: 9, text: " herself", probability: 0.723 }]], predicted_at: [2] },
  },
};

/** @param {object} [more] of the state @param {{still?: boolean, width?: number, go?: (place: string) => void}} [options] */
function view(more, { still = false, width = 900, go } = {}) {
  page();
  globalThis.matchMedia = () => Object.assign(document.createElement("i"), { matches: still });
  globalThis.innerHeight = 900;
  let observed;
  globalThis.ResizeObserver = class {
    constructor(seen) {
      observed = seen;
    }
    observe() {}
  };
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const store = new Store({
    model: "shipped",
    models: [model, { ...t5, ...sizes, ...block }],
    texts: ["Mary saw"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    scratch: { mechanism: "m" },
    view: "map",
    kind: "self",
    layer: 1,
    head: 3,
    query: 2,
    key: null,
    shown: 0,
    quiz: false,
    segments: "all",
    matrix: "pattern",
    right: "next",
    scheme: "light",
    lacks: {},
    status: "ready",
    next,
    grid,
    detail: detail(1, 3),
    arcs: "off",
    measured: "text",
    composition: null,
    composed: "k",
    ...more,
  });
  let asked = 0;
  const picture = map(root, store, { retry: () => (asked += 1), go });
  observed([{ contentRect: { width } }]);
  return { store, picture, asked: () => asked };
}
/** Wait for some steps. @param {any} t @param {number} n */
const pass = (t, n) => {
  for (let step = 0; step < n; step += 1) t.mock.timers.tick(1600);
};
const place = (/** @type {string} */ id) => document.querySelector(`[data-place="${id}"]`);
const focused = () => document.activeElement.getAttribute("data-place");
const said = () => texts(".map-words")[0];
const shown = (name) =>
  [...document.querySelectorAll(`.map-place.${name}`)].map((each) => each.dataset.place);

test("the map marks where you are, what is muted, and what the page reads", () => {
  const { store } = view({ muted: [[1, 5]] });
  assert.equal(document.querySelectorAll(".map-head").length, 24);
  assert.deepEqual(shown("selected"), ["head:self:1:3"]);
  assert.deepEqual(shown("muted"), ["head:self:1:5"]);
  assert.deepEqual(shown("reads"), ["head:self:1:3", "prediction:self"]);
  assert.deepEqual(shown("path"), ["token:tokens:2"]);
  assert.equal(place("head:self:1:5").getAttribute("aria-label"), "Layer 1, head 5, muted");
  assert.equal(place("prediction:self").textContent, "“herself” 72.3%");
  assert.match(texts(".map-title")[0], /^Layer 1 · head 3$/);
  assert.match(said(), /“saw” gives “Mary” 80\.0% of its attention/);
  assert.match(said(), /16 numbers each, computed from the 128 .* 8 × 16 = 128\./);
  store.update({ right: "lens", matrix: "pattern" });
  assert.ok(shown("reads").includes("embedding:self") && shown("reads").includes("feed:self:2"));
  store.update({ view: "inside" });
  store.update({ view: "map" });
  assert.match(texts(".map-key")[0], /what Inside and Layer by layer read/);
  const [current] = document.querySelectorAll(".map-views [aria-current]");
  assert.match(current.textContent, /^Inside: q, k, v, scores, pattern, z and z · W_O$/);
});

test("arrow keys walk, one place is a stop for Tab, and Enter goes there", () => {
  const gone = [];
  const { store } = view({}, { go: (where) => gone.push(where) });
  assert.equal(document.querySelectorAll('.map-place[tabindex="0"]').length, 1);
  place("head:self:1:3").focus();
  press("ArrowRight");
  press("ArrowDown");
  assert.equal(focused(), "head:self:2:4");
  assert.deepEqual([store.state.layer, store.state.head], [1, 3]);
  press("Enter");
  assert.deepEqual([store.state.layer, store.state.head], [2, 4]);
  assert.equal(focused(), "head:self:2:4");
  assert.deepEqual(shown("selected"), ["head:self:2:4"]);
  place("feed:self:0").focus();
  assert.match(said(), /128 numbers become 512, and 128 again/);
  place("embedding:self").focus();
  assert.match(said(), /each of the 6,232 tokens/);
  place("token:tokens:1").dispatchEvent(new document.defaultView.Event("click", { bubbles: true }));
  assert.equal(store.state.query, 1);
  place("sentence:tokens").focus();
  press("Enter");
  place("prediction:self").focus();
  press("Enter");
  assert.deepEqual(gone, ["sentence", "prediction"]);
  const ways = [...document.querySelectorAll(".map-about > button")];
  assert.deepEqual(
    ways.map(({ hidden, dataset }) => [hidden, dataset.only]),
    [
      [true, "start full"],
      [false, "full"],
    ],
  );
});

test("the selected head opens in any view of a head", () => {
  const { store } = view();
  const [, , inside] = document.querySelectorAll(".map-views button");
  assert.match(inside.textContent, /^Inside/);
  inside.click();
  assert.equal(store.state.view, "inside");
});

test("Space sends the token through the model, one step after the other, until Escape", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  view();
  const where = () => texts(".map-where")[0];
  place("head:self:1:3").focus();
  press(" ");
  assert.equal(where(), "step 1 of 10");
  assert.deepEqual(shown("lit"), ["token:tokens:2"]);
  pass(t, 2);
  assert.equal(where(), "step 3 of 10");
  assert.equal(shown("lit").length, 8);
  assert.match(said(), /Head 5 looks at “Mary” with about 80% of its attention\./);
  assert.equal(place("token:tokens:1").style.getPropertyValue("--share"), "0.8");
  assert.ok(document.querySelector(".map-dot.shown"));
  pass(t, 20);
  assert.equal(where(), "step 10 of 10");
  assert.match(said(), /After “saw”, the likeliest token is “herself” with 72\.3%\./);
  press("Escape");
  assert.equal(where(), "");
  assert.deepEqual(shown("lit"), []);
  press(" ");
  press(" "); // pauses
  pass(t, 5);
  assert.equal(where(), "step 1 of 10");
  press(".");
  press(".");
  press(",");
  assert.equal(where(), "step 2 of 10");
});

test("with reduced motion Space goes on by one step, and nothing moves by itself", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  view({}, { still: true });
  place("head:self:1:3").focus();
  press(" ");
  pass(t, 20);
  assert.equal(texts(".map-where")[0], "step 1 of 10");
  press(" ");
  assert.equal(texts(".map-where")[0], "step 2 of 10");
  assert.equal(document.querySelector(".map-play button").textContent, "Next step");
});

test("the path stops when the model, its sizes or the view change", () => {
  const { store } = view({}, { still: true });
  click(".map-play button", "Forward along the path");
  assert.equal(texts(".map-where")[0], "step 1 of 10");
  store.update({ view: "lines" });
  assert.equal(texts(".map-where")[0], "");
});

test("a mechanism from scratch is drawn as it is: no feed-forward, no prediction", () => {
  const plain = { d_ff: 0, norm: "none", residual: false, vocab_size: 0, n_parameters: 4096 };
  const made = { ...scratch, ...plain, mechanisms: null };
  const tokens = { trace: { ...trace([site(0, [2])]), model: "scratch" } };
  view({
    model: "scratch",
    models: [made],
    layer: 0,
    head: 2,
    next: null,
    grid: null,
    detail: { ...detail(0, 2), ...tokens },
  });
  assert.deepEqual(document.querySelectorAll(".map-feed, .map-prediction").length, 0);
  assert.match(texts(".map-key")[0], /replaces the vector/);
  place("output:self").focus();
  assert.match(said(), /This model does not predict a token/);
  assert.match(place("embedding:self").textContent, /embedding/);
});

test("a checkpoint says what the server does not know of it", () => {
  const unknown = { ...model, d_ff: null, norm: null };
  view({ models: [unknown] });
  assert.equal(place("feed:self:0").textContent, "rest of layer");
  assert.match(texts(".map-under p")[0], /not where its norms stand/);
});

test("what is said of a head is about this sentence first; sizes stand with all controls", () => {
  const only = () =>
    [...document.querySelectorAll(".map-words p")].map((p) => p.dataset.only ?? "");
  view();
  assert.deepEqual(only(), ["", "full", "full"]);
  view({ detail: null, grid: null, layer: 2 });
  view({ grid: null });
  place("head:self:0:1").focus(); // nobody knows where it looks
  assert.deepEqual(only(), ["", ""]);
});

test("nothing is drawn while the model loads, nor in another view", () => {
  view({ models: [{ ...model, state: "loading", sites: null }] });
  assert.equal(document.querySelector("svg.map"), null);
  view({ view: "heatmap" });
  assert.equal(document.querySelector("svg.map"), null);
});

test("the map is saved as a picture, and its heads as a table", () => {
  const { store, picture } = view({ muted: [[0, 2]] });
  const scene = picture.scene();
  assert.match(scene.title, /^Map of shipped: 3 layers of 8 heads$/);
  const lines = headsCsv(store.state, detailOf(store.state)).trim().split("\r\n");
  assert.equal(lines.length, 1 + 24);
  assert.equal(lines[3], '"self",0,2,1,0,0,"[BOS]","[BOS]",1');
  assert.equal(lines[6], '"self",0,5,0,1,1,"Mary","Mary",0.8');
});

const matrix = (n, value) =>
  Array.from({ length: 8 }, (_, i) => Array.from({ length: n }, (_, j) => value(i, j)));
/** L1·H3 reads L0·H2 most, with 0.42 of 0.9; L2·H6 reads L1·H5 with −0.21. */
const PAIRS = [
  ["layers.0", "layers.1", matrix(8, (i, j) => (i === 2 && j === 3 ? 0.42 : 0))],
  ["layers.1", "layers.2", matrix(8, (i, j) => (i === 5 && j === 6 ? -0.21 : 0))],
].map(([earlier, later, k]) => ({ earlier, later, q: k, k, v: k }));
const composed = {
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: "shipped",
      composition: [
        { pairs: PAIRS, wholes: [{ site: "layers.1", head: 3, lift: 0.9, output: 1 }] },
      ],
      weight_composition: { pairs: PAIRS, baseline: 0.1 },
    },
  },
};
const links = () => [...document.querySelectorAll(".map-links path")];
const toldArc = () => texts(".map-arcs-said")[0];

test("composition is drawn as arcs, which a pointer and the keys read", () => {
  const { store } = view({ arcs: "k", composition: composed });
  assert.deepEqual(
    links().map((arc) => arc.getAttribute("class")), // the strongest last, on top
    ["lowers", "raises own"],
  );
  assert.deepEqual(texts(".map-arcs-list button"), [
    "L0·H2 → L1·H3 through K: 0.42",
    "L1·H5 → L2·H6 through K: −0.21",
  ]);
  const resting = toldArc();
  assert.match(resting, /^Arcs lead from a head down/);
  assert.match(resting, /A dashed one has a number below 0/);
  const order = [...document.querySelector("svg.map").children].map(
    (one) => one.getAttribute("class").split(" ")[0],
  );
  for (const name of ["map-layer-text", "map-place"])
    assert.ok(
      order.indexOf("map-links") < order.indexOf(name),
      "arcs pass behind all that is read",
    );
  point(document.querySelector('.map-hits [data-arc="0"]'));
  assert.match(toldArc(), /^L0·H2 → L1·H3 through K: 0\.42 L1·H3 reads L0·H2 .* of 0\.90 in all/);
  assert.deepEqual(
    links().map((arc) => arc.classList.contains("lit")),
    [false, true],
  );
  point(place("head:self:0:0"));
  assert.equal(toldArc(), resting);
  document.querySelectorAll(".map-arcs-list button")[1].focus();
  assert.match(toldArc(), /^L1·H5 → L2·H6 through K: −0\.21/);
  click(".map-arcs-list button", "L1·H5 → L2·H6 through K: −0.21");
  assert.deepEqual([store.state.layer, store.state.head], [2, 6]);
  assert.equal(document.activeElement.textContent, "L1·H5 → L2·H6 through K: −0.21");
  document
    .querySelector('.map-hits [data-arc="0"]')
    .dispatchEvent(new document.defaultView.Event("click", { bubbles: true }));
  assert.deepEqual([store.state.layer, store.state.head], [1, 3]);
});

test("composition is chosen on the map, saved with it, and leads to the matrix", () => {
  const { store, picture } = view({ composition: composed });
  assert.deepEqual([links().length, texts(".map-arcs-said")[0]], [0, ""]);
  const heads = () => Number(place("head:self:2:0").querySelector("rect").getAttribute("y"));
  const before = [heads(), picture.scene().marks.length];
  const choose = (name, value) => {
    const input = document.querySelector(`input[name="${name}"][value="${value}"]`);
    input.checked = true;
    input.dispatchEvent(new document.defaultView.Event("change", { bubbles: true }));
  };
  choose("arcs", "q");
  assert.equal(store.state.arcs, "q");
  assert.ok(heads() > before[0]); // the layers make room
  const { marks } = picture.scene();
  assert.equal(marks.length, before[1] + 2 + named.length); // with a ground for each name of a layer
  const arcs = marks.findLastIndex(({ opacity, mark }) => mark === "path" && opacity === 0.7);
  assert.ok(arcs < marks.findIndex(({ text }) => text === "layer 0"));
  choose("arcs-measured", "weights");
  assert.equal(store.state.measured, "weights");
  assert.deepEqual(texts(".map-arcs-list button"), ["L0·H2 → L1·H3 through Q: 0.42"]);
  click(".map-arcs button", "All pairs as a matrix");
  assert.deepEqual([store.state.view, store.state.composed], ["paths", "q"]);
});

test("the map says why it draws no arcs", () => {
  view({ arcs: "k" });
  assert.equal(toldArc(), "Computing which head reads which …");
  const message = "It needs the residual stream. Open this page from a Headlight server.";
  const refused = { ...composed, status: "error", problem: { message, retry: true } };
  const { asked } = view({ arcs: "k", composition: refused });
  assert.deepEqual([toldArc(), links().length], [message, 0]);
  click(".map-arcs-tools > button");
  assert.equal(asked(), 1);
  view({ arcs: "k", models: [{ ...model, lacks: "it gives patterns only" }] });
  assert.match(toldArc(), /^shipped shows its patterns only/);
});
