import assert from "node:assert/strict";
import test from "node:test";
import { questions } from "../../static/js/api/api.js";
import { isOfNow, repainter } from "../../static/js/asking/repaint.js";
import { inputs } from "../../static/js/asking/requests.js";
import {
  blockOf,
  brushOf,
  cellsOf,
  cursorBy,
  cursorOf,
  isBlockedAt,
  nextBrush,
  stroke,
  toggleToken,
  whyNot,
} from "../../static/js/edit/stroke.js";
import { history, undo } from "../../static/js/state/history.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { Store } from "../../static/js/state/store.js";
import { bloom, shipped, t5 } from "./models.mjs";

/** @param {Partial<import("../../static/js/types.d.ts").Cell>} some */
const cell = (some) => ({
  text: 0,
  layer: 1,
  head: 2,
  query: null,
  key: null,
  kind: null,
  ...some,
});

/** Words as tokens, padded. @param {string[]} texts @param {string} side */
function rows(texts, side) {
  const words = texts.map((text) => text.split(" ").filter(Boolean));
  const n = Math.max(...words.map((row) => row.length));
  return words.map((row) => {
    const real = row.map((text) => ({ id: 1, text, segment: 0, padding: false }));
    const pads = Array(n - row.length).fill({ id: 0, text: "", segment: 0, padding: true });
    return side === "left" ? [...pads, ...real] : [...real, ...pads];
  });
}

/** An answer as the API gives it, to the state. @param {any} state */
function answered(state) {
  const { texts, masks, kind } = state;
  const tokens = rows(texts, masks.padding_side);
  const target_tokens = state.model === "t5" ? rows(state.targets, masks.padding_side) : null;
  const query_tokens = kind === "decoder" || kind === "cross" ? "target_tokens" : "tokens";
  const key_tokens = kind === "decoder" ? "target_tokens" : "tokens";
  const site = { name: "here", kind, layer: state.layer, heads: [state.head] };
  const trace = { model: state.model, tokens, target_tokens, predicted_at: null };
  const [n, m] = [query_tokens, key_tokens].map((axis) => (trace[axis] ?? tokens)[0].length);
  const shape = [texts.length, 1, n, m];
  const size = shape.reduce((a, b) => a * b);
  const bits = Array.from({ length: size }, (_, i) =>
    kind !== "cross" && i % m > Math.floor(i / m) % n ? 1 : 0,
  );
  const tensors = new Map([
    ["here.pattern", { shape, data: new Float32Array(size) }],
    ["here.blocked_by", { shape, data: Uint8Array.from(bits) }],
  ]);
  const answer = { trace: { ...trace, sites: [{ ...site, query_tokens, key_tokens }] }, tensors };
  const model = state.models.find((/** @type {any} */ { name }) => name === state.model);
  questions.set(answer, inputs(state, model));
  return answer;
}

/** @param {object} [some] */
function begin(some = {}) {
  const store = new Store({
    models: [shipped, t5, bloom],
    model: "shipped",
    texts: ["the cat sat on it"],
    targets: [],
    pairs: null,
    masks: { ...OWN_MASKS },
    muted: [],
    kind: "self",
    layer: 1,
    head: 2,
    shown: 0,
    query: 3,
    key: null,
    matrix: "pattern",
    view: "heatmap",
    brush: "head",
    segments: "all",
    grid: null,
    detail: null,
    past: [],
    future: [],
    ...some,
  });
  history(store);
  return store;
}

/** @param {Store} store */
const look = (store) => {
  const answer = answered(store.state);
  store.update({ grid: answer, detail: answer });
};

/** With its picture, and what lets the cells follow. @param {object} [some] */
function open(some) {
  const store = begin(some);
  /** @type {string[]} */
  const said = [];
  /** @type {any[]} */
  const asked = [];
  const repaint = repainter(store, (words) => said.push(words));
  const settle = () => {
    const request = repaint.question();
    if (request) {
      asked.push(request);
      repaint.learn(answered({ ...store.state, ...request, kind: "self" }));
    }
    repaint.follow();
  };
  return { store, said, asked, settle };
}

/** @param {Store} store @param {any[]} blocked */
const block = (store, blocked) => store.update({ masks: { ...store.state.masks, blocked } });
const placed = (/** @type {Store} */ store) =>
  store.state.masks.blocked.map(({ text, query, key }) => [text, query, key]);

test("nothing painted: nothing is asked", async () => {
  const { asked, settle } = open();
  await settle();
  assert.equal(asked.length, 0);
});

test("the cells of a recorded run stay as they are, and nothing is asked: it has one answer", async () => {
  const masks = { ...OWN_MASKS, blocked: [cell({ query: 4, key: 1 })] };
  const recorded = { texts: ["the cat sat on it"], targets: [], pairs: null, masks, muted: [] };
  const models = [{ ...shipped, lacks: "one run", recorded }];
  const { store, said, asked, settle } = open({ models, masks });
  await settle();
  assert.deepEqual(placed(store), [[0, 4, 1]]);
  assert.deepEqual([asked, said], [[], []]);
});

test("a link is painted as it says, without what is not there, and that is no step", async () => {
  const masks = { ...OWN_MASKS, blocked: [cell({ query: 4, key: 1 }), cell({ query: 9 })] };
  const { store, said, asked, settle } = open({ masks });
  await settle();
  assert.deepEqual(placed(store), [[0, 4, 1]]);
  assert.deepEqual(asked[0].masks.blocked, []); // or it would be refused
  assert.match(said[0], /^1 painted cell was on tokens that this text does not have/);
  assert.deepEqual(store.state.past, []);
  await settle();
  assert.equal(asked.length, 1);
});

test("paint follows its tokens through every edit, and is no step of its own", async () => {
  const { store, said, settle } = open();
  look(store);
  block(store, [cell({ query: 4, key: 1 })]);
  const steps = store.state.past.length;
  for (const [text, query, key] of [
    ["the cat sat on it now", 4, 1],
    ["so the cat sat on it now", 5, 2],
    ["cat sat on it now", 3, 0],
  ]) {
    store.update({ texts: [text] });
    await settle();
    assert.deepEqual(placed(store), [[0, query, key]], String(text));
  }
  assert.equal(store.state.past.length, steps + 1); // the typing
  store.update(undo(store.state) ?? {});
  await settle();
  assert.deepEqual([store.state.texts, placed(store)], [["the cat sat on it"], [[0, 4, 1]]]);
  assert.deepEqual(said, []);
});

test("what loses its token is taken off; undo brings back text and paint", async () => {
  const { store, said, settle } = open();
  look(store);
  block(store, [cell({ query: 4, key: 1 }), cell({ key: 0 })]);
  store.update({ texts: ["the dog sat on it"] });
  await settle();
  assert.deepEqual(placed(store), [[0, null, 0]]);
  assert.match(said[0], /^1 painted cell was on tokens that have changed/);
  store.update(undo(store.state) ?? {});
  await settle();
  assert.deepEqual(store.state.texts, ["the cat sat on it"]);
  assert.equal(placed(store).length, 2);
});

test("paint that was cleared comes back to its tokens, after the text that it was painted on", async () => {
  const { store, settle } = open();
  look(store);
  block(store, [cell({ query: 4, key: 1 })]);
  block(store, []);
  store.update({ texts: ["so the cat sat on it"] });
  await settle();
  for (const [text, painted] of [
    ["the cat sat on it", []],
    ["the cat sat on it", [[0, 4, 1]]],
    ["the cat sat on it", []],
  ]) {
    store.update(undo(store.state) ?? {});
    await settle();
    assert.deepEqual([store.state.texts, placed(store)], [[text], painted]);
  }
});

test("padding on the other side moves the tokens, and their paint", async () => {
  const { store, settle } = open({ texts: ["the cat sat on it", "a dog"] });
  look(store);
  block(store, [cell({ text: 1, query: 1, key: 0 })]);
  store.update({ masks: { ...store.state.masks, padding_side: "left" } });
  await settle();
  assert.deepEqual(placed(store), [[1, 4, 3]]);
});

test("a text that changes while its tokens are asked for is asked for anew", () => {
  const { store } = open();
  const repaint = repainter(store, () => {});
  look(store);
  block(store, [cell({ query: 4, key: 1 })]);
  store.update({ texts: ["so the cat sat on it"] });
  const first = repaint.question();
  store.update({ texts: ["and so the cat sat on it"] });
  repaint.learn(answered({ ...store.state, ...first, kind: "self" }));
  const second = repaint.question();
  assert.notDeepEqual(second, first);
  repaint.learn(answered({ ...store.state, ...second, kind: "self" }));
  assert.equal(repaint.question(), null);
  repaint.follow();
  assert.deepEqual(placed(store), [[0, 6, 3]]);
});

test("a stroke belongs to the picture: not to a text that is not drawn yet", () => {
  const { store } = open();
  look(store);
  assert.equal(isOfNow(store.state), true);
  const { changes, words } = stroke(store.state, [[3, 1]], true);
  assert.deepEqual(changes?.masks?.blocked, [cell({ query: 3, key: 1 })]);
  assert.equal(words, "blocked 1 cell in layer 1 head 2");
  store.update({ texts: ["another"] });
  assert.equal(isOfNow(store.state), false);
  assert.equal(stroke(store.state, [[3, 1]], true).changes, null);
});

test("what the picture shows as blocked is freed, and blocked again", () => {
  const { store } = open();
  look(store);
  const at = (/** @type {number} */ q, /** @type {number} */ k) =>
    isBlockedAt(store.state, /** @type {any} */ (detail()), q, k);
  const detail = () => ({
    text: 0,
    head: 2,
    site: { kind: "self", layer: 1 },
    queries: rows(store.state.texts, "right")[0],
    keys: rows(store.state.texts, "right")[0],
    blocked: { rows: 5, cols: 5, data: store.state.detail?.tensors.get("here.blocked_by")?.data },
  });
  assert.deepEqual([at(3, 1), at(1, 3)], [false, true]);
  store.update(stroke(store.state, [[1, 3]], false).changes ?? {});
  assert.equal(at(1, 3), false);
  assert.equal(
    stroke(
      store.state,
      [
        [1, 2],
        [1, 1],
      ],
      false,
    ).words,
    "freed 1 cell in layer 1 head 2",
  );
});

test("more cells than a request has room for are refused in words", () => {
  const { store } = open();
  look(store);
  const full = Array.from({ length: 3000 }, (_, query) => cell({ query: 10 + query, key: 0 }));
  const painted = (/** @type {any[]} */ blocked) => ({
    ...store.state,
    masks: { ...OWN_MASKS, blocked },
  });
  const refused = stroke(painted(full), [[3, 1]], true);
  assert.equal(refused.changes, null);
  assert.match(refused.words, /at most 3,000/);
  assert.ok(stroke(painted(full.slice(1)), [[3, 1]], true).changes);
});

test("where there is nothing to paint on, it says why", () => {
  const { state } = begin();
  assert.equal(brushOf(state), "head");
  assert.equal(brushOf({ ...state, view: "lines" }), null);
  assert.equal(brushOf({ ...state, matrix: "rollout" }), null);
  assert.match(whyNot({ ...state, matrix: "rollout" }), /all layers and heads/);
  assert.match(whyNot({ ...state, model: "bloom" }), /it asks for alibi/);
  assert.equal(nextBrush({ ...state, model: "bloom" }), null);
  const round = ["head", "layer", "all", null].map(
    (_, i, all) => nextBrush({ ...state, brush: [null, ...all][i] })?.brush,
  );
  assert.deepEqual(round, ["head", "layer", "all", null]);
});

test("the cursor is the row and a key, and stays within", () => {
  const { store } = open();
  look(store);
  const { state } = store;
  assert.deepEqual(cursorOf(state), [3, 3]);
  assert.deepEqual(cursorBy(state, -1), { key: 2 });
  assert.deepEqual(cursorBy({ ...state, key: 4 }, 1), { key: 4 });
  assert.equal(cursorOf({ ...state, brush: null }), null);
});

test("a token is blocked in all sites where it is looked at", () => {
  const { state } = begin({ model: "t5", kind: "cross", layer: 2, head: 3, targets: ["x y"] });
  const source = { text: 0, place: 1, axis: /** @type {const} */ ("tokens") };
  const target = { text: 0, place: 1, axis: /** @type {const} */ ("target_tokens") };
  const kindsOf = (/** @type {any[]} */ cells) => cells.map(({ kind }) => kind);
  assert.deepEqual(kindsOf(cellsOf(state, source, "key")), ["encoder", "cross"]);
  assert.deepEqual(kindsOf(cellsOf(state, source, "query")), ["encoder"]);
  assert.deepEqual(kindsOf(cellsOf(state, target, "key")), ["decoder"]);
  assert.deepEqual(kindsOf(cellsOf(state, target, "query")), ["decoder", "cross"]);
  assert.deepEqual(cellsOf(state, source, "key", "head"), [
    cell({ layer: 2, head: 3, key: 1, kind: "cross" }),
  ]);
  assert.deepEqual(cellsOf(state, target, "key", "layer"), []);
  assert.equal(blockOf(state, []), "none");
});

test("a token's block goes on and off", () => {
  const { store } = open();
  look(store);
  const cells = cellsOf(store.state, { text: 0, place: 1, axis: "tokens" }, "key");
  const one = cellsOf(store.state, { text: 0, place: 1, axis: "tokens" }, "key", "head");
  assert.equal(blockOf(store.state, cells), "open");
  store.update(toggleToken(store.state, cells, "it").changes ?? {});
  assert.deepEqual(store.state.masks.blocked, [cell({ layer: null, head: null, key: 1 })]);
  assert.deepEqual([blockOf(store.state, cells), blockOf(store.state, one)], ["blocked", "wider"]);
  store.update(toggleToken(store.state, cells, "it").changes ?? {});
  assert.deepEqual(store.state.masks.blocked, []);
});
