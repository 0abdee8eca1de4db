import assert from "node:assert/strict";
import test from "node:test";
import { headsIn, holdsHere } from "../../static/js/numbers/habits.js";

const tokens = ["[BOS]", "a", "b", "c", "d"].map((text, id) => ({
  id,
  text,
  special: id === 0,
  padding: false,
  segment: 0,
}));
const N = tokens.length;
const blocked = {
  rows: N,
  cols: N,
  data: Uint8Array.from({ length: N * N }, (_, at) => Number(at % N > Math.floor(at / N))),
};
/** A head each of whose rows puts all of its weight on one token. @param {(row: number) => number} at */
const looking = (at) =>
  Array.from({ length: N * N }, (_, cell) => (cell % N === at(Math.floor(cell / N)) ? 255 : 0));
const before = looking((row) => Math.max(0, row - 1));
const resting = looking(() => 0);
const site = { name: "layers.0", kind: "self", layer: 0, heads: [0, 1] };
/** @type {any} */
const grid = {
  trace: {
    tokens: [tokens],
    sites: [{ ...site, query_tokens: "tokens", key_tokens: "tokens" }],
  },
  tensors: new Map([
    ["layers.0.pattern", { shape: [1, 2, N, N], data: Uint8Array.from([...before, ...resting]) }],
  ]),
};
const [walker, rester] = [0, 1].map((head) => headsIn(grid, 0, blocked)({ layer: 0, head }));
/** @param {any} metric */
const habit = (metric) => ({ metric, value: 0.9 });

test("a habit holds in a sentence where the head does at least half of it", () => {
  assert.equal(holdsHere(habit("previous_token"), walker), true);
  assert.equal(holdsHere(habit("previous_token"), rester), false);
  assert.equal(holdsHere(habit("first_token"), rester), true);
});

test("a habit for which the sentence has no token does not show in it", () => {
  assert.equal(holdsHere(habit("induction"), walker), false, "no token comes twice");
});

test("a relation between words needs a strong weight from one word to another", () => {
  assert.equal(holdsHere(habit("relation"), walker), true);
  assert.equal(holdsHere(habit("relation"), rester), false);
});

test("nothing is said of a head that has no label, or whose numbers the page lacks", () => {
  assert.equal(holdsHere({ metric: null, value: 0 }, rester), true);
  const others = { ...blocked, rows: 9 };
  const unknown = headsIn(grid, 0, others)({ layer: 0, head: 1 });
  assert.equal(unknown, null);
  assert.equal(holdsHere(habit("induction"), unknown), true);
});
