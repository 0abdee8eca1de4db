import assert from "node:assert/strict";
import test from "node:test";
import { merged } from "../../static/js/asking/bundle.js";
import { Ledger } from "../../static/js/asking/ledger.js";
import { REQUEST_KEYS } from "../../static/js/asking/questions.js";
import { nextOf, statusesOf, wishesOf, worthOf } from "../../static/js/asking/wishes.js";
import { questions, SLOTS } from "../../static/js/panels/questions.js";
import { heldOf } from "../../static/js/state/against.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { shipped, unloaded } from "./models.mjs";

const begun = /** @type {any} */ ({
  model: "shipped",
  models: [shipped],
  texts: ["a b"],
  targets: [],
  pairs: null,
  masks: OWN_MASKS,
  muted: [],
  kind: "self",
  layer: 1,
  head: 2,
  shown: 0,
  query: null,
  matrix: "pattern",
  view: "heatmap",
  overlay: [],
  segments: "all",
  against: null,
  lacks: {},
  right: "next",
  token: null,
  temperature: 1,
  top_k: 10,
  top_p: 1,
  by: "probe",
  status: "loading",
  problem: null,
  grid: null,
  detail: null,
  pointed: null,
  vectors: null,
  ...Object.fromEntries(SLOTS.map((slot) => [slot, null])),
});
const asked = questions({ without: ["facts", "reference"] });
/** A page that is asked for what it wants. */
function page() {
  const ledger = new Ledger();
  const wishes = (/** @type {any} */ state) => wishesOf(state, asked, ledger);
  return {
    ledger,
    wishes,
    next: (/** @type {any} */ state, alone = false) => nextOf(wishes(state), alone),
    told: (/** @type {any} */ state) => statusesOf(state, wishes(state), asked, ledger),
    answer: (/** @type {any[]} */ bundle) => {
      for (const { name, key } of bundle) ledger.answered(name, key);
    },
  };
}
const names = (/** @type {any[] | null} */ bundle) => bundle?.map(({ name }) => name) ?? null;

test("all that is shown of a text is one request, and then nothing is asked", () => {
  const { next, told, answer } = page();
  const first = next(begun) ?? [];
  assert.deepEqual(names(first), ["grid", "detail", "next"]);
  assert.deepEqual(Object.keys(merged(first).parts), ["grid", "detail"]);
  assert.equal(told(begun).status, "loading");
  answer(first);
  assert.equal(next(begun), null);
  assert.equal(told(begun).status, "ready");
});

test("what changes is asked for alone", () => {
  const { next, answer } = page();
  answer(next(begun) ?? []);
  /** @type {[object, string[]][]} */
  const rows = [
    [{ head: 3 }, ["detail"]],
    [{ layer: 0 }, ["detail"]],
    [{ query: 1 }, ["next"]],
    [{ temperature: 2 }, ["next"]],
    [{ matrix: "rollout" }, ["detail"]],
    [{ by: "sentence" }, ["scores"]],
    [{ right: "lens" }, ["lens"]],
    [{ right: "effects" }, ["effects"]],
    [{ view: "lines", overlay: [[0, 1]] }, ["overlays"]],
    [{ head: 3, query: 1 }, ["detail", "next"]],
    [{ texts: ["b"], by: "sentence", right: "lens" }, ["grid", "detail", "next", "scores", "lens"]],
  ];
  for (const [change, asked] of rows) {
    assert.deepEqual(names(next({ ...begun, ...change })), asked, JSON.stringify(change));
  }
  assert.equal(next({ ...begun, matrix: "scores" }), null, "it is there already");
});

test("a matrix of short texts is asked for once the number of tokens is known, and only then", () => {
  const trace = (/** @type {number} */ n) => ({ trace: { tokens: [Array(n).fill({})] } });
  const flow = (/** @type {number} */ n) => ({ ...begun, matrix: "flow", grid: trace(n) });
  const { next, told, answer } = page();
  const first = next(flow(7)) ?? []; // the grid is of another text
  assert.deepEqual(names(first), ["grid", "detail", "next"]);
  assert.equal(merged(first).analyse, undefined);
  answer(first);
  assert.equal(next(flow(25)), null);
  assert.equal(told(flow(25)).status, "ready");
  const then = next(flow(24)) ?? [];
  assert.deepEqual(names(then), ["matrix"]);
  assert.deepEqual(merged(then).analyse, { flow: true });
  assert.equal(told(flow(24)).status, "loading");
  answer(then);
  assert.equal(told(flow(24)).status, "ready");
});

test("a request is made of nothing but the keys that the loader watches", () => {
  const watches = (/** @type {any} */ key) => REQUEST_KEYS.includes(key);
  const other = { ...begun, head: 4, query: 0 };
  for (const start of [
    begun,
    { ...begun, right: "lens" },
    { ...begun, right: "effects" },
    { ...begun, by: "sentence", matrix: "rollout" },
    { ...begun, view: "inside" },
    { ...begun, view: "text", overlay: [[2, 2]] },
    { ...begun, view: "lines", overlay: [[2, 2]] },
    { ...begun, view: "compare", against: heldOf(other) },
    { ...begun, texts: ["long ".repeat(200)], pointed: 3, vectors: "{}", segments: "AA" },
  ]) {
    for (const [name, { request }] of asked) {
      /** @type {Set<any>} */
      const read = new Set();
      const watched = new Proxy(/** @type {any} */ (start), {
        get: (state, key) => {
          read.add(key);
          return state[key];
        },
        ownKeys: (state) => Object.keys(state).filter((key) => watches(key)), // of a spread
      });
      assert.deepEqual(request(watched, shipped, true), request(start, shipped, true), name);
      const unwatched = [...read].filter((key) => !watches(key));
      assert.deepEqual(unwatched, [], name);
    }
  }
});

test("long work comes after the picture, by itself, and makes way for it", () => {
  const { next, wishes, answer } = page();
  const state = { ...begun, right: "effects" };
  const first = next(state) ?? [];
  assert.ok(!names(first)?.includes("effects"));
  answer(first);
  const effects = next(state) ?? [];
  assert.deepEqual(names(effects), ["effects"]);
  assert.equal(worthOf(effects, wishes(state)), "wanted");
  assert.equal(worthOf(effects, wishes({ ...state, head: 3 })), "unwanted");
  assert.equal(worthOf(effects, wishes({ ...state, right: "next" })), "unwanted");
});

test("what nothing waits for is asked only once the reader rests, and is never taken for an older answer", () => {
  const { next, answer, told } = page();
  const listed = [{ id: 7, text: "a", probability: 0.5 }];
  const trace = { model: "shipped", tokens: [[]], predictions: [listed], predicted_at: [0] };
  const asked = { status: "ready", problem: null, answer: { trace } };
  const state = { ...begun, next: asked, muting: asked };
  answer(next(state) ?? []);
  assert.equal(next(state), null);
  assert.equal(told(state).muting?.status, "loading");
  assert.deepEqual(names(next({ ...state, rested: true })), ["muting"]);
});

test("a picture of an older text can still be shown", () => {
  const { next, wishes } = page();
  const first = next(begun) ?? [];
  assert.equal(worthOf(first, wishes(begun)), "wanted");
  assert.equal(worthOf(first, wishes({ ...begun, right: "effects" })), "wanted");
  assert.equal(worthOf(first, wishes({ ...begun, texts: ["a bc"] })), "older");
});

test("another head of the same text is compared in one request, another text in two", () => {
  const { next, answer } = page();
  const compared = { ...begun, view: "compare", against: heldOf({ ...begun, head: 4 }) };
  assert.deepEqual(names(next(compared)), ["grid", "detail", "other", "next"]);
  const apart = { ...compared, against: heldOf({ ...begun, texts: ["c"] }) };
  const first = next(apart) ?? [];
  assert.deepEqual(names(first), ["grid", "detail", "next"]);
  answer(first);
  assert.deepEqual(names(next(apart)), ["other"]);
});

test("what is refused stays refused, and of a picture nothing else is asked", () => {
  const { ledger, next, wishes, told } = page();
  const asked = (/** @type {string} */ name, state = begun) =>
    wishes(state).find((wish) => wish.name === name)?.key ?? "";
  ledger.refuse("next", asked("next"));
  assert.deepEqual(names(next(begun)), ["grid", "detail"]);
  ledger.refuse("detail", asked("detail"));
  assert.equal(next(begun), null);
  assert.equal(told(begun).status, "error");
  const shorter = { ...begun, texts: ["a"] };
  assert.deepEqual(names(next(shorter)), ["grid", "detail", "next"]);
  ledger.forgetRefusals();
  assert.deepEqual(names(next(begun)), ["grid", "detail", "next"]);
});

test("what was too much together is asked one by one", () => {
  const { next, answer } = page();
  for (const name of ["grid", "detail", "next"]) {
    const [one, ...others] = next(begun, true) ?? [];
    assert.deepEqual([one.name, others.length], [name, 0]);
    answer([one]);
  }
  assert.equal(next(begun, true), null);
});

test("what stands stays while another answer is on its way", () => {
  const { next, told, answer } = page();
  answer(next(begun) ?? []);
  const held = { status: "ready", answer: { trace: 1 }, problem: null };
  const state = { ...begun, next: held };
  assert.ok(!("next" in told(state)));
  assert.deepEqual(told({ ...state, query: 1 }).next, { ...held, status: "loading" });
  const waiting = { ...state, right: "effects", next: { ...held, status: "loading" } };
  assert.equal(told(waiting).next?.status, "ready");
});

test("a model that is not there is loading until it is refused", () => {
  const { ledger, told } = page();
  const state = { ...begun, models: [unloaded("shipped")] };
  assert.equal(told(state).status, "loading");
  ledger.refuse("model", "shipped");
  assert.equal(told(state).status, "error");
});
