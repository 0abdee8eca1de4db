import assert from "node:assert/strict";
import test from "node:test";
import { eventsOf } from "../../static/js/api/events.js";

test("events are read whole, however the network cuts them", async () => {
  const text =
    ': nothing but a sign of life\n\nevent: progress\r\ndata: {"done": 1}\r\n\r\nevent: answer\ndata: {"text": "é"}\n\nevent: cut\ndata: ';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.slice(at, at + size));
        }
        controller.close();
      },
    });
    const found = [];
    for await (const event of eventsOf(body)) found.push(event);
    assert.deepEqual(found, [
      { name: "progress", data: '{"done": 1}' },
      { name: "answer", data: '{"text": "é"}' },
    ]);
  }
});
