import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";
import { sha256 } from "../../../static/js/engine/scratch/sha256.js";
import { tokenize, wordVector } from "../../../static/js/engine/scratch/words.js";
import { wordsOfRow } from "../../../static/js/engine/trace/words.js";

const python = JSON.parse(readFileSync(new URL("data/words.json", import.meta.url), "utf8"));

// the engine reads words with the tables of Python 3.11 (static/js/engine/subwords/unicode.js)
const skip = python.unicode !== "14.0.0" && "this Python has the tables of another Unicode";

test("words and characters are numbered as in Python, in any script", { skip }, () => {
  for (const { texts, unit, rows, words } of python.cases) {
    const found = tokenize(texts, unit);
    const shown = JSON.stringify(texts);
    const listed = found.rows.map((row) =>
      row.map(({ id, text, start, end }) => [id, text, start, end]),
    );
    assert.deepEqual(listed, rows, shown);
    assert.deepEqual(found.words, words, shown);
  }
});

test("the words that tokens make up are those of Python, in any script", { skip }, () => {
  for (const { rows, words } of python.together)
    for (const [index, row] of rows.entries())
      assert.deepEqual(wordsOfRow(row), words[index], JSON.stringify(words[index]));
});

test("a word has the vector that torch draws for it", () => {
  for (const [word, seed, expected] of python.vectors) {
    const found = wordVector(word, seed, expected.length);
    expected.forEach((number, i) => {
      assert.ok(Math.abs(found[i] - number) < 1e-6, `${word} at ${i}: ${found[i]} for ${number}`);
    });
  }
});

test("half of a surrogate pair is refused", () => {
  for (const unit of ["words", "characters"])
    assert.throws(() => tokenize(["a", "b \ud800"], unit), { code: "lone_surrogate" });
});

test("SHA-256 is that of the standard, whatever the length", () => {
  for (let n = 0; n < 200; n++) {
    const message = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) % 256);
    const expected = createHash("sha256").update(message).digest();
    assert.deepEqual(sha256(message), new Uint8Array(expected), `${n} bytes`);
  }
});
