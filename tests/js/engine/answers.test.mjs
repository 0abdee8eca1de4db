import assert from "node:assert/strict";
import test from "node:test";
import { analyseOf, read } from "../../../static/js/engine/answering/analyses.js";
import { answersOf } from "../../../static/js/engine/sources/answers.js";

const TRACE = /** @type {any} */ ({ predictions: [[{ id: 7 }, { id: 8 }]], predicted_at: [3] });
const ANSWERS = [
  {
    name: "mute_estimates",
    settings: { position: null, token: null, exact: 20 },
    found: ["mutes"],
  },
  { name: "lens", settings: { top_k: 3, position: 1, tuned: true }, found: ["tuned"] },
  { name: "lens", settings: { top_k: 3, position: 1, tuned: false }, found: ["logit"] },
];

test("an answer is given to who asks the same, in other words, too", () => {
  const { to, names } = answersOf(ANSWERS, TRACE);
  assert.deepEqual([...names], ["mute_estimates", "lens"]);
  const mutes = (/** @type {object} */ asked) => to("mute_estimates", asked);
  assert.deepEqual(mutes({ position: null, token: null, exact: 6 }), ["mutes"]);
  assert.deepEqual(mutes({ position: 3, token: 7 }), ["mutes"], "what the model chooses by itself");
  assert.equal(mutes({ position: 2, token: 7 }), null);
  assert.equal(mutes({ position: 3, token: 8 }), null);
  assert.deepEqual(to("lens", { top_k: 3, position: 1 }), ["logit"]);
  assert.deepEqual(to("lens", { position: 1, tuned: true, top_k: 3 }), ["tuned"]);
  assert.equal(to("lens", { top_k: 5, position: 1 }), null);
  assert.equal(to("scores", true), null);
});

test("of texts that differ, null stands for no number", () => {
  const two = { predictions: [[{ id: 7 }], [{ id: 9 }]], predicted_at: [3, 2] };
  const { to } = answersOf(ANSWERS, /** @type {any} */ (two));
  assert.equal(to("mute_estimates", { position: 3, token: null }), null);
  assert.deepEqual(to("mute_estimates", { position: null, token: null }), ["mutes"]);
});

test("a recorded run says what it has an answer to, and what nobody asked", () => {
  const trace = /** @type {any} */ ({
    model: "mine",
    lacks: "no model",
    answered: answersOf(ANSWERS, TRACE),
  });
  const found = (/** @type {object} */ asked) =>
    read(trace, analyseOf(asked), /** @type {any} */ ({}));
  assert.deepEqual(found({ lens: { top_k: 3, position: 1 } }).lens, ["logit"]);
  assert.throws(() => found({ mute_estimates: { position: 0 } }), {
    field: "analyse.mute_estimates",
    message: /What mine says of this was recorded for the prediction/,
  });
  assert.throws(() => found({ attribution: {} }), { message: /needs the model itself: no model/ });
});
