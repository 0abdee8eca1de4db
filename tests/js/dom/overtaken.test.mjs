import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ApiError } from "../../../static/js/api/errors.js";
import { document } from "./dom.mjs";

const { steering } = await import("../../../static/js/live/desk/steering.js");
const { projector } = await import("../../../static/js/live/screen/projector.js");

const DESK = readFileSync(new URL("../../../templates/class/desk.html", import.meta.url), "utf8");
const settled = () => new Promise((done) => setImmediate(done));

/** A class as its server holds it. @param {string} choice */
function school(choice) {
  const stored = { choice, frozen: false, mode: "follow", shows: { code: true } };
  const patch = async ({ over, ...set }) => {
    if (over !== undefined && over !== stored.choice)
      throw new ApiError("", { code: "overtaken", status: 409 });
    Object.assign(stored, set);
  };
  const api = { code: "ABC", patch, document: async () => stored };
  return { api, stored, now: () => ({ ...stored }) };
}

test("a choice of the projector that was on its way undoes nothing that the desk has chosen", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = globalThis;
  const { api, stored, now } = school("");
  const warned = [];
  let shown = "text=a";
  const page = { shown: () => shown, show: (query) => (shown = query), watch: () => {} };
  const bar = { say: () => {}, warn: (words) => warned.push(words) };
  const show = projector(page, bar, api, "");
  show(now());
  await api.patch({ choice: "depth=present" });
  t.mock.timers.tick(1000);
  await settled();
  assert.equal(stored.choice, "depth=present");
  show(now());
  assert.equal(shown, "depth=present");
  assert.deepEqual(warned, []);
});

test("a projector shows what it shows to a class that is shown nothing", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = globalThis;
  const { api, stored, now } = school("text=a");
  const shown = "text=a";
  const page = { shown: () => shown, show: () => assert.fail("it has a choice"), watch: () => {} };
  const show = projector(page, { say: () => {}, warn: assert.fail }, api, "");
  show(now());
  stored.choice = "";
  show(now());
  t.mock.timers.tick(1000);
  await settled();
  assert.equal(stored.choice, "text=a");
});

test("a choice whose answer got lost is sent again, and undoes nothing that came after it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = globalThis;
  const { api, stored, now } = school("");
  let shown = "text=a";
  const page = { shown: () => shown, show: (query) => (shown = query), watch: () => {} };
  const warned = [];
  const bar = { say: () => {}, warn: (words) => warned.push(words) };
  const { patch } = api;
  api.patch = async (set) => {
    await patch(set); // it arrives, and only the answer is lost
    throw new ApiError("No answer.", { passes: "unreachable" });
  };
  const show = projector(page, bar, api, "");
  show(now());
  t.mock.timers.tick(1000);
  await settled();
  assert.deepEqual(warned, ["No answer."]);
  shown = "text=b"; // the teacher goes on
  show(now());
  assert.equal(shown, "text=b");
  api.patch = patch;
  t.mock.timers.tick(5000);
  await settled();
  assert.equal(stored.choice, "text=b");
  show(now());
  await patch({ choice: "text=a" });
  show(now());
  assert.equal(shown, "text=a", "later the desk may choose it");
});

test("the desk changes the depth of what the projector shows by now", async () => {
  const { api, stored, now } = school("text=a");
  document.body.innerHTML = DESK;
  const show = steering(api, (error) => assert.fail(String(error)));
  show({ ...now(), choice: "" });
  assert.equal(document.querySelector("#presents").disabled, true, "no projector, no depth of it");
  show(now());
  await api.patch({ choice: "text=b&depth=full" });
  document.querySelector("#presents").click();
  await settled();
  assert.equal(stored.choice, "text=b&depth=present");
  show(now());
  document.querySelector("#presents").click();
  await settled();
  assert.equal(stored.choice, "text=b&depth=full", "the depth that came between is gone back to");
});
