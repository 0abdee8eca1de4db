import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { bloom, shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { panelElement } = await import("../../../static/js/page/mounts.js");
const { PANELS } = await import("../../../static/js/panels/panels.js");
const { paintHeads } = await import("../../../static/js/panels/heads/painting.js");
const { effects } = await import("../../../static/js/panels/effects/effects.js");

const token = (/** @type {string} */ text) => ({ id: 7, text, special: false, padding: false });
/** @param {number} layer @param {number} head @param {number | null} change @param {string} [reason] */
const effect = (layer, head, change, reason) => ({ kind: "self", layer, head, change, reason });

/** @param {object[]} found */
const answered = (found) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: "shipped",
      tokens: [[token("[BOS]"), token("river")]],
      mute_effects: [
        { position: 1, token: { ...token("bank"), probability: 0.5 }, effects: found },
      ],
    },
  },
});

/** @param {object | null} asked @param {string} [model] @param {object} [more] */
function panel(asked, model = "shipped", more = {}) {
  page("#predictions");
  const store = new Store({
    model,
    models: [shipped, bloom],
    shown: 0,
    kind: "self",
    layer: 1,
    head: 2,
    muted: [],
    temperature: 1,
    effects: asked,
    ...more,
  });
  effects(panelElement("effects"), store, () => {});
  return store;
}
const summary = () => document.querySelector("#effects-panel .summary").textContent;
const seen = () =>
  [...document.querySelector("#effects-panel").children].filter(
    ({ hidden, textContent }) => !hidden && textContent,
  );

test("heads are ranked by how much the watched token loses or gains without them", () => {
  const store = panel(
    answered([
      effect(0, 1, 0.25),
      effect(1, 2, -1.5),
      effect(2, 0, null, "this head is muted already"),
    ]),
  );
  assert.deepEqual(
    [...document.querySelectorAll(".effects button")].map(({ dataset }) => dataset.place),
    ["1.2", "0.1", "2.0"],
  );
  assert.match(texts(".effects li")[0], /^L1 · H2\s*helps\s*11\.2%\s*−1\.50$/);
  assert.match(texts(".effects li")[1], /^L0 · H1\s*hurts\s*64\.2%\s*\+0\.25$/);
  assert.match(texts(".effects li")[2], /this head is muted already$/);
  assert.deepEqual(texts(".effects-axis span"), [
    "head",
    "looks at",
    "50.0%",
    "without it",
    "nats",
  ]);
  assert.match(texts("#effects-panel .source")[0], /How likely “bank” is after “river”/);
  assert.equal(
    summary(),
    "Without layer 1 · head 2, “bank” falls from 50.0% to 11.2% (−1.50 nats): this head helps it.",
  );
  const current = () => document.querySelector(".effects [aria-current]")?.dataset.place;
  assert.equal(current(), "1.2");
  click(".effects [data-place='0.1']");
  assert.deepEqual([store.state.layer, store.state.head, current()], [0, 1, "0.1"]);
});

test("where every head is muted it is said once, and nothing else", () => {
  panel(
    answered([
      effect(0, 0, null, "this head is muted already"),
      effect(0, 1, null, "this head is muted already"),
    ]),
  );
  assert.equal(summary(), "Every head is already muted.");
  assert.equal(seen().length, 1);
});

test("a model that takes no mutes says so", () => {
  panel(null, "bloom");
  assert.equal(summary(), "The heads of this model cannot be muted: it asks for alibi.");
  assert.equal(seen().length, 1);
});

test("while it is computed the panel says so", () => {
  panel({ status: "loading", problem: null, answer: null });
  assert.match(summary(), /^Computing/);
  assert.equal(document.querySelector("#effects-panel").getAttribute("aria-busy"), "true");
});

/** The thumbnails of two heads, painted with what was found. @param {object} state */
function painted(state) {
  const root = document.createElement("div");
  const cells = new Map(["0.1", "1.2"].map((name) => [name, document.createElement("button")]));
  root.append(...cells.values());
  const grid = { trace: { sites: [{ kind: "self" }] } };
  const usual = {
    temperature: 1,
    muted: [],
    right: "effects",
    kind: "self",
    shown: 0,
    models: [shipped],
    scheme: "light",
  };
  paintHeads(root, cells, { ...usual, grid, ...state });
  return [...root.querySelectorAll(".effect")].map((one) => [
    one.querySelector("b").textContent,
    one.querySelector(".tint").className,
    Number(one.querySelector(".tint").style.getPropertyValue("--strength")).toFixed(2),
  ]);
}

test("thumbnails are painted with the effects while their list is open, and a head without a number is not", async () => {
  await PANELS.effects.part.come();
  const found = answered([effect(0, 1, 0.25), effect(1, 2, -1.5)]);
  assert.deepEqual(painted({ effects: found }), [
    ["+14", "tint rises", "0.37"],
    ["−39", "tint falls", "1.00"],
  ]);
  assert.deepEqual(painted({ effects: found, right: "lens" }), []);
  assert.deepEqual(painted({ effects: null, models: [bloom] }), []);
  const other = { trace: { sites: [{ kind: "cross" }] } };
  assert.deepEqual(painted({ effects: found, grid: other }), [], "the heads are still others");
  const none = answered([effect(0, 1, null, "this head is muted already")]);
  assert.deepEqual(painted({ effects: none }), []);
});

test("of many heads, those that may matter most are measured, and the others estimated and marked", () => {
  /** @param {number} head @param {number} estimate @param {number | null} [change] */
  const estimated = (head, estimate, change = null) => ({ ...effect(1, head, change), estimate });
  const found = [estimated(0, -3), estimated(1, 0.1, -0.2), estimated(2, -0.3, 0.05)];
  const asked = answered([]);
  const [{ position, token }] = asked.answer.trace.mute_effects;
  const answer = { position, token, effects: found, agreement: -1 };
  const { mute_effects, ...trace } = { ...asked.answer.trace, mute_estimates: [answer] };
  panel({ ...asked, answer: { trace } });
  // what was measured comes first, however large an estimate is
  assert.deepEqual(
    [...document.querySelectorAll(".effects button")].map(({ dataset }) => dataset.place),
    ["1.1", "1.2", "1.0"],
  );
  const [measured, , guess] = document.querySelectorAll(".effects button");
  assert.match(measured.textContent, /40\.9%/);
  assert.match(guess.textContent, /≈ 2\.5%.*−3/);
  assert.match(guess.getAttribute("aria-label"), /about 2\.5% without it, an estimate/);
  const [some, how] = texts(".effects-some");
  assert.equal(some, "2 of 3 heads were muted; ≈ marks an estimate, which can be wrong.");
  assert.match(how, /Kendall’s τ = -1\.00/);
});

test("each head says where it looks from the token that is predicted after", () => {
  const asked = answered([effect(1, 2, -1.5), effect(0, 1, 0.25)]);
  const { tokens } = asked.answer.trace;
  /** @param {number} layer @param {number} head @param {number[]} last the row of “river” */
  const site = (layer, head, last, size = 2) => ({
    of: {
      name: `layers.${layer}`,
      kind: "self",
      layer,
      heads: [head],
      query_tokens: "tokens",
      key_tokens: "tokens",
    },
    tensor: { shape: [1, 1, size, size], data: Uint8Array.from([255, 0, ...last]) },
  });
  /** @param {ReturnType<typeof site>[]} sites */
  const grid = (sites) => ({
    trace: { tokens, sites: sites.map(({ of }) => of) },
    tensors: new Map(sites.map(({ of, tensor }) => [`${of.name}.pattern`, tensor])),
  });
  panel(asked, "shipped", { grid: grid([site(1, 2, [51, 204]), site(0, 1, [204, 51])]) });
  assert.deepEqual(texts(".effects .looks"), ["river 80%", "[BOS] 80%"]);
  assert.match(
    document.querySelector(".effects button").getAttribute("aria-label"),
    /nats\); it looks most at river 80%$/,
  );
  panel(asked, "shipped", { grid: grid([site(1, 2, [], 1), site(0, 1, [], 1)]) });
  assert.deepEqual(texts(".effects .looks"), ["", ""], "tokens are pooled");
});

test("what a mute of the selected head does replaces its estimate as soon as it is known", () => {
  const asked = answered([]);
  const [{ position, token }] = asked.answer.trace.mute_effects;
  const effects = [{ ...effect(1, 2, null), estimate: -0.1 }];
  const { mute_effects, ...rest } = asked.answer.trace;
  const trace = { ...rest, mute_estimates: [{ position, token, effects, agreement: null }] };
  /** @param {number} id @param {number} probability */
  const predicted = (id, probability) => ({
    status: "ready",
    answer: {
      trace: { ...rest, predictions: [[{ ...token, id, probability }]], predicted_at: [position] },
    },
  });
  const loaded = { models: [{ ...shipped, predicts: "next", lacks: "" }], token: null };
  panel({ ...asked, answer: { trace } }, "shipped", { ...loaded, next: predicted(7, 0.5) });
  assert.match(summary(), /would go from 50\.0% to about 45\.2%, by an estimate/);
  const both = { ...loaded, next: predicted(7, 0.5), muting: predicted(7, 0.25) };
  panel({ ...asked, answer: { trace } }, "shipped", both);
  assert.match(summary(), /falls from 50\.0% to 25\.0% \(−0\.69 nats\): this head helps it/);
  // and it stays so when another head is selected
  const row = () => document.querySelector(".effects [data-place='1.2']").textContent;
  assert.match(row(), /25\.0%/);
  panel({ ...asked, answer: { trace } }, "shipped", {
    ...loaded,
    next: predicted(7, 0.5),
    head: 1,
  });
  assert.match(row(), /helps\s*25\.0%/);
  const warmer = { ...rest, mute_estimates: [{ ...trace.mute_estimates[0] }] };
  panel({ ...asked, answer: { trace: warmer } }, "shipped", { ...both, temperature: 2 });
  assert.match(summary(), /by an estimate/, "its probabilities are not the model's own");
  const other = { ...both, next: predicted(8, 0.5), muting: predicted(8, 0.25) };
  const again = { ...rest, mute_estimates: [{ ...trace.mute_estimates[0] }] };
  panel({ ...asked, answer: { trace: again } }, "shipped", other);
  assert.match(summary(), /by an estimate/, "it is of another token");
});
