// The engine behind a port: one message asks, one answers, and what has not begun can be cancelled.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serve } from "../../../static/js/engine/serving.js";
import { shipped } from "./shipped.mjs";

const { port1: page, port2 } = new MessageChannel();
serve(port2);
after(() => page.close());

/** @type {Map<number, (reply: any) => void>} */
const waiting = new Map();
/** Replies of each message, in the order of their arrival. @type {[id: number, kind: string][]} */
const replies = [];
page.addEventListener("message", ({ data }) => {
  replies.push([data.id, Object.keys(data)[1]]);
  if (!("progress" in data)) waiting.get(data.id)?.(data);
});
page.start();

let last = 0;
/** @param {object} message @returns {Promise<any>} */
function ask(message) {
  last += 1;
  const id = last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    page.postMessage({ id, ...message });
  });
}

const request = { texts: ["Maria saw herself."] };

test("nothing is answered before the engine has models", async () => {
  const { error } = await ask({ kind: "trace", request });
  assert.deepEqual([error.code, error.status], ["not_started", 422]);
  const { answer } = await ask({ kind: "start", sources: [shipped()] });
  assert.deepEqual(
    answer.map(({ name, state }) => [name, state]),
    [["shipped", "ready"]],
  );
});

test("numbers arrive as typed arrays by name", async () => {
  const { answer } = await ask({ kind: "trace", request });
  assert.equal(answer.trace.tokens[0].length, 5);
  assert.deepEqual(answer.tensors.get("layers.0.pattern").shape, [1, 8, 5, 5]);
});

test("a file arrives as bytes, a document with lists", async () => {
  const { answer } = await ask({ kind: "file", request, type: "application/json" });
  assert.equal(JSON.parse(new TextDecoder().decode(answer)).model, "shipped");
  const { answer: document } = await ask({ kind: "stream", request });
  assert.equal(document.sites[0].tensors.pattern[0].length, 8);
});

test("a refusal has everything that the server's has", async () => {
  const { error } = await ask({ kind: "trace", request: { texts: Array(9).fill("a") } });
  assert.deepEqual(error, {
    code: "too_many_texts",
    message: "Expected at most 8 texts; got 9. Send fewer.",
    field: "texts",
    limit: 8,
    status: 422,
    said: {
      template: "Expected at most {most} {field}; got {n}. Send fewer.",
      many: null,
      values: { most: 8, field: "texts", n: 9 },
    },
  });
});

test("what has not begun can be cancelled; the others are answered in order", async () => {
  const first = ask({ kind: "trace", request: { texts: ["a"] } });
  ask({ kind: "trace", request: { texts: ["b"] } });
  const cancelled = last;
  page.postMessage({ id: -1, kind: "cancel", cancels: cancelled });
  await Promise.all([first, ask({ kind: "models" })]);
  assert.ok(!replies.some(([id]) => id === cancelled));
});

test("long work reports its progress before its answer", async () => {
  const texts = ["The old man near the keys saw herself in the mirror, and so on. ".repeat(4)];
  await ask({
    kind: "stream",
    request: { texts, select: { layers: [] }, analyse: { mute_effects: {} } },
  });
  const own = replies.filter(([id]) => id === last).map(([, kind]) => kind);
  assert.equal(own.at(-1), "answer");
  assert.ok(own.slice(0, -1).every((kind) => kind === "progress") && own.length > 1);
});

test("models come and go", async () => {
  const { answer } = await ask({ kind: "add", source: { ...shipped(), name: "mine" } });
  assert.equal(answer.name, "mine");
  assert.equal((await ask({ kind: "models" })).answer.length, 2);
  await ask({ kind: "remove", name: "mine" });
  const { error } = await ask({ kind: "trace", request: { ...request, model: "mine" } });
  assert.deepEqual([error.code, error.status], ["unknown_model", 404]);
});
