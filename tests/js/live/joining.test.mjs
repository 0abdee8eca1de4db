// Joining a class: what tells a page to join again as the same person.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isCertain, join } from "../../../static/js/live/api.js";

const WHO = { nickname: null, again: "p_made-here" };
const answering = (/** @type {number} */ status) => async () =>
  new Response(JSON.stringify({ error: { code: "x", message: "No." } }), { status });

for (const [name, fetch, certain] of /** @type {const} */ ([
  [
    "a broken connection",
    async () => {
      throw new TypeError("Failed to fetch");
    },
    false,
  ],
  ["a proxy's error", answering(502), false],
  ["a server that is too busy", answering(503), false],
  ["a class that has ended", answering(404), true],
  ["a full class", answering(409), true],
])) {
  test(`after ${name} the token is ${certain ? "forgotten" : "kept: the join may have counted"}`, async () => {
    await assert.rejects(join("BCDFGHJ", WHO, fetch), (error) => {
      assert.equal(isCertain(error), certain);
      return true;
    });
  });
}
