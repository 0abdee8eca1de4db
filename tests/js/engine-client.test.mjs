import assert from "node:assert/strict";
import test from "node:test";
import { Engine } from "../../static/js/api/engine.js";
import { ApiError } from "../../static/js/api/errors.js";

const limits = { texts: 8, characters: 100, tokens: 64 };
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** Threads that do what a test says, and what they were sent. @param {boolean} stoppable */
function threads(stoppable = true) {
  /** @type {any[]} */
  const opened = [];
  const open = async (/** @type {any} */ reply, /** @type {any} */ lost) => {
    const one = {
      sent: /** @type {any[]} */ ([]),
      reply,
      lost,
      stopped: false,
      last: () => one.sent.at(-1),
    };
    opened.push(one);
    const post = (/** @type {any} */ message) => {
      one.sent.push(structuredClone(message));
      if (message.kind === "start") reply({ id: message.id, answer: [] });
    };
    return { post, stop: stoppable ? () => (one.stopped = true) : null };
  };
  return { open: /** @type {any} */ (open), opened };
}

/** @param {any} options */
const engine = (options) => new Engine({ sources: {}, limits, ...options });
const signal = () => new AbortController().signal;

test("it starts once, with its limits, and answers each question by its number", async () => {
  const { open, opened } = threads();
  const one = engine({ threads: [open] });
  const both = [one.postTrace({ text: "a" }), one.traceFile({ text: "b" }, "application/json")];
  await settled();
  const [{ sent, reply }] = opened;
  assert.equal(opened.length, 1);
  assert.deepEqual(sent[0], { id: sent[0].id, kind: "start", sources: [], limits });
  assert.deepEqual(
    sent.slice(1).map((/** @type {any} */ { kind, request }) => [kind, request.text]),
    [
      ["trace", "a"],
      ["file", "b"],
    ],
  );
  reply({ id: sent[2].id, answer: new TextEncoder().encode("{}").buffer });
  reply({ id: sent[1].id, answer: { trace: { model: "m" }, tensors: new Map() } });
  assert.equal((await both[0]).trace.model, "m");
  assert.equal(await /** @type {any} */ (await both[1]).text(), "{}");
});

test("it tells how far it is, and refuses as the server does", async () => {
  const { open, opened } = threads();
  const one = engine({ threads: [open] });
  /** @type {any[]} */
  const heard = [];
  const asked = one.streamTrace({}, signal(), (/** @type {any} */ told) => heard.push(told));
  await settled();
  const { id } = opened[0].last();
  opened[0].reply({ id, progress: { state: "computing", done: 1, total: 2 } });
  const error = { code: "too_long", message: "No.", field: "texts", limit: 1, status: 422 };
  opened[0].reply({ id, error });
  const refused = await asked.catch((found) => found);
  assert.ok(refused instanceof ApiError);
  const { code, field, status, passes, retry } = refused;
  assert.deepEqual([code, field, status, passes, retry], ["too_long", "texts", 422, null, false]);
  assert.deepEqual(heard, [{ state: "computing", done: 1, total: 2 }]);
});

test("where no worker starts, the page computes", async () => {
  const { open, opened } = threads(false);
  const blocked = async () => {
    throw new Error("Workers are not allowed.");
  };
  const dies = async (/** @type {any} */ _, /** @type {any} */ lost) => {
    setTimeout(() => lost("It could not be loaded."));
    return { post: () => {}, stop: () => {} };
  };
  const real = console.info;
  console.info = () => {};
  const asked = engine({ threads: [blocked, dies, open] }).getModels();
  await settled();
  await settled();
  console.info = real;
  opened[0].reply({ id: opened[0].last().id, answer: ["m"] });
  assert.deepEqual(await asked, ["m"]);
});

test("a model is fetched when it is first asked about, once; if that fails, with the next question", async () => {
  const { open, opened } = threads();
  let tries = 0;
  const shipped = async () => {
    tries += 1;
    if (tries === 1) throw new ApiError("Gone.", { passes: "unreachable" });
    return { type: "native", name: "shipped" };
  };
  const one = engine({ sources: { shipped }, threads: [open] });
  const refused = await one.postTrace({ model: "shipped" }).catch((/** @type {any} */ e) => e);
  assert.equal(refused.passes, "unreachable");
  assert.equal(opened.length, 0);
  const asked = [one.postTrace({ model: "shipped" }), one.getProbe("shipped", signal())];
  await settled();
  const [{ sent, reply }] = opened;
  const kinds = () => sent.map((/** @type {any} */ { kind }) => kind);
  assert.deepEqual(kinds(), ["start", "add"]);
  assert.deepEqual(sent[1].source, { type: "native", name: "shipped" });
  reply({ id: sent[1].id, answer: { name: "shipped" } });
  await settled();
  assert.deepEqual(kinds(), ["start", "add", "trace", "heads"]);
  one.postTrace({ model: "mine" });
  await settled();
  assert.deepEqual(kinds().at(-1), "trace"); // it has it, or says that it does not
  assert.equal(tries, 2);
  assert.equal(asked.length, 2);
});

test("what nobody wants any more gives way, at once if it has not begun", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { open, opened } = threads();
  const one = engine({ threads: [open] });
  const [long, queued] = [new AbortController(), new AbortController()];
  /** @type {any[]} */
  const ends = [];
  const ended = (/** @type {any} */ error) => ends.push(error.name);
  one.postTrace({ text: "long" }, long.signal).catch(ended);
  one.postTrace({ text: "queued" }, queued.signal).catch(ended);
  const wanted = one.postTrace({ text: "wanted" });
  await new Promise(setImmediate);
  const [first] = opened;
  queued.abort();
  await new Promise(setImmediate);
  assert.deepEqual([first.last().kind, first.last().cancels], ["cancel", first.sent[2].id]);
  long.abort();
  await new Promise(setImmediate);
  assert.deepEqual(ends, ["AbortError", "AbortError"]);
  assert.equal(first.stopped, false); // it may be nearly done
  t.mock.timers.tick(1000);
  await new Promise(setImmediate);
  assert.equal(first.stopped, true);
  const [, second] = opened;
  assert.deepEqual(
    second.sent.map((/** @type {any} */ { kind, request }) => request?.text ?? kind),
    ["start", "wanted"],
  );
  first.reply({ id: second.last().id, answer: "of the one that was stopped" });
  second.reply({ id: second.last().id, answer: { trace: 7 } });
  assert.deepEqual(await wanted, { trace: 7 });
});

test("one that answers in time is not stopped", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { open, opened } = threads();
  const one = engine({ threads: [open] });
  const unwanted = new AbortController();
  one.postTrace({}, unwanted.signal).catch(() => {});
  await new Promise(setImmediate);
  unwanted.abort();
  opened[0].reply({ id: opened[0].sent[1].id, answer: {} });
  t.mock.timers.tick(1000);
  await new Promise(setImmediate);
  assert.equal(opened[0].stopped, false);
});

test("one that crashes fails what it computed, and starts again with the models that were added", async () => {
  const { open, opened } = threads();
  const one = engine({ threads: [open] });
  const own = { type: "recorded", name: "mine" };
  const added = one.add(own);
  await settled();
  opened[0].reply({ id: opened[0].last().id, answer: { name: "mine" } });
  assert.deepEqual(await added, { name: "mine" });
  const asked = one.postTrace({ model: "mine" });
  await settled();
  opened[0].lost("out of memory");
  const refused = await asked.catch((/** @type {any} */ error) => error);
  assert.match(refused.message, /out of memory/);
  assert.equal(refused.retry, true);
  one.getModels();
  await settled();
  assert.deepEqual(opened[1].sent[0].sources, [own]);
});
