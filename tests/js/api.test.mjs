import assert from "node:assert/strict";
import test from "node:test";
import { questions, streamTrace, traceFile } from "../../static/js/api/api.js";
import { ApiError } from "../../static/js/api/errors.js";

const { signal } = new AbortController();
/** @param {() => Response} answer what the server says @param {() => Promise<unknown>} ask */
async function refused(answer, ask) {
  const real = globalThis.fetch;
  globalThis.fetch = async () => answer();
  try {
    await ask();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  } finally {
    globalThis.fetch = real;
  }
  throw new Error("It was answered.");
}
/** @param {number} status @param {object | null} error @param {Record<string, string>} [headers] */
const asFile = (status, error, headers) =>
  refused(
    () => new Response(error && JSON.stringify({ error }), { status, headers }),
    () => traceFile({}, "application/json"),
  );
const said = (/** @type {string} */ code) => ({ code, message: "No.", field: "texts", limit: 1 });

test("what passes by itself is told from what needs the reader", async () => {
  /** @type {[number, object | null, Record<string, string>, unknown[]][]} */
  const rows = [
    [503, said("busy"), { "Retry-After": "3" }, ["busy", true, 3]],
    [503, said("busy"), { "Retry-After": "999999" }, ["busy", true, 30]],
    [503, said("out"), { "Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT" }, ["busy", true, 30]],
    [429, said("too_many"), {}, ["busy", true, null]],
    [503, null, {}, ["busy", true, null]], // a proxy whose server is being replaced
    [502, null, {}, ["busy", true, null]],
    [503, said("out_of_time"), {}, [null, true, null]], // it would take as long again
    [500, said("internal"), {}, [null, true, null]],
    [422, said("too_long"), {}, [null, false, null]],
    [401, said("password_required"), {}, [null, false, null]],
  ];
  for (const [status, error, headers, expected] of rows) {
    const { passes, retry, after, code } = await asFile(status, error, headers);
    assert.deepEqual([passes, retry, after], expected, `${status} ${code}`);
  }
  const gone = await refused(
    () => {
      throw new TypeError("Failed to fetch");
    },
    () => traceFile({}, "application/json"),
  );
  assert.deepEqual([gone.passes, gone.retry], ["unreachable", true]);
});

test("an error is in the language of the page, if the server knows it in that", async () => {
  const error = { code: "too_many_tokens", message: "Text 1 has 9 tokens." };
  assert.equal((await asFile(422, error)).message, "Text 1 has 9 tokens.");
  const both = { ...error, localized: "Text 1 hat 9 Tokens." };
  assert.equal((await asFile(422, both)).message, "Text 1 hat 9 Tokens.");
});

/** @param {string} text of the stream @param {(told: any) => void} [onProgress] */
const stream = (text, onProgress = () => {}) => [
  () => new Response(text),
  () => streamTrace({ a: 1 }, signal, onProgress),
];

test("a stream tells how far it is, then answers", async () => {
  const real = globalThis.fetch;
  const [answer, ask] = /** @type {any} */ (
    stream('event: progress\ndata: {"done":1}\n\nevent: answer\ndata: {"model":"m"}\n\n', (told) =>
      heard.push(told),
    )
  );
  /** @type {any[]} */
  const heard = [];
  globalThis.fetch = async () => answer();
  const found = await ask();
  globalThis.fetch = real;
  assert.deepEqual(heard, [{ done: 1 }]);
  assert.equal(found.trace.model, "m");
  assert.deepEqual(questions.get(found), { a: 1 });
});

test("what a stream refuses is a refusal like any other; one that breaks off was not reached", async () => {
  const event = { error: said("busy"), status: 503, retry_after: 4 };
  const [busy, ask] = /** @type {any} */ (
    stream(`event: error\ndata: ${JSON.stringify(event)}\n\n`)
  );
  const first = await refused(busy, ask);
  assert.deepEqual([first.passes, first.after, first.field], ["busy", 4, "texts"]);
  const [cut, again] = /** @type {any} */ (stream('event: progress\ndata: {"done":1}\n\n'));
  assert.equal((await refused(cut, again)).passes, "unreachable");
});
