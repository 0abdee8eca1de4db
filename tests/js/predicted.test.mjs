import assert from "node:assert/strict";
import test from "node:test";
import { fewOf, gainerIn, stripIn } from "../../static/js/numbers/predicted.js";

import { asked, listed, selected } from "./explaining.mjs";

/** @param {string} text @param {number} probability @param {number | null} [unedited] */
const token = (text, probability, unedited = null) =>
  /** @type {any} */ ({ text, probability, unedited });
/** @param {any[]} tokens */
const names = (tokens) => fewOf(tokens, 3).map(({ text }) => text);

test("without an edit the few are the likeliest", () => {
  const tokens = [token("a", 0.5), token("b", 0.3), token("c", 0.1), token("d", 0.05)];
  assert.deepEqual(names(tokens), ["a", "b", "c"]);
  assert.deepEqual(names(tokens.slice(0, 2)), ["a", "b"]);
  assert.deepEqual(names([]), []);
});

test("the likeliest before an edit stays among the few, and keeps its place", () => {
  const fallen = token("herself", 0.01, 0.72);
  const tokens = [token("a", 0.4, 0.1), token("b", 0.3, 0.02), token("c", 0.2, 0.01), fallen];
  assert.deepEqual(names(tokens), ["herself", "a", "b"]);
  assert.deepEqual(names([token("him", 0.6, 0.2), token("her", 0.3, 0.7)]), ["her", "him"]);
});

/** @param {[id: number, text: string, probability: number, unedited?: number | null][]} rows @param {object} [more] */
const state = (rows, more = {}) =>
  /** @type {any} */ (
    selected({
      top_k: 10,
      token: null,
      ...more,
      next: asked({ predictions: [rows.map((row) => listed(...row))], predicted_at: [4] }),
    })
  );
/** @type {[number, string, number][]} */
const PLAIN = [
  [1, "a", 0.5],
  [2, "b", 0.3],
  [3, "c", 0.1],
  [4, "d", 0.0004],
];
const shown = (/** @type {any} */ now) => stripIn(now)?.few.map(({ text }) => text);

test("a watched token stands apart, unless it is one of the likeliest", () => {
  const apart = (/** @type {number | null} */ token) => stripIn(state(PLAIN, { token }));
  assert.deepEqual([apart(null)?.watched, apart(null)?.apart], [null, null]);
  assert.deepEqual([apart(2)?.watched?.text, apart(2)?.apart], ["b", null]);
  assert.deepEqual([apart(4)?.watched?.text, apart(4)?.apart?.text], ["d", "d"]);
  assert.deepEqual(shown(state(PLAIN, { token: 4 })), ["a", "b", "c"]);
});

test("what is listed for comparison is not among the likeliest", () => {
  assert.deepEqual(shown(state(PLAIN, { top_k: 1, token: 2 })), ["a"]);
  assert.equal(stripIn(state(PLAIN, { top_k: 1, token: 2 }))?.apart?.text, "b");
  const fallen = [...PLAIN.map(([id, text, now]) => [id, text, now, 0]), [5, "e", 0.01, 0.9]];
  assert.deepEqual(shown(state(/** @type {any} */ (fallen), { top_k: 1 })), ["e", "a"]);
});

test("of the tokens in the strip the one that gained the most is told", () => {
  assert.equal(gainerIn(state(PLAIN)), null); // nothing is edited
  const moved = state([
    [1, "herself", 0.24, 0.72],
    [2, "himself", 0.23, 0.02],
    [3, "it", 0.2, 0.1],
  ]);
  assert.equal(gainerIn(moved)?.text, "himself");
  assert.equal(gainerIn(state([[1, "a", 0.2, 0.3]])), null);
});
