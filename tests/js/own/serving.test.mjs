// A reader's own file, opened behind a port, and its recording, which the engine opens behind another.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serve as serveEngine } from "../../../static/js/engine/serving.js";
import { recordedFile } from "../../../static/js/engine/sources/recorded.js";
import { unpacked } from "../../../static/js/files/letters.js";
import { packedRecording, recordingFile } from "../../../static/js/own/recording.js";
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

/** What a page would carry of a recording with these numbers. @param {Record<string, Float32Array | Uint8Array>} arrays */
async function carried(arrays) {
  const tensors = new Map(
    Object.entries(arrays).map(([name, data]) => [name, { shape: [data.length], data }]),
  );
  const { recording } = await opened(patterns);
  const file = recordingFile(/** @type {any} */ ({ ...recording, tensors }));
  const { text, rounded } = await packedRecording(file);
  const { trace, tensors: read } = recordedFile(await unpacked(await text.text()));
  assert.deepEqual(trace, recording.trace);
  return { rounded, read: Object.fromEntries([...read].map(([name, { data }]) => [name, data])) };
}

test("a page carries few numbers as they are, and rounds many", async () => {
  const few = await carried({ q: Float32Array.of(1 / 3, 1e6) });
  assert.deepEqual(few, { rounded: false, read: { q: Float32Array.of(1 / 3, 1e6) } });
  const [q, k] = [new Float32Array(2 ** 21), Float32Array.of(1 / 3, 1e6)];
  q[0] = 1 / 3;
  const many = await carried({ q, k, blocked_by: Uint8Array.of(1, 2) });
  assert.ok(many.rounded);
  assert.ok(Math.abs(many.read.q[0] - 1 / 3) < 2 ** -12 && many.read.q[0] !== q[0]);
  assert.deepEqual(many.read.k, k); // float16 ends at 65,504
  assert.deepEqual(many.read.blocked_by, Uint8Array.of(1, 2));
});

test("what is too large for a page is refused with its size", async () => {
  const many = new Float32Array(2 ** 25 + 2 ** 20);
  await assert.rejects(
    carried({ q: many }),
    /The numbers take 66 MB; a page holds at most 64 MB\. Save fewer layers/,
  );
});
