import assert from "node:assert/strict";
import test from "node:test";
import {
  canGoBack,
  onDocument,
  onEdit,
  onOwn,
  onReturn,
  START,
} from "../../../static/js/live/screen/following.js";
import { depthFor } from "../../../static/js/live/screen/participant.js";

const OWN = "text=mine";
const follow = (/** @type {string} */ choice) => /** @type {const} */ ({ mode: "follow", choice });
const explore = /** @type {const} */ ({ mode: "explore", choice: "text=c" });
const pause = /** @type {const} */ ({ mode: "pause", choice: "text=c" });

test("the page goes along with the teacher, and what was there before is kept", () => {
  let { at, show } = onDocument(START, follow("text=a"), OWN);
  assert.equal(show, "text=a");
  assert.equal(at.own, OWN);
  ({ at, show } = onDocument(at, follow("text=a"), "text=a"));
  assert.equal(show, null, "nothing is shown twice");
  ({ at, show } = onDocument(at, follow("text=b"), "text=a"));
  assert.equal(show, "text=b");
  assert.equal(at.own, OWN, "what was kept first stays");
});

test("who looks around is left alone, and comes back with one tap", () => {
  let { at, show } = onDocument(START, follow("text=a"), OWN);
  at = onEdit(at);
  ({ at, show } = onDocument(at, follow("text=b"), "text=around"));
  assert.equal(show, null);
  assert.ok(at.wanders);
  ({ at, show } = onReturn(at, "text=b"));
  assert.equal(show, "text=b");
  assert.ok(!at.wanders);
  assert.equal(onDocument(at, follow("text=c"), "text=b").show, "text=c");
});

test("exploring begins from what the teacher showed, and leads back to one's own", () => {
  let { at, show } = onDocument(START, follow("text=a"), OWN);
  assert.ok(!canGoBack(at, "text=a"), "not while the teacher shows");
  ({ at, show } = onDocument(at, explore, "text=a"));
  assert.equal(show, null, "the page stays where it is");
  assert.ok(canGoBack(at, "text=a"));
  assert.ok(!canGoBack(at, OWN), "it is there already");
  ({ at, show } = onOwn(at));
  assert.equal(show, OWN);
  assert.ok(!canGoBack(at, OWN));
  assert.equal(onEdit(at).wanders, false, "one's own changes are not looking around");
});

test("a pause leaves the page as it was, and a class that never followed begins nothing", () => {
  assert.deepEqual(onDocument(START, pause, OWN), { at: START, show: null });
  const { at } = onDocument(START, follow("text=a"), OWN);
  assert.equal(onDocument(at, { ...pause, choice: "text=a" }, "text=a").show, null);
  assert.equal(onDocument(START, follow(""), OWN).show, null, "nothing is shown yet");
});

test("a phone and a page that follows a projector stay in the depth for them", () => {
  assert.deepEqual(depthFor("depth=full", 390), { depth: "start" });
  assert.deepEqual(depthFor("depth=full", 1440), {});
  assert.deepEqual(depthFor("depth=present", 1440), { depth: "start" });
});
