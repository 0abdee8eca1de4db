import assert from "node:assert/strict";
import test from "node:test";
import { ROLES, rolesOf } from "../../static/js/panels/space/plane.js";
import * as words from "../../static/js/panels/space/words.js";

/** @param {[token: string, special?: boolean][]} tokens @returns {any[]} */
const points = (tokens, text = 0) =>
  tokens.map(([token, special = false], position) => ({ token, special, text, position }));

test("each token has a role", () => {
  const found = rolesOf(
    points([["[BOS]", true], ["Mary"], [" un"], ["told"], [" 12"], ["."], [" (a"], [" ..."]]),
  );
  assert.deepEqual(found, [
    "special",
    "begins",
    "begins",
    "within",
    "number",
    "sign",
    "begins",
    "sign",
  ]);
});

test("pieces that are marked as such are within words, and others begin them", () => {
  const found = rolesOf(points([["[CLS]", true], ["mary"], ["un"], ["##told"]]));
  assert.deepEqual(found, ["special", "begins", "begins", "within"]);
});

test("each text has a first word", () => {
  const found = rolesOf([...points([["Mary"], [" saw"]]), ...points([["John"], ["ny"]], 1)]);
  assert.deepEqual(found, ["begins", "begins", "begins", "within"]);
});

test("all roles have words, and t-SNE claims no variance", () => {
  for (const role of ROLES) assert.ok(words.ROLES[role]);
  const said = words.honest(/** @type {any} */ ({ shares: null, correlation: 0.5, n_pairs: 10 }));
  assert.match(said, /^t-SNE keeps neighbours together; .* 0\.50/);
  assert.doesNotMatch(said, /variance/);
});
