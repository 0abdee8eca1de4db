import assert from "node:assert/strict";
import test from "node:test";
import { ApiError } from "../../../static/js/api/errors.js";
import { follow, POLL_S, SILENT_S } from "../../../static/js/live/stream.js";

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

/** A clock that tests move by hand. */
function clock() {
  let now = 0;
  /** @type {{at: number, go: () => void}[]} */
  let waiting = [];
  return {
    random: () => 0.5,
    pause: (/** @type {number} */ seconds) =>
      /** @type {Promise<void>} */ (
        new Promise((go) => waiting.push({ at: now + seconds, go: () => go() }))
      ),
    async move(/** @type {number} */ seconds) {
      const until = now + seconds;
      for (;;) {
        const [next] = waiting.toSorted((a, b) => a.at - b.at);
        if (!next || next.at > until) break;
        now = next.at;
        waiting = waiting.filter((each) => each !== next);
        next.go();
        await settled();
      }
      now = until;
      await settled();
    },
  };
}

const text = (/** @type {string} */ name, /** @type {object} */ data) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A class on a server that tests speak for. */
function server() {
  /** @type {ReadableStreamDefaultController<Uint8Array>[]} */
  const streams = [];
  const asked = { events: 0, document: 0, after: /** @type {(number | undefined)[]} */ ([]) };
  const state = {
    document: /** @type {any} */ ({ revision: 1, mode: "explore", people: 1 }),
    streams: true,
    refusal: /** @type {Error | null} */ (null),
  };
  const api = /** @type {any} */ ({
    code: "BCDFGHJ",
    async events(/** @type {AbortSignal} */ signal) {
      asked.events += 1;
      if (state.refusal) throw state.refusal;
      const body = new ReadableStream({
        start(controller) {
          streams.push(controller);
          signal.addEventListener("abort", () => {
            if (streams.includes(controller)) controller.error(new Error("aborted"));
          });
        },
      });
      return { body };
    },
    async document(/** @type {{after?: number}} */ { after }) {
      asked.document += 1;
      asked.after.push(after);
      if (state.refusal) throw state.refusal;
      return after !== undefined && state.document.revision <= after ? null : state.document;
    },
  });
  const send = async (/** @type {string} */ name, /** @type {object} */ data) => {
    streams.at(-1)?.enqueue(new TextEncoder().encode(text(name, data)));
    await settled();
  };
  return { api, asked, state, send, streams };
}

function begin() {
  const time = clock();
  const from = server();
  /** @type {any[]} */
  const documents = [];
  /** @type {string[]} */
  const connections = [];
  const { stop } = follow(
    from.api,
    {
      onDocument: (document) => documents.push(document),
      onConnection: (connection) => connections.push(connection),
    },
    time,
  );
  return { time, ...from, documents, connections, stop };
}

test("changes are put onto the document, and a missed one is healed", async () => {
  const { send, documents, connections, asked, state, stop } = begin();
  await settled();
  await send("state", state.document);
  await send("change", { revision: 2, from: 1, set: { mode: "follow" } });
  assert.deepEqual(documents.at(-1), { revision: 2, mode: "follow", people: 1 });
  assert.equal(asked.document, 0);
  state.document = { revision: 5, mode: "pause", people: 2 };
  await send("change", { revision: 5, from: 4, set: { frozen: true } });
  assert.equal(asked.document, 1);
  assert.deepEqual(documents.at(-1), state.document);
  state.document = { revision: 6, mode: "explore", people: 2 };
  await send("beat", { revision: 6, people: 2 });
  assert.equal(documents.at(-1).mode, "explore");
  await send("state", { revision: 3, mode: "follow", people: 2 });
  assert.equal(documents.at(-1).revision, 6, "what is older comes too late");
  assert.deepEqual(connections, ["live"]);
  stop();
});

test("where no event arrives within five seconds the page asks instead, and says so", async () => {
  const { time, send, documents, connections, asked, state, stop } = begin();
  await settled();
  await time.move(SILENT_S - 0.1);
  assert.deepEqual(connections, []);
  await time.move(SILENT_S + 0.2);
  assert.deepEqual(connections, ["polling"]);
  assert.equal(documents.length, 1);
  state.document = { ...state.document, revision: 2, mode: "pause" };
  await time.move(POLL_S * 1.2);
  assert.equal(documents.at(-1).mode, "pause");
  const seen = documents.length;
  await time.move(POLL_S * 3);
  assert.equal(documents.length, seen, "nothing new, nothing drawn");
  assert.ok(asked.after.includes(2));
  assert.equal(asked.events, 1);
  await time.move(47.5); // a minute after the silence
  assert.equal(asked.events, 2, "the stream is tried again");
  await send("state", state.document);
  assert.equal(connections.at(-1), "live");
  const polls = asked.document;
  await time.move(SILENT_S - 1);
  assert.equal(asked.document, polls, "and nobody asks any more");
  stop();
});

test("a stream that breaks is opened again, later each time", async () => {
  const { time, send, streams, connections, asked, state, stop } = begin();
  await settled();
  await send("state", state.document);
  state.refusal = new ApiError("no", { passes: "unreachable" });
  streams.pop()?.close();
  await settled();
  assert.equal(connections.at(-1), "broken");
  await time.move(0.7);
  assert.equal(asked.events, 2);
  await time.move(1.3);
  assert.equal(asked.events, 3);
  await time.move(1.3);
  assert.equal(asked.events, 3, "the third wait is longer");
  state.refusal = null;
  await time.move(1.3);
  await send("state", state.document);
  assert.equal(connections.at(-1), "live");
  stop();
});

test("a class that has ended is not asked for any more", async () => {
  for (const [code, connection] of [
    ["no_class", "ended"],
    ["removed", "out"],
    ["not_in_class", "out"],
  ]) {
    const { time, state, connections, asked } = begin();
    state.refusal = new ApiError("words", { code, status: 404 });
    await settled();
    await time.move(20);
    const { events, document } = asked;
    assert.equal(connections.at(-1), connection);
    await time.move(200);
    assert.deepEqual([asked.events, asked.document], [events, document]);
  }
  const { send, connections, state, time, asked } = begin();
  await settled();
  await send("state", state.document);
  await send("end", { ended: true });
  await time.move(100);
  assert.equal(connections.at(-1), "ended");
  assert.deepEqual([asked.events, asked.document], [1, 0]);
});
