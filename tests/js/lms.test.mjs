import assert from "node:assert/strict";
import test from "node:test";
import { apiIn, reporting, timespan } from "../../static/js/learn/lms.js";

/** An LMS that remembers what it is told. @param {Record<string, string>} [values] */
function platform(values = {}) {
  /** @type {string[]} */
  const calls = [];
  return {
    values,
    calls,
    API: {
      LMSInitialize: () => "true",
      LMSGetValue: (/** @type {string} */ name) => values[name] ?? "",
      LMSSetValue: (/** @type {string} */ name, /** @type {string} */ value) => {
        values[name] = value;
        return "true";
      },
      LMSCommit: () => calls.push("commit") && "true",
      LMSFinish: () => calls.push("finish") && "true",
    },
  };
}

test("the API is looked for in the windows around the lesson, and around the one that opened it", () => {
  const { API } = platform();
  const top = { API };
  assert.equal(apiIn({ parent: { parent: top } }), API);
  assert.equal(apiIn({ opener: { parent: top } }), API);
  const alone = /** @type {any} */ ({});
  alone.parent = alone;
  assert.equal(apiIn(alone), null);
  const foreign = Object.defineProperty({}, "API", {
    get() {
      throw new Error("another origin");
    },
  });
  assert.equal(apiIn({ parent: foreign }), null);
  assert.equal(reporting(alone, ["a"]), null);
});

test("what is right is a score, kept from session to session", () => {
  const { API, values, calls } = platform({ "cmi.suspend_data": "question/2" });
  let now = 0;
  const lms = reporting({ API }, ["question/0", "question/1", "question/2"], () => now);
  assert.equal(values["cmi.core.score.raw"], "33", "of an earlier session");
  assert.equal(values["cmi.core.lesson_status"], "incomplete");
  lms?.right("question/0");
  lms?.right("question/0");
  assert.equal(values["cmi.core.score.raw"], "67");
  lms?.right("question/1");
  assert.equal(values["cmi.core.lesson_status"], "completed");
  assert.equal(values["cmi.suspend_data"], "question/2 question/0 question/1");
  now = 3_725_900;
  lms?.finish();
  lms?.finish();
  assert.equal(values["cmi.core.session_time"], "01:02:05");
  assert.equal(calls.filter((call) => call === "finish").length, 1);
  assert.equal(timespan(36_000_000), "10:00:00");
});
