import assert from "node:assert/strict";
import test from "node:test";
import { ApiError } from "../../static/js/api/errors.js";
import { pauseAfter } from "../../static/js/api/pauses.js";
import { Lane } from "../../static/js/asking/lane.js";

/** Time that passes only when it is told to. */
function clock() {
  let now = 0;
  let last = 0;
  /** @type {Map<number, {at: number, act: () => void}>} */
  const timers = new Map();
  return {
    now: () => now,
    set: (/** @type {() => void} */ act, /** @type {number} */ ms) => {
      last += 1;
      timers.set(last, { at: now + ms, act });
      return last;
    },
    clear: (/** @type {number} */ timer) => timers.delete(timer),
    /** @param {number} ms */
    pass: async (ms) => {
      const end = now + ms;
      for (;;) {
        await settled();
        const [next] = [...timers].filter(([, { at }]) => at <= end).sort(byTime);
        if (!next) break;
        timers.delete(next[0]);
        now = next[1].at;
        next[1].act();
      }
      now = end;
      await settled();
    },
  };
}
const byTime = (/** @type {any} */ [, a], /** @type {any} */ [, b]) => a.at - b.at;
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await null;
};

/** A lane, and a server that answers when it is told to. */
function begin() {
  const time = clock();
  /** @type {{text: string, signal: AbortSignal, answer: (answer?: any) => void, refuse: (error: unknown) => void, tell: (progress: any) => void}[]} */
  const sent = [];
  /** @type {any} */
  const options = {
    clock: time,
    random: () => 1,
    ask: (/** @type {any} */ { request }, /** @type {AbortSignal} */ signal, tell) =>
      new Promise((answer, refuse) => {
        sent.push({ text: request.text, signal, answer, refuse, tell });
      }),
  };
  const lane = new Lane(options);
  /** @type {any[]} */
  const shown = [];
  lane.watch((now) => shown.push(now));
  return { lane, sent, time, shown, now: () => shown.at(-1) };
}

/** Somebody who types. @param {Lane} lane @param {boolean} [apart] whether a newer wish makes older answers worthless */
function typist(lane, apart = false) {
  let text = "";
  /** @type {string[]} */
  const answered = [];
  /** @type {string[]} */
  const refused = [];
  let cancelled = 0;
  const asker = {
    next: () => {
      if (!text || answered.includes(text) || refused.includes(text)) return null;
      const asked = text;
      return {
        request: { text: asked },
        worth: () =>
          /** @type {const} */ (asked === text ? "wanted" : apart ? "unwanted" : "older"),
        answered: () => {
          answered.push(asked);
          lane.notify(asker);
        },
        refused: () => {
          refused.push(asked);
          lane.notify(asker);
        },
        cancelled: () => {
          cancelled += 1;
          refused.push(asked);
        },
      };
    },
  };
  return {
    answered,
    refused,
    cancelled: () => cancelled,
    type: (/** @type {string} */ typed) => {
      text = typed;
      lane.notify(/** @type {any} */ (asker));
    },
  };
}

const busy = (/** @type {number | null} */ after = null) =>
  new ApiError("Busy.", { passes: "busy", after });

test("one request is under way; of the wishes that come meanwhile the newest is asked", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane);
  for (const text of ["a", "ab", "abc"]) one.type(text);
  await time.pass(10);
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a"],
  );
  sent[0].answer();
  await time.pass(0);
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a", "abc"],
  );
  assert.deepEqual(one.answered, ["a"], "a picture of what was typed before is better than none");
  sent[1].answer();
  await time.pass(1000);
  assert.equal(sent.length, 2, "nothing is asked twice");
});

test("an answer that is slow and not wanted any more is given up, the next one later", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane);
  one.type("a");
  await time.pass(100);
  one.type("ab");
  await time.pass(140);
  assert.equal(sent[0].signal.aborted, false);
  await time.pass(10);
  assert.equal(sent[0].signal.aborted, true, "the server need not go on");
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a", "ab"],
  );
  one.type("abc");
  await time.pass(400);
  assert.equal(
    sent[1].signal.aborted,
    false,
    "whoever types without pause sees a picture in the end",
  );
  await time.pass(100);
  assert.equal(sent[1].signal.aborted, true);
  sent[0].answer();
  await time.pass(0);
  assert.deepEqual(one.answered, [], "what was given up shows nothing");
});

test("what is worth nothing ends at once", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane, true);
  one.type("a");
  one.type("b");
  assert.equal(sent[0].signal.aborted, true);
  await time.pass(0);
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a", "b"],
  );
});

test("several askers take turns", async () => {
  const { lane, sent, time } = begin();
  const [one, two] = [typist(lane), typist(lane)];
  one.type("a1");
  two.type("b1");
  one.type("a2");
  sent[0].answer();
  await time.pass(0);
  sent[1].answer();
  await time.pass(0);
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a1", "b1", "a2"],
  );
});

test("it never gives up: pauses grow, and end with an answer", async () => {
  const { lane, sent, time, now } = begin();
  const one = typist(lane);
  one.type("a");
  const waits = [];
  for (let tries = 0; tries < 12; tries += 1) {
    sent[tries].refuse(busy());
    await time.pass(0);
    assert.equal(now().kind, "pause");
    waits.push(now().until - time.now());
    await time.pass(now().until - time.now());
    assert.equal(sent.length, tries + 2);
    assert.equal(now().kind, "again");
  }
  assert.deepEqual(waits.slice(0, 7), [500, 1000, 2000, 4000, 8000, 16000, 30000]);
  assert.equal(waits.at(-1), 30000);
  sent[12].answer();
  await time.pass(0);
  assert.deepEqual(now(), { kind: "idle" });
  assert.deepEqual(one.answered, ["a"]);
  one.type("b");
  sent[13].refuse(busy());
  await time.pass(0);
  assert.equal(now().until - time.now(), 500, "the next trouble starts anew");
});

test("a new text ends a pause, but not before the server allows it", async () => {
  const { lane, sent, time, now } = begin();
  const one = typist(lane);
  one.type("a");
  for (const tries of [0, 1, 2]) {
    sent[tries].refuse(busy());
    await time.pass(0);
    if (tries < 2) await time.pass(now().until - time.now());
  }
  one.type("ab"); // in a pause of 2 s
  await time.pass(0);
  assert.equal(sent.at(-1)?.text, "ab");
  sent[3].refuse(busy(3));
  await time.pass(0);
  one.type("abc");
  assert.equal(now().until - time.now(), 3000, "what is said is what is done");
  await time.pass(2900);
  assert.equal(sent.length, 4);
  await time.pass(100);
  assert.equal(sent.at(-1)?.text, "abc");
});

test("keys that are pressed while nobody answers make no pause longer", async () => {
  const { lane, sent, time, now } = begin();
  const one = typist(lane);
  for (const text of ["a", "ab", "abc", "abcd", "abcde"]) {
    one.type(text);
    await time.pass(0);
    sent.at(-1)?.refuse(busy());
    await time.pass(100);
  }
  assert.equal(now().until - time.now(), 400);
});

test("the same wish does not shorten a pause", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane);
  one.type("a");
  sent[0].refuse(busy());
  await time.pass(0);
  one.type("a");
  await time.pass(400);
  assert.equal(sent.length, 1);
});

test("whoever asks for it goes on at once; a browser that is online again, when the server allows it", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane);
  one.type("a");
  sent[0].refuse(busy(5));
  await time.pass(0);
  lane.wake();
  await time.pass(0);
  assert.equal(sent.length, 1);
  lane.hurry();
  assert.equal(sent.length, 2);
  sent[1].refuse(new ApiError("Gone.", { passes: "unreachable" }));
  await time.pass(0);
  lane.wake();
  assert.equal(sent.length, 3);
});

test("what will never be answered is refused once", async () => {
  const { lane, sent, time, now } = begin();
  const one = typist(lane);
  one.type("a");
  sent[0].refuse(new ApiError("Too long.", { status: 422 }));
  await time.pass(60_000);
  assert.deepEqual([one.refused, sent.length, now().kind], [["a"], 1, "idle"]);
});

test("a long computation says so, and how far it is; cancelled, its connection is closed", async () => {
  const { lane, sent, time, now } = begin();
  const one = typist(lane);
  one.type("a");
  await time.pass(700);
  sent[0].tell({ state: "computing", done: 1, total: 4 });
  assert.equal(now().kind, "idle", "most answers are there before anybody wonders");
  await time.pass(100);
  assert.deepEqual(now(), { kind: "long", progress: { state: "computing", done: 1, total: 4 } });
  sent[0].tell({ state: "computing", done: 2, total: 4 });
  assert.equal(now().progress.done, 2);
  lane.cancel();
  assert.equal(sent[0].signal.aborted, true);
  assert.deepEqual([one.cancelled(), now().kind], [1, "idle"]);
  await time.pass(60_000);
  assert.equal(sent.length, 1, "it is not asked again by itself");
  one.type("b");
  assert.equal(sent.length, 2);
});

test("pauses differ from one browser to the next, and are never shorter than the server asks", () => {
  assert.equal(
    pauseAfter(3, null, () => 1),
    2,
  );
  assert.equal(
    pauseAfter(3, null, () => 0),
    1,
  );
  assert.equal(
    pauseAfter(1, 7, () => 0),
    7,
  );
  assert.equal(
    pauseAfter(1000, null, () => 1),
    30,
  );
});

/** What was said about silence. @param {Lane} lane */
function silences(lane) {
  /** @type {(string | null)[]} */
  const heard = [];
  lane.silence.watch((request) => heard.push(request?.text ?? null));
  return heard;
}
const gone = () => new ApiError("Gone.", { passes: "unreachable" });

test("when nothing is answered for 3 s it is told, until something is", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane);
  const heard = silences(lane);
  one.type("a");
  await time.pass(2900);
  assert.deepEqual(heard, []);
  await time.pass(200);
  assert.deepEqual(heard, ["a"]);
  sent[0].answer();
  await time.pass(10_000);
  assert.deepEqual(heard, ["a", null]);
});

test("asking again and typing on do not break a silence", async () => {
  const { lane, sent, time } = begin();
  const one = typist(lane);
  const heard = silences(lane);
  for (const text of ["a", "ab", "abc", "abcd"]) {
    one.type(text);
    await time.pass(400);
    sent.at(-1)?.refuse(gone());
    await time.pass(400);
  }
  await time.pass(2000);
  assert.deepEqual(heard, ["abcd"]); // once
});

test("a proxy that finds no server behind it does not break a silence", async () => {
  const { lane, sent, time } = begin();
  const heard = silences(lane);
  typist(lane).type("a");
  await time.pass(400);
  sent[0].refuse(new ApiError("Bad gateway.", { passes: "busy", status: 502 }));
  await time.pass(3000);
  assert.deepEqual(heard, ["a"]);
});

test("progress, a refusal, a busy server, a model that loads and a wish that is withdrawn are not silence", async () => {
  const said = [
    (/** @type {any} */ sent) => sent.tell({ state: "computing", done: 1, total: 9 }),
    (/** @type {any} */ sent) => sent.refuse(new ApiError("No.", { status: 422 })),
    (/** @type {any} */ sent) =>
      sent.refuse(new ApiError("Loading.", { passes: "busy", code: "loading", after: 60 })),
    (/** @type {any} */ sent) =>
      sent.refuse(new ApiError("Busy.", { passes: "busy", status: 503, after: 60 })),
    (/** @type {any} */ _, /** @type {ReturnType<typeof typist>} */ one) => one.type(""),
  ];
  for (const say of said) {
    const { lane, sent, time } = begin();
    const one = typist(lane, true);
    const heard = silences(lane);
    one.type("a");
    await time.pass(2000);
    say(sent[0], one);
    await time.pass(2000);
    assert.deepEqual(heard, [null], String(say));
  }
});

test("while a lens is fitted, the page says so, and other wishes do not wait for it", async () => {
  const { lane, sent, now, time } = begin();
  const fitting = { passes: /** @type {const} */ ("busy"), code: "lens_fitting", status: 503 };
  const one = typist(lane);
  one.type("a");
  await time.pass(10);
  sent[0].refuse(new ApiError("Being fitted.", { ...fitting, after: 30 }));
  await time.pass(10);
  assert.deepEqual([now().kind, now().reason], ["pause", "fitting"]);
  one.type("b");
  await time.pass(10);
  assert.equal(sent.length, 2);
});

test("what is wanted is asked again of whoever answers now", async () => {
  const { lane, sent, time, now } = begin();
  const one = typist(lane);
  one.type("a");
  await time.pass(3500);
  lane.renew();
  await time.pass(0);
  assert.equal(sent[0].signal.aborted, true);
  sent[1].refuse(gone());
  await time.pass(10);
  assert.equal(now().kind, "pause");
  lane.renew();
  sent[2].answer();
  await time.pass(0);
  assert.deepEqual([one.answered, one.refused, sent.length], [["a"], [], 3]);
});
