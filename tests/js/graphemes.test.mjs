import assert from "node:assert/strict";
import test from "node:test";
import { graphemes } from "../../static/js/engine/subwords/unicode.js";
import { Generator } from "../../static/js/engine/tensor/random.js";

const SEGMENTER = new Intl.Segmenter("und", { granularity: "grapheme" });
const PARTS = [
  "a",
  "\u0301",
  "👩",
  "\u200d",
  "क",
  "्",
  "🇫",
  "🏽",
  "\r",
  "\n",
  "ᄀ",
  "각",
  "ᅡ",
  "\ud83d",
];

test("a long text has the characters that it would have as a whole", () => {
  const random = new Generator(7n);
  for (let n = 0; n < 300; n += 1) {
    const kinds = 1 + (n % PARTS.length); // few kinds make long characters
    const text = Array.from(
      random.randn(3 * n),
      (x) => PARTS[Math.floor(1e6 * Math.abs(x)) % kinds],
    ).join("");
    const whole = Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
    assert.deepEqual([...graphemes(text)], whole);
  }
});

test("one character of 20,000 marks is one", () => {
  const text = `a${"\u0301".repeat(20_000)}`;
  assert.deepEqual([...graphemes(text)], [text]);
});

test("half of a code point at the end ends it", () => {
  assert.deepEqual([...graphemes(`a\ud83d`)], ["a", "\ud83d"]);
});
