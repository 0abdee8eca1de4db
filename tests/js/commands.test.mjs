// The command palette: what answers to what is typed.

import assert from "node:assert/strict";
import test from "node:test";
import { headNamed, matched } from "../../static/js/page/commands/match.js";

const some = [
  { name: "Causal: off", about: "Causal mask off.", group: "mask" },
  { name: "Causal: on", about: "Causal mask on.", group: "mask" },
  { name: "Compare", about: "A, B and their difference", group: "view" },
  { name: "Mute effects", about: "what muting each head does to the prediction", group: "panel" },
  { name: "Mute", about: "what the model says without this head", group: "action" },
  { name: "L1H3 induction", about: "layer 1, head 3", group: "" },
  { name: "A wrong mask", about: "With the causal mask off, the model cheats.", group: "example" },
  { name: "Explanations", about: "ways to explain the prediction", group: "view" },
];
/** @param {string} typed */
const answers = (typed) =>
  some
    .map((command) => ({ ...command, worth: matched(typed, command) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .map(({ name }) => name);

test("names that begin with it come first, the shorter one of two, and what is said of them last", () => {
  assert.deepEqual(answers("mute"), ["Mute", "Mute effects"]);
  assert.deepEqual(answers("predict"), ["Mute effects", "Explanations"]);
  assert.equal(answers("difference")[0], "Compare");
});

test("all of a kind answer to its name", () => {
  assert.deepEqual(answers("mask"), ["Causal: on", "Causal: off", "A wrong mask"]);
  assert.deepEqual(answers("view"), ["Compare", "Explanations"]);
});

test("every term has to be somewhere, in any order", () => {
  assert.deepEqual(answers("off causal"), ["Causal: off", "A wrong mask"]);
  assert.deepEqual(answers("causal zebra"), []);
  assert.deepEqual(answers("zebra"), []);
});

test("a few letters of a name are enough, from the start of a word on", () => {
  assert.deepEqual(answers("cmp"), ["Compare"]);
  assert.deepEqual(answers("indctn"), ["L1H3 induction"]);
  assert.deepEqual(answers("ompr"), []); // it does not begin a word
});

test("a head answers to its place, however it is written", () => {
  for (const typed of ["L2H3", "l2h3", "2.3", "2·3", "layer 2 head 3", "L2 H3", " 2 3 "]) {
    assert.deepEqual(headNamed(typed), { layer: 2, head: 3 }, typed);
  }
  for (const typed of ["2", "L2", "H3", "2.3.4", "head", "", "9999.1"]) {
    assert.equal(headNamed(typed), null, typed);
  }
});
