// What stands below a saved picture.

import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { captionOf } from "../../static/js/words/caption.js";
import { shipped } from "./models.mjs";

const state = {
  model: "shipped",
  models: [shipped],
  texts: ["a"],
  targets: [],
  pairs: null,
  shown: 0,
  masks: OWN_MASKS,
  muted: [],
  interventions: [],
  matrix: "pattern",
  quiz: false,
  detail: null,
};
const said = (/** @type {string} */ view) => captionOf({ ...state, view })[1];

test("a picture of a matrix names it, and any other one its view", () => {
  assert.match(said("heatmap"), /^Pattern · model Headlight small/);
  assert.match(said("text"), /^Pattern · /);
  assert.match(said("patch"), /^Patching · model Headlight small/);
  assert.match(said("explanations"), /^Explanations · /);
});
