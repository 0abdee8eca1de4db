import assert from "node:assert/strict";
import test from "node:test";
import { align, MAX_TOKENS } from "../../static/js/views/compare/align.js";

/** @param {string} text @param {Partial<import("../../static/js/types.d.ts").Token>} [more] */
const token = (text, more = {}) => ({
  id: 0,
  text,
  start: 0,
  end: 0,
  special: false,
  padding: false,
  segment: 0,
  generated: false,
  ...more,
});
const special = (/** @type {string} */ text) => token(text, { special: true });
/** Words with spaces that belong to them. @param {string} text */
const words = (text) => text.split(" ").map((word) => token(` ${word}`));
/** Pieces of one text, each with what it covers. @param {[string, number, number][]} pieces */
const pieces = (...pieces) => pieces.map(([text, start, end]) => token(text, { start, end }));

/** @param {import("../../static/js/views/compare/align.js").Pair[] | null} pairs "0=0", "−2" of A alone, "+1" of B alone */
const brief = (pairs) =>
  pairs?.map(({ a, b }) => (a === null ? `+${b}` : b === null ? `−${a}` : `${a}=${b}`)).join(" ");

test("the same tokens stand in their own places", () => {
  const row = [special("[BOS]"), ...words("the cat the cat")];
  assert.equal(brief(align(row, row, true)), "0=0 1=1 2=2 3=3 4=4");
  assert.equal(brief(align(row, row, false)), "0=0 1=1 2=2 3=3 4=4");
});

test("a word put in has a line of its own", () => {
  const [a, b] = [words("the cat sat"), words("the old cat sat")];
  assert.equal(brief(align(a, b, false)), "0=0 +1 1=2 2=3");
  assert.equal(brief(align(b, a, false)), "0=0 −1 2=1 3=2");
});

test("a word changed is two lines, A's first", () => {
  assert.equal(
    brief(align(words("the dogs are old"), words("the dog is old"), false)),
    "0=0 −1 −2 +1 +2 3=3",
  );
});

test("of two texts the longest common order counts, whatever the capitals and the marks", () => {
  const a = [token("The"), token("Ġcat"), token("▁sat"), token("##s")];
  const b = [token("the"), token(" a"), token("Cat"), token("sat"), token("s")];
  assert.equal(brief(align(a, b, false)), "0=0 +1 1=2 2=3 3=4");
  // worked by hand: a b c b d a b and b d c a b a share b c b a, among others of 4
  const [left, right] = [words("a b c b d a b"), words("b d c a b a")];
  const found = align(left, right, false) ?? [];
  assert.equal(found.filter((pair) => pair.a !== null && pair.b !== null).length, 4);
  assert.equal(found.length, 7 + 6 - 4);
});

test("a token of marks alone stays what it is", () => {
  assert.equal(brief(align([token("##")], [token("")], false)), "−0 +0");
  assert.equal(brief(align([token(" ")], [token(" ")], false)), "0=0");
});

test("a special token is not the word that looks like it, nor padding", () => {
  const pad = token("[PAD]", { padding: true, special: true });
  assert.equal(brief(align([special("[PAD]")], [token("[PAD]")], false)), "−0 +0");
  assert.equal(brief(align([special("[PAD]")], [pad], false)), "−0 +0");
});

test("of one text the characters decide, not how a tokenizer writes them", () => {
  // "Xyzzy are": X yz zy are · X y zzy are, the second without the spaces that belong to words
  const a = [special("[BOS]"), ...pieces(["X", 0, 1], ["yz", 1, 3], ["zy", 3, 5], [" are", 5, 9])];
  const b = [special("[CLS]"), ...pieces(["x", 0, 1], ["y", 1, 2], ["zzy", 2, 5], ["are", 6, 9])];
  assert.equal(brief(align(a, b, true)), "−0 +0 1=1 −2 −3 +2 +3 4=4");
  // the same word in two places of a text is not the same token
  const twice = pieces(["the", 0, 3], [" the", 3, 7]);
  assert.equal(brief(align(twice, twice.slice(1), true)), "−0 1=0");
});

test("characters of the second segment are not those of the first", () => {
  const [one, two] = [token("a", { end: 1 }), token("a", { end: 1, segment: 1 })];
  assert.equal(brief(align([one], [two], true)), "−0 +0");
});

test("padding on the other side moves what is real", () => {
  const pad = token("[PAD]", { padding: true });
  const real = pieces(["a", 0, 1], [" b", 1, 3]);
  assert.equal(brief(align([...real, pad], [pad, ...real], true)), "+0 0=1 1=2 −2");
});

test("too many tokens are not aligned, and none are", () => {
  const long = Array.from({ length: MAX_TOKENS + 1 }, () => token("a"));
  assert.equal(align(long, long, true), null);
  assert.equal(align(long.slice(1), long.slice(1), false)?.length, MAX_TOKENS);
  assert.deepEqual(align([], [], true), []);
  assert.equal(brief(align([], words("a"), true)), "+0");
});
