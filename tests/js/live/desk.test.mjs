import assert from "node:assert/strict";
import test from "node:test";
import { answered } from "../../../static/js/live/activities/words.js";

test("more answers than people are no share of them: some have left", () => {
  assert.equal(answered(3, 57), "3 of 57 have answered");
  assert.equal(answered(3, 3), "3 of 3 have answered");
  assert.equal(answered(57, 3), "57 have answered, here now: 3");
});
