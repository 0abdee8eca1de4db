import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { bloom, shipped } from "../models.mjs";
import { document, page } from "./dom.mjs";

const { explanations } = await import("../../../static/js/views/explanations/explanations.js");
const { searchRequest } = await import("../../../static/js/views/explanations/request.js");

const token = (/** @type {string} */ text) => ({ id: 7, text, special: false, padding: false });
const curve = { logits: [3, 1, 0], probabilities: [0.5, 0.2, 0.1], area: 1.25 };
const curves = { deletion: curve, insertion: curve };

/** @param {string} name @param {number[] | null} values @param {object} [more] */
const method = (name, values, more = {}) => ({
  name,
  label: name,
  values,
  unit: "share",
  signed: false,
  role: "method",
  definition: `What ${name} is.`,
  source: "Somebody 2020",
  notes: {},
  notes_mean: {},
  curves: values && curves,
  reason: values ? null : "there is no stream",
  ...more,
});
const tau = [
  [1, 0.2, null, 0.4],
  [0.2, 1, null, 0.9],
  [null, null, null, null],
  [0.4, 0.9, null, 1],
];
const found = {
  position: 1,
  token: { ...token("bank"), probability: 0.5 },
  against: null,
  logit: 3,
  weights_of: "layers.1",
  sources: [0, 1],
  random: curves,
  methods: [
    method("weight", [0.25, 0.75]),
    method("gradient", [2, -1], {
      signed: true,
      notes: { gap: 0.1 },
      notes_mean: { gap: "left" },
    }),
    method("attribution", null),
    method("ablation", [1, 2], { signed: true, role: "reference" }),
  ],
  agreement: [
    { specials: true, by: "value", n_tokens: 2, chance: 0.8, tau },
    {
      specials: true,
      by: "size",
      n_tokens: 2,
      chance: 0.8,
      tau: tau.map((row) => row.map(() => 0)),
    },
  ],
};
const trace = { model: "shipped", tokens: [[token("[BOS]"), token("river")]], target_tokens: null };
const answered = {
  status: "ready",
  problem: null,
  answer: { trace: { ...trace, explanations: [found] } },
};

/** @param {object | null} asked @param {object} [more] */
function view(asked, more = {}) {
  page("#heatmap-view");
  const root = document.createElement("div");
  document.body.append(root);
  const store = new Store({
    model: "shipped",
    models: [shipped, bloom],
    shown: 0,
    kind: "self",
    layer: 1,
    head: 2,
    texts: ["river"],
    targets: [],
    pairs: null,
    masks: {},
    muted: [],
    token: null,
    query: 1,
    view: "explanations",
    ranked: "value",
    counted: "all",
    searched: null,
    other_attention: null,
    explanations: asked,
    curves: null,
    ...more,
  });
  explanations(root, store, { retry: () => {} });
  return { root, store };
}
/** @param {HTMLElement} root @param {string} selector */
const within = (root, selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);

test("the reference stands first, and each method says how far it agrees with it", () => {
  const { root } = view(answered);
  const table = root.querySelector(".explanations-table");
  assert.deepEqual(
    [...table.querySelectorAll("thead th span:first-child")].map((e) => e.textContent),
    ["ablation", "weight", "gradient", "attribution"],
  );
  assert.deepEqual(within(table, "tbody th"), ["[BOS]", "river"]);
  assert.deepEqual(within(table, "tfoot td"), ["", "0.40", "0.90", "–"]);
  const [, second] = table.querySelectorAll("tbody tr");
  assert.deepEqual(within(second, "td .number"), ["2.00", "0.750", "−1.00"]);
  assert.match(within(second, "td")[3], /no number/);
  assert.match(
    root.querySelector(".explanations-verdict").textContent,
    /agrees best with ablation is gradient.*0\.90/,
  );
});

test("another reference stands beside the reference, and is not an explanation", () => {
  const second = { ...found.methods[1], role: "second reference" };
  const references = [found.methods[0], second, ...found.methods.slice(2)];
  const { root } = view({
    ...answered,
    answer: { trace: { ...trace, explanations: [{ ...found, methods: references }] } },
  });
  assert.deepEqual(within(root, ".explanations-table thead th"), [
    "token",
    "ablationthe reference",
    "gradientanother reference",
    "weightshare",
    "attributionshare",
  ]);
  const set = within(root, ".explanations-table thead .reference span:first-child");
  assert.deepEqual(set, ["ablation", "gradient"], "apart");
  assert.deepEqual(within(root, ".explanations-table tfoot td"), ["", "0.90", "0.40", "–"]);
  const said = root.querySelector(".explanations-verdict").textContent;
  assert.match(said, /the best, weight, has τ = 0\.40/);
  assert.doesNotMatch(said, /gradient/);
});

test("ranking by size reads the other agreement", () => {
  const { root, store } = view(answered);
  store.update({ ranked: "size" });
  assert.deepEqual(within(root, ".explanations-table tfoot td").slice(1, 3), ["0.00", "0.00"]);
});

test("each picture names its lines, and says them to screen readers", () => {
  const { root } = view(answered);
  const [deletion] = root.querySelectorAll("svg");
  assert.deepEqual(within(deletion, ".name"), ["ablation", "weight", "gradient", "random order"]);
  assert.match(deletion.getAttribute("aria-label"), /^Deletion: .*ablation, weight, gradient and/);
  assert.equal(within(root, ".explanations-areas tbody tr").length, 4);
});

test("the numbers come first, and the old curves stay until the new ones are there", () => {
  const bare = {
    ...found,
    random: null,
    methods: found.methods.map((one) => ({ ...one, curves: null })),
  };
  const numbers = { ...answered, answer: { trace: { ...trace, explanations: [bare] } } };
  const loading = { status: "loading", problem: null, answer: null };
  const { root, store } = view(numbers, { curves: loading });
  const section = root.querySelector(".explanations-drawn").parentElement;
  const said = () => section.querySelector("h3 + p").textContent;
  assert.equal(within(root, ".explanations-table tbody tr").length, 2);
  assert.match(said(), /^Computing: .*hundreds/);
  assert.ok(root.querySelector(".explanations-drawn").hidden);
  store.update({ curves: answered });
  assert.equal(said(), "");
  assert.equal(section.querySelectorAll("svg").length, 2);
  store.update({ curves: { ...answered, status: "loading" } });
  assert.match(said(), /^Computing/);
  assert.equal(section.getAttribute("aria-busy"), "true");
  assert.equal(section.querySelectorAll("svg").length, 2, "dimmed");
  const problem = { message: "Cancelled.", retry: true };
  store.update({ curves: { status: "error", answer: null, problem } });
  assert.equal(said(), "Cancelled.");
  assert.ok(!section.querySelector("button").hidden);
  assert.equal(section.querySelectorAll("svg").length, 0);
});

test("what another model said is gone while the next is asked", () => {
  const { root, store } = view(answered);
  const body = root.querySelector(".explanations-body");
  assert.equal(body.hidden, false);
  store.update({ models: [shipped, { ...shipped, name: "other" }], model: "other" });
  assert.ok(body.hidden);
});

test("the definitions say where each comes from, its notes, and why one is silent", () => {
  const { root } = view(answered);
  const said = root.querySelector(".explanations-about").textContent;
  assert.match(said, /What weight is\. \(Somebody 2020\)/);
  assert.match(said, /0\.1000: left\./);
  assert.match(said, /Nothing to say: there is no stream\./);
});

test("what is missing is said instead", () => {
  const { root } = view({ status: "loading", problem: null, answer: null });
  assert.match(root.querySelector(".explanations-verdict").textContent, /^Computing: /);
  assert.equal(root.getAttribute("aria-busy"), "true");
  assert.ok(root.querySelector(".explanations-body").hidden);
  const problem = { message: "Explanations take texts of at most 64 tokens.", retry: true };
  const refused = view({ status: "error", problem, answer: null }).root;
  assert.equal(refused.querySelector(".explanations-verdict").textContent, problem.message);
  const none = view(null, { model: bloom.name }).root;
  assert.match(none.querySelector(".explanations-verdict").textContent, /takes no edits/);
});

test("the button asks for a search, and its result stands beside the real row", () => {
  const { root, store } = view(answered);
  const go = root.querySelector(".explanations-search button");
  go.click();
  assert.equal(store.state.searched, JSON.stringify(searchRequest(store.state, shipped)));
  assert.ok(go.hidden);
  assert.equal(root.querySelector(".explanations-outcome").textContent, "Searching …");
  const one = {
    position: 1,
    site: "layers.1",
    heads: [2],
    keys: [0, 1],
    pattern: [[0.25, 0.75]],
    other: [[0.9, 0.1]],
    found: true,
    jsd: 0.3,
    tvd: 0.02,
    tvd_without: 0.4,
    tried: 9,
    answers: [{ token: { ...token("bank"), probability: 0.5 }, after: 0.48 }],
  };
  store.update({
    other_attention: {
      status: "ready",
      problem: null,
      answer: { trace: { ...trace, other_attention: [one] } },
    },
  });
  const [rows, answers] = root.querySelectorAll(".explanations-found table");
  assert.deepEqual(within(rows, "tbody .number"), ["25.0%", "90.0%", "75.0%", "10.0%"]);
  assert.deepEqual(within(answers, "tbody .number"), ["50.0%", "48.0%"]);
  assert.match(root.querySelector(".explanations-outcome").textContent, /^Found: /);
  store.update({ head: 3 });
  assert.ok(!go.hidden, "another head has not been searched");
  assert.equal(within(root, ".explanations-found table").length, 0);
});
