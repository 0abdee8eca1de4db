// Fields are as strict as pydantic's, and find problems in the same order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { list, named, record } from "../../../static/js/engine/answering/containers.js";
import {
  boolean,
  choice,
  index,
  integer,
  number,
  optional,
  unicode,
  unique,
} from "../../../static/js/engine/answering/fields.js";
import { refusal } from "../../../static/js/engine/answering/refusal.js";

/** What the server answers: its code, field, limit. */
function refused(field, value) {
  const problems = [];
  field(value, ["at"], problems);
  if (problems.length === 0) return null;
  const { code, field: at, limit } = refusal(problems);
  return [code, at, limit];
}

const invalid = (limit = null, at = "at") => ["invalid_value", at, limit];

test("a number is not text, and true is not 1", () => {
  const few = integer({ ge: 1, le: 9 });
  for (const [value, expected] of [
    ...[1, 9].map((value) => [value, null]),
    ...["1", true, null, 1.5, [], {}, 1e21, -1e30].map((value) => [value, invalid()]),
    ...[10, 2 ** 63, 1e20].map((value) => [value, invalid(9)]),
    ...[0, -1].map((value) => [value, invalid(1)]),
  ]) {
    assert.deepEqual(refused(few, value), expected, JSON.stringify(value));
  }
  assert.deepEqual(refused(number({ ge: 0.05, le: 100 }), 0.01), invalid(0.05));
  assert.deepEqual(refused(number({ ge: 0.05, le: 100 }), true), invalid());
  assert.equal(refused(number({ ge: 0.05, le: 100 }), 1.5), null);
  assert.deepEqual(refused(boolean, 1), invalid());
  assert.deepEqual(refused(choice(["a", "b"]), "c"), invalid());
  assert.deepEqual(refused(choice(["a", "b"]), "\ud800"), ["lone_surrogate", "at", null]);
  assert.equal(refused(optional(few), null), null);
});

test("the largest seed is exact, although no JavaScript number is", () => {
  const seed = integer({ ge: 0, le: 2n ** 63n - 1n });
  assert.equal(refused(seed, 2 ** 63 - 1024), null);
  assert.deepEqual(refused(seed, 2 ** 63), invalid(2 ** 63));
});

test("a text with half of a surrogate pair names the character, counted in code points", () => {
  const problems = [];
  unicode()("🙂a\ud83d", ["texts", 0], problems);
  const { code, field, message } = refusal(problems);
  assert.deepEqual([code, field], ["lone_surrogate", "texts.0"]);
  assert.match(message, /^texts\.0: expected Unicode text; character 2 is U\+D83D, .* halves\.$/);
  assert.equal(refused(unicode({ longest: 2 }), "🙂🙂"), null);
  assert.deepEqual(refused(unicode({ longest: 2 }), "🙂🙂a"), invalid(2));
});

test("a list that is too long is one problem, and one that is too short follows those of its items", () => {
  const pair = list(index, { min: 2, max: 2 });
  assert.deepEqual(refused(pair, [-1, -1, -1]), invalid(2));
  assert.deepEqual(refused(pair, [-1]), invalid(0, "at.0"));
  assert.deepEqual(refused(pair, [1]), invalid(2));
  assert.deepEqual(refused(unique(list(index)), [1, 2, 1]), invalid());
  assert.deepEqual(refused(unique(list(index)), [-1, -1]), invalid(0, "at.0"));
});

test("declared fields come before unknown ones, and a check of the whole comes last", () => {
  const whole = record("Whole", { a: [index], b: [boolean, false] }, () => "never fits");
  assert.deepEqual(refused(whole, { z: 1 }), ["missing_field", "at.a", null]);
  assert.deepEqual(refused(whole, { z: 1, a: 1, b: 0 }), invalid(null, "at.b"));
  assert.deepEqual(refused(whole, { z: 1, a: 1 }), ["unknown_field", "at.z", null]);
  assert.deepEqual(refused(whole, { a: 1, "<b>": 1 }), ["unknown_field", "at.?", null]);
  assert.deepEqual(refused(whole, { a: -1, "\ud800": 1 }), ["lone_surrogate", "at", null]);
  assert.deepEqual(refused(whole, { a: 1 }), invalid());
  assert.deepEqual(refused(whole, [1]), invalid());
  assert.deepEqual(refused(whole, JSON.parse('{"a": 1, "__proto__": 1}')), [
    ...["unknown_field", "at.__proto__", null],
  ]);
});

test("names that the client chooses fit a pattern, and there are not too many", () => {
  const parts = named(/^[a-z]$/, index, { min: 1, max: 2 });
  assert.equal(refused(parts, { a: 1, b: 2 }), null);
  assert.deepEqual(refused(parts, {}), invalid(1));
  assert.deepEqual(refused(parts, { a: -1, b: 1, c: 1, d: 1 }), invalid(2));
  assert.deepEqual(refused(parts, { A: -1 }), invalid(null, "at.A.?"));
  assert.deepEqual(refused(parts, { a: -1 }), invalid(0, "at.a"));
  assert.deepEqual(refused(parts, { "\ud800": 1 }), [
    "lone_surrogate",
    "at.\ufffd\ufffd\ufffd.?",
    null,
  ]);
});

test("the message counts the other problems", () => {
  const problems = [];
  list(index)([-1, 1.5, "x"], ["layers"], problems);
  assert.equal(
    refusal(problems).message,
    "layers.0: input should be greater than or equal to 0. There are 2 more problems.",
  );
});
