import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { click, document, texts } from "./dom.mjs";

const { stepper } = await import("../../../static/js/views/inside/stepper.js");

const answer = {
  trace: { sites: [{ name: "layers.1", soft_cap: null, mask_applied: "before" }] },
  tensors: new Map([["layers.1.result", {}]]),
};
const PACE = 1200; // ms per step

/** The stepper of a row that is worked out in eleven steps. @param {boolean} [still] whether the reader prefers reduced motion */
function steps(still = false) {
  const motion = Object.assign(document.createElement("i"), { matches: still });
  globalThis.matchMedia = (query) => {
    assert.equal(query, "(prefers-reduced-motion: reduce)");
    return motion;
  };
  const store = new Store({ view: "inside", step: null, inside: { answer } });
  document.body.replaceChildren(stepper(store));
  return { store, motion };
}
const where = () => texts(".inside-where")[0];
const named = (/** @type {string} */ name) => document.querySelector(`[aria-label="${name}"]`);

test("steps go forward and back, to the first and the last, and stay within the steps", () => {
  const { store } = steps();
  assert.equal(where(), "all 11 steps");
  assert.equal(named("To the last step").disabled, true);
  click("button", "One step back");
  assert.equal(where(), "10 of 11: z");
  click("button", "One step back");
  assert.equal(where(), "9 of 11: × v");
  click("button", "To the first step");
  assert.equal(where(), "1 of 11: q");
  assert.equal(named("One step back").disabled, true);
  click("button", "One step on");
  assert.deepEqual([where(), store.state.step], ["2 of 11: k", 2]);
  click("button", "To the last step");
  assert.deepEqual([where(), store.state.step], ["all 11 steps", null]);
});

test("playing goes on by itself, pauses, and stops at the end", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  steps();
  click("button", "Play the steps");
  assert.equal(where(), "1 of 11: q");
  t.mock.timers.tick(PACE);
  assert.equal(where(), "2 of 11: k");
  click("button", "Pause");
  t.mock.timers.tick(5 * PACE);
  assert.equal(where(), "2 of 11: k");
  click("button", "Play the steps");
  for (let step = 0; step < 12; step += 1) t.mock.timers.tick(PACE);
  assert.equal(where(), "all 11 steps");
  assert.ok(named("Play the steps"));
});

test("playing stops when another view is looked at", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store } = steps();
  click("button", "Play the steps");
  store.update({ view: "heatmap" });
  assert.ok(named("Play the steps"));
  t.mock.timers.tick(3 * PACE);
  assert.equal(store.state.step, 1);
});

test("with reduced motion nothing plays, but steps do", () => {
  const { motion } = steps(true);
  const [play] = [named("Play the steps")];
  const [words] = document.querySelectorAll(".inside-steps > span.faint");
  assert.deepEqual([play.hidden, words.hidden], [true, false]);
  assert.equal(words.textContent, "Motion is reduced: go step by step.");
  click("button", "One step back");
  assert.equal(where(), "10 of 11: z");
  motion.matches = false;
  motion.dispatchEvent(new globalThis.Event("change"));
  assert.deepEqual([play.hidden, words.hidden], [false, true]);
});
