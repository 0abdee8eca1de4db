import assert from "node:assert/strict";
import test from "node:test";
import { CLICKER, goTo, walk, walkWith } from "../../../static/js/live/walk.js";
import { document } from "./dom.mjs";

const STEPS = [
  { title: "Arrival", state: "quiz=1" },
  { title: "Explain" },
  { title: "Vote", activity: { kind: "vote", question: { text: "Which?" } }, lesson: "heads" },
];

/** A class at a step of that plan, and what it is asked to do. @param {number | null} index @param {string} [shown] an activity */
function plan(index, shown) {
  /** @type {[string, ...unknown[]][]} */
  const done = [];
  const ask =
    (/** @type {string} */ name) =>
    async (/** @type {unknown[]} */ ...of) =>
      void done.push([name, ...of]);
  const api = /** @type {any} */ ({
    patch: ask("patch"),
    start: ask("start"),
    putAway: ask("putAway"),
  });
  const step = index === null ? null : { index, title: "" };
  const activity = shown ? { id: shown } : null;
  const now = /** @type {any} */ ({ desk: { plan: { steps: STEPS } }, step, activity });
  return { api, done, now };
}

test("a step opens its state for all, asks its question, and puts the last one away", async () => {
  const { api, done, now } = plan(null, "a1");
  await walk(api, now, 1);
  const first = { step: { index: 0, title: "Arrival" }, choice: "quiz=1", mode: "follow" };
  assert.deepEqual(done, [
    ["patch", first],
    ["putAway", "a1"],
  ]);
  done.length = 0;
  await goTo(api, now, 2);
  assert.deepEqual(done, [
    ["patch", { step: { index: 2, title: "Vote", lesson: "heads" } }],
    ["start", "vote", { text: "Which?" }],
  ]);
});

test("a walk ends where the plan does, and without a plan it leads nowhere", async () => {
  const last = plan(2);
  await walk(last.api, last.now, 1);
  assert.equal(/** @type {any} */ (last.done[0][1]).step.index, 2);
  const first = plan(0);
  await walk(first.api, first.now, -1);
  assert.equal(/** @type {any} */ (first.done[0][1]).step.index, 0);
  const none = plan(null);
  await walk(none.api, { ...none.now, desk: { plan: null } }, 1);
  assert.deepEqual(none.done, []);
});

test("keys walk wherever the focus is, but not where they write, and not for another command", () => {
  document.body.innerHTML = `
    <input type="radio" id="mode"><select id="plan"><option>1</select><button id="act"></button>
    <textarea id="text"></textarea><input id="name"><dialog id="box"><button id="in"></button></dialog>`;
  /** @type {number[]} */
  const moved = [];
  walkWith({ ...CLICKER, ArrowRight: 1 }, (by) => moved.push(by));
  const press = (/** @type {string} */ id, /** @type {string} */ key, more = {}) => {
    const event = new document.defaultView.KeyboardEvent("keydown", {
      key,
      bubbles: true,
      cancelable: true,
      ...more,
    });
    document.getElementById(id).dispatchEvent(event);
    return event.defaultPrevented;
  };
  for (const id of ["mode", "plan", "act"]) assert.equal(press(id, "ArrowRight"), true, id);
  assert.equal(press("mode", "PageUp"), true);
  assert.deepEqual(moved, [1, 1, 1, -1]);
  for (const id of ["text", "name", "in"]) assert.equal(press(id, "ArrowRight"), false, id);
  assert.equal(press("in", "PageDown"), false);
  assert.equal(press("text", "PageDown"), true); // a clicker works after one has typed
  assert.equal(moved.pop(), 1);
  assert.equal(press("act", "ArrowRight", { altKey: true }), false);
  assert.equal(press("act", "ArrowDown"), false);
  assert.equal(moved.length, 4);
});
