import assert from "node:assert/strict";
import test from "node:test";
import { depthFor, depthOn } from "../../../static/js/live/screen/depth.js";
import {
  canGoBack,
  onDocument,
  onEdit,
  onOwn,
  onReturn,
  START,
} from "../../../static/js/live/screen/following.js";

const OWN = "text=mine";
const follow = (/** @type {string} */ choice) =>
  /** @type {const} */ ({ mode: "follow", choice, activity: null });
const explore = /** @type {const} */ ({ mode: "explore", choice: "text=c", activity: null });
const pause = /** @type {const} */ ({ mode: "pause", choice: "text=c", activity: null });
/** A question that brings this picture. @param {string} id @param {string | null} choice @param {string} [phase] */
const asking = (id, choice, phase = "open") => ({
  ...follow(choice ?? "text=a"),
  activity: /** @type {any} */ ({
    id,
    phase,
    question: {
      text: "Which head?",
      choice,
      ...(phase === "revealed" ? { reveals: "text=r" } : {}),
    },
  }),
});

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

test("a new question brings its picture to everybody, once; who looks around for it stays", () => {
  let { at, show } = onDocument(START, follow("text=a"), OWN);
  at = onEdit(at); // as a hunt asks them to
  ({ at, show } = onDocument(at, asking("a2", "text=q"), "text=around"));
  assert.deepEqual([show, at.wanders, at.own], ["text=q", false, OWN]);
  at = onEdit(at);
  ({ at, show } = onDocument(at, asking("a2", "text=q", "closed"), "text=around"));
  assert.deepEqual([show, at.wanders], [null, true]);
  const revealed = { ...asking("a2", "text=q", "revealed"), choice: "text=r" };
  ({ at, show } = onDocument(at, revealed, "text=around"));
  assert.deepEqual([show, at.wanders], ["text=r", false], "so does its answer");
  at = onEdit(at);
  ({ at, show } = onDocument(at, asking("a1", "text=p", "revealed"), "text=around"));
  assert.deepEqual([show, at.wanders], [null, true], "an old one that is shown again is no news");
  ({ at, show } = onDocument(at, asking("a3", null), "text=around"));
  assert.deepEqual([show, at.wanders], [null, true], "it is about no picture");
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

test("a new picture leaves the present mode on; the desk's switch turns it off", () => {
  const shown = "text=a&depth=present";
  assert.deepEqual(depthOn("text=b&depth=start", shown), { depth: "present" });
  assert.deepEqual(depthOn("text=a&depth=start", shown), {});
  assert.deepEqual(depthOn("text=b&depth=start", "text=a&depth=full"), {});
});

test("a picture that the projector shows in its own depth is the question's", () => {
  let { at, show } = onDocument(START, follow("text=a"), OWN);
  at = onEdit(at);
  ({ at, show } = onDocument(
    at,
    { ...asking("a2", "text=q&depth=start"), choice: "text=q&depth=present" },
    "text=around",
  ));
  assert.equal(show, "text=q&depth=present");
});
