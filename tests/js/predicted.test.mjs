import assert from "node:assert/strict";
import test from "node:test";
import { fewOf } from "../../static/js/numbers/predicted.js";

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
