import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { plotHeight } from "../../../static/js/page/embed/height.js";
import { hostOf } from "../../../static/js/page/embed/host.js";
import { readMessage, SAID, TAKEN, VERSION } from "../../../static/js/page/embed/messages.js";
import { LINES } from "../../../static/js/page/embed/words.js";

const OWN = "http://headlight.test";
const BLOG = "https://blog.example.org";
const EVIL = "https://evil.example";
const STATE = { type: "headlight.state", version: VERSION, query: "?layer=1" };

/** A window in a frame; what is posted to its parent is kept. @param {string} referrer @param {string[] | null} origins */
function framed(referrer, origins = [OWN, BLOG]) {
  const posted = [];
  const parent = { postMessage: (message, target) => posted.push([message.type, target]) };
  const frame = Object.assign(new EventTarget(), {
    parent,
    location: {},
    document: { referrer },
  });
  const host = hostOf(origins, /** @type {any} */ (frame));
  const heard = [];
  host.listen((message) => heard.push(message));
  const hear = (data, origin, source = parent) =>
    frame.dispatchEvent(Object.assign(new Event("message"), { data, origin, source }));
  return { host, posted, heard, hear };
}

test("a frame takes messages from its parent alone, and only of a named origin", () => {
  const { heard, hear, posted } = framed(`${BLOG}/`);
  hear(STATE, EVIL);
  hear(STATE, "null");
  hear(STATE, BLOG, /** @type {any} */ ({}));
  assert.deepEqual(heard, []);
  assert.deepEqual(posted, [], "nobody else gets an answer, not even an error");
  hear(STATE, BLOG);
  assert.deepEqual(heard, [STATE]);
});

test("a frame tells its parent's origin alone, and no page that is not named", () => {
  const { host, posted } = framed(`${BLOG}/page`);
  host.send({ type: SAID.ready });
  assert.deepEqual(posted, [[SAID.ready, BLOG]]);
  const refused = framed(`${EVIL}/`);
  refused.host.send({ type: SAID.ready });
  assert.deepEqual(refused.posted, []);
});

test("where the browser hides the host, it is one of those named, until it speaks", () => {
  const { host, posted, hear } = framed("");
  host.send({ type: SAID.ready });
  assert.deepEqual(
    posted.splice(0).map(([, target]) => target),
    [OWN, BLOG],
  );
  hear(STATE, BLOG);
  host.send({ type: SAID.height });
  assert.deepEqual(posted, [[SAID.height, BLOG]]);
});

test("a page that is a file talks to any parent", () => {
  const { host, posted, heard, hear } = framed("", null);
  host.send({ type: SAID.ready });
  hear(STATE, "null");
  assert.deepEqual([posted, heard], [[[SAID.ready, "*"]], [STATE]]);
});

test("a page that is in no frame talks to nobody", () => {
  const alone = Object.assign(new EventTarget(), {
    location: {},
    document: { referrer: "" },
    postMessage: () => assert.fail("it must not write to itself"),
  });
  const frame = Object.assign(alone, { parent: alone });
  const host = hostOf([OWN], /** @type {any} */ (frame));
  host.listen(() => assert.fail("nor listen to itself"));
  host.send({ type: SAID.ready });
  frame.dispatchEvent(
    Object.assign(new Event("message"), { data: STATE, origin: OWN, source: frame }),
  );
});

test("what is wrong with a message is answered in words", () => {
  for (const [data, words] of [
    [{ type: "headlight.other", version: 1 }, /Expected the type headlight\.hello, headlight\.st/],
    [{ type: "headlight.constructor", version: 1 }, /Expected the type/],
    [{ ...STATE, version: 2 }, /Expected version: 1 in headlight\.state/],
    [{ type: "headlight.state", query: "" }, /Expected version: 1/],
    [{ ...STATE, query: 7 }, /expected query to be a query string of at most 200,000 characters/],
    [{ ...STATE, query: "x".repeat(200_001) }, /expected query/],
    [{ type: "headlight.scheme", version: 1, scheme: "sepia" }, /"auto", "light", "dark"/],
  ]) {
    const { posted, heard, hear } = framed(`${BLOG}/`);
    hear(data, BLOG);
    assert.deepEqual([posted, heard], [[[SAID.error, BLOG]], []]);
    const read = readMessage(data);
    assert.match(read && "problem" in read ? read.problem : "", words);
  }
});

test("what is not for Headlight, or comes from a frame, gets no answer", () => {
  for (const data of [null, 7, "headlight.state", {}, { type: "webpack" }, { type: 7 }]) {
    assert.equal(readMessage(data), null);
  }
  for (const type of [SAID.error, SAID.ready, SAID.height, SAID.selection]) {
    assert.equal(readMessage({ type, version: 7 }), null, "two frames would answer each other");
  }
});

test("the guide lists every message with its fields", () => {
  const guide = readFileSync(new URL("../../../docs/embed.md", import.meta.url), "utf8");
  const [, said, taken] = guide.split(/^From the frame:|^To the frame/m);
  const rows = (text) =>
    new Map(
      [...text.split(/^## /m)[0].matchAll(/^\| `(headlight\.\w+)` \| (.*?) \|/gm)].map(
        ([, type, fields]) => [type, [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name)],
      ),
    );
  assert.deepEqual([...rows(said).keys()].sort(), Object.values(SAID).sort());
  const fields = Object.entries(TAKEN).map(([type, known]) => [type, Object.keys(known)]);
  assert.deepEqual([...rows(taken)].sort(), fields.sort());
  assert.equal(guide.includes(`version: ${VERSION}`), true);
});

test("the height of a heatmap follows from its width, within limits", () => {
  const cells = { rows: 9, cols: 9 };
  assert.ok(plotHeight(cells, 640) > plotHeight(cells, 320));
  assert.equal(plotHeight({ rows: 10, cols: 10 }, 410), 410, "square cells of 30 pixels");
  assert.equal(plotHeight({ rows: 500, cols: 500 }, 640), 640);
  assert.equal(plotHeight({ rows: 1, cols: 1 }, 320), 200);
});

test("Embed says what the server must allow", () => {
  assert.match(LINES.allowed([]), /only pages of this server.*HEADLIGHT_FRAME_ANCESTORS=https:/);
  assert.match(
    LINES.allowed([BLOG, EVIL]),
    /of https:\/\/blog.example.org, https:\/\/evil.example\./,
  );
  assert.match(LINES.allowed(null), /Put this file on a web space/);
});
