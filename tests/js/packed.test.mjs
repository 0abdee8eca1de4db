import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import { packed, unpacked } from "../../static/js/files/letters.js";

test("bytes come out of a page as they went in, and are not markup while they are in it", async () => {
  for (const n of [0, 1, 2, 3, 100_001]) {
    const bytes = randomBytes(n); // which no compression makes smaller
    const text = await packed(new Blob([bytes]));
    assert.doesNotMatch(text, /[\0\t\n\r"<\\]/); // what a parser or an editor changes, or what ends a string
    assert.deepEqual(Buffer.from(await unpacked(text)), bytes);
  }
});

test("damaged bytes are an error", async () => {
  const text = await packed(new Blob(["some words, and some more of them"]));
  await assert.rejects(unpacked(text.slice(0, 20)));
});
