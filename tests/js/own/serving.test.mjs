// A reader's own file, opened behind a port, and its recording, which the engine opens behind another.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serve as serveEngine } from "../../../static/js/engine/serving.js";
import { recordedFile } from "../../../static/js/engine/sources/recorded.js";
import { serve } from "../../../static/js/own/serving.js";
import { everyFormat, opened, pattern, vectors } from "./opening.mjs";

/** Asks behind a port. @param {(port: any) => void} serves */
function port(serves) {
  const { port1, port2 } = new MessageChannel();
  serves(port2);
  after(() => port1.close());
  /** @type {Map<number, (reply: any) => void>} */
  const waiting = new Map();
  port1.addEventListener("message", ({ data }) => waiting.get(data.id)?.(data));
  port1.start();
  return (/** @type {object} */ message) =>
    new Promise((resolve) => {
      const id = waiting.size;
      waiting.set(id, resolve);
      port1.postMessage({ id, ...message });
    });
}

const TOKENS = ["The", "cat", "sat"];
const { safetensors: patterns } = everyFormat({ pattern: pattern([2, 3, 3, 3]) }, TOKENS);
const qkv = { q: vectors([2, 4, 3, 5]), k: vectors([2, 2, 3, 5], 8), v: vectors([2, 2, 3, 5], 9) };
const { safetensors: grouped } = everyFormat(qkv, TOKENS);

test("a recording comes out of its file as it went in", async () => {
  const ask = port(serve);
  for (const bytes of [patterns, grouped]) {
    const { answer: found } = await ask({ kind: "open", file: new Blob([bytes]) });
    const { settings } = found;
    const { answer } = await ask({ kind: "build", name: "mine", settings });
    const { recording } = await opened(bytes);
    const read = recordedFile(await answer.recording.arrayBuffer());
    assert.deepEqual(read.trace, { ...recording.trace, model: "mine" });
    assert.deepEqual([read.inputs, read.info], [recording.inputs, recording.info]);
    assert.deepEqual([...read.tensors.keys()].sort(), [...recording.tensors.keys()].sort());
    for (const [name, { shape, data }] of read.tensors)
      assert.deepEqual([shape, data], [...Object.values(recording.tensors.get(name))], name);
  }
});

test("a problem of the file is known, and nothing can be made before one is open", async () => {
  const ask = port(serve);
  assert.deepEqual(await ask({ kind: "start" }), { id: 0, answer: null });
  const { problem, known } = await ask({ kind: "build", name: "mine", settings: null });
  assert.deepEqual([problem, known], ["No file is open.", true]);
  const empty = await ask({ kind: "open", file: new Blob([]) });
  assert.deepEqual([empty.problem, empty.known], ["The file is empty.", true]);
});

test("the engine answers in order, also while it reads a recording", async () => {
  const ask = port(serve);
  await ask({ kind: "open", file: new Blob([patterns]) });
  const { answer } = await ask({ kind: "build", name: "mine", settings: null });
  const recorded = answer.recording;
  const read = recorded.arrayBuffer.bind(recorded);
  recorded.arrayBuffer = () => new Promise((resolve) => setTimeout(resolve, 50)).then(read);
  /** @type {any[]} */
  const replies = [];
  /** @type {(event: any) => void} */
  let listener = () => {};
  await new Promise((resolve) => {
    serveEngine({
      addEventListener: (/** @type {any} */ _, /** @type {any} */ listens) => {
        listener = listens;
      },
      postMessage: (/** @type {any} */ reply) => replies.push(reply) === 3 && resolve(null),
    });
    const request = { model: "mine", texts: ["The cat sat"], select: { tensors: ["pattern"] } };
    listener({ data: { id: 0, kind: "start", sources: [] } });
    listener({
      data: { id: 1, kind: "add", source: { type: "recorded", name: "mine", recorded } },
    });
    listener({ data: { id: 2, kind: "trace", request } });
  });
  assert.deepEqual(
    replies.map(({ id }) => id),
    [0, 1, 2],
  );
  assert.deepEqual(replies[2].answer?.tensors.get("layers.1.pattern").shape, [1, 3, 3, 3]);
});
