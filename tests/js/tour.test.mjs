import assert from "node:assert/strict";
import test from "node:test";
import { planOf, STEPS } from "../../static/js/page/tour/steps.js";

const tokens = ["[BOS]", "Zoë", "saw", "herself"].map((text, place) => ({
  ...{ text, id: place, special: place === 0, padding: false, segment: 0, generated: false },
  ...[
    { start: 0, end: 0 },
    { start: 0, end: 3 },
    { start: 4, end: 7 },
    { start: 8, end: 15 },
  ][place],
}));
const entry = { title: "", look: "", texts: ["Zoë saw herself."], layer: 2, head: 3, query: 2 };
const plan = planOf(entry, tokens);
const start = /** @type {any} */ ({
  ...{ texts: plan.texts, shown: 0, query: null, layer: 0, head: 0, muted: [], token: null },
});
/** @param {number} place @param {object} changes @param {any} [about] */
const done = (place, changes, about = plan) =>
  STEPS[place].done({ ...start, ...changes }, start, about);

test("the reader types the word whose row the example is about", () => {
  assert.deepEqual(plan, {
    ...{ texts: ["Zoë"], word: "saw", query: 2, head: { layer: 2, head: 3 } },
  });
  assert.equal(done(0, {}), false);
  assert.equal(done(0, { texts: ["Zoë sa"] }), false);
  assert.equal(done(0, { texts: ["Zoë saw "] }), true);
});

test("each step waits for its own action", () => {
  assert.deepEqual([done(1, { query: 1 }), done(1, { query: 2 })], [false, true]);
  assert.deepEqual([done(2, { layer: 2 }), done(2, { layer: 2, head: 3 })], [false, true]);
  assert.deepEqual([done(3, {}), done(3, { muted: [[2, 3]] })], [false, true]);
  assert.deepEqual([done(4, {}), done(4, { token: 7 })], [false, true]);
  assert.equal(STEPS[5].done(start, { ...start, muted: [[2, 3]] }, plan), true);
  assert.equal(STEPS[5].done(start, start, plan), false);
});

test("without an example any word, row and head will do", () => {
  const any = { texts: ["Zoë"], word: null, query: null, head: null };
  assert.equal(done(0, { texts: ["Zoë "] }, any), false);
  assert.equal(done(0, { texts: ["Zoë x"] }, any), true);
  assert.equal(done(1, { query: 0 }, any), true);
  assert.equal(done(2, { head: 1 }, any), true);
});
