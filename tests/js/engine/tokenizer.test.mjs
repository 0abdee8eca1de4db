import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Tokenizer } from "../../../static/js/engine/core/tokenizer.js";
import { CheckpointError, TextError } from "../../../static/js/engine/errors.js";
import { translated } from "../../../static/js/engine/subwords/patterns.js";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const shipped = () => read("../../../model/shipped/tokenizer.json");
const { cases, names, decoded } = read("data/tokens.json"); // from Python
const tokenizer = new Tokenizer(shipped());

test("hostile texts have the tokens that Python gives them", () => {
  for (const { text, ids, ends } of cases) {
    const found = tokenizer.encode(text);
    const shown = JSON.stringify(text);
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
      shown,
    );
    assert.deepEqual(
      found.map(({ end }) => end),
      ends,
      shown,
    );
  }
});

test("the tokens of a text cover it, in code points", () => {
  for (const { text } of cases) {
    const [bos, ...tokens] = tokenizer.encode(text);
    const characters = [...text];
    assert.deepEqual([bos.text, bos.start, bos.end, bos.special], ["[BOS]", 0, 0, true]);
    assert.equal(tokens.map((one) => one.text).join(""), text);
    tokens.forEach((one, i) => {
      assert.equal(one.start, i ? tokens[i - 1].end : 0);
      assert.equal(one.text, characters.slice(one.start, one.end).join(""));
      assert.deepEqual(
        [one.special, one.padding, one.segment, one.generated],
        [false, false, 0, false],
      );
    });
  }
});

test("normalising and decoding give the text that Python reads", () => {
  for (const { text, ids, read: expected } of cases) {
    assert.equal(tokenizer.normalise(text), expected);
    assert.equal(tokenizer.decode(ids), expected);
  }
  for (const [ids, expected] of decoded) assert.equal(tokenizer.decode(ids), expected);
});

test("a tokenizer of characters knows no others, as in Python", () => {
  const added = ["[PAD]", "[BOS]"].map((content) => ({ content, special: true }));
  const vocab = { "[PAD]": 0, "[BOS]": 1, " ": 2, a: 3, ü: 4 };
  const json = shipped();
  const characters = new Tokenizer({
    normalizer: null,
    pre_tokenizer: { ...json.pre_tokenizer, pattern: { Regex: "." } },
    model: { ...json.model, vocab, merges: [], byte_fallback: false },
    added_tokens: added,
  });
  const found = characters.encode(" aü");
  assert.deepEqual(
    found.map(({ id, text }) => [id, text]),
    [
      [1, "[BOS]"],
      [2, " "],
      [3, "a"],
      [4, "ü"],
    ],
  );
  assert.equal(characters.decode([1, 2, 3, 4]), " aü");
  assert.equal(characters.normalise(" a"), " a");
  assert.deepEqual(
    [2, 3].map((id) => characters.tokenText(id)),
    ["␣", "a"],
  );
  assert.throws(
    () => characters.encode("ax"),
    (error) =>
      error instanceof TextError &&
      error.message === "This model knows 3 characters: ␣ a ü. 'x' is not one of them.",
  );
});

test("entries are spelled as Python spells them", () => {
  assert.deepEqual(
    names.map((_, i) => tokenizer.tokenText(7 * i)),
    names,
  );
  assert.throws(() => tokenizer.tokenText(tokenizer.vocab_size), /^RangeError: There is no token/);
  assert.throws(() => tokenizer.tokenText(-1), RangeError);
});

test("half of a surrogate pair is refused where it stands", () => {
  for (const [text, at, code] of [
    ["a👩\ud83d", 2, "D83D"],
    ["\udc69👩", 0, "DC69"],
  ]) {
    for (const read of ["encode", "normalise"]) {
      assert.throws(
        () => tokenizer[read](text),
        (error) =>
          error instanceof TextError &&
          error.code === "lone_surrogate" &&
          error.message ===
            `Expected Unicode text; character ${at} is U+${code}, half of a surrogate pair, ` +
              "which is not a character. Remove it, or send both halves.",
      );
    }
  }
});

for (const [what, change] of [
  ["an unknown normalizer", (json) => json.normalizer.normalizers.push({ type: "NFC" })],
  ["another pre-tokenizer", (json) => (json.pre_tokenizer = { type: "ByteLevel" })],
  ["no pre-tokenizer", (json) => (json.pre_tokenizer = null)],
  ["another way to split", (json) => (json.pre_tokenizer.behavior = "Removed")],
  ["another model", (json) => (json.model.type = "Unigram")],
  ["an unknown token", (json) => (json.model.unk_token = "[PAD]")],
  ["no bytes", (json) => delete json.model.vocab["<0x0A>"]],
  ["a merge of nothing", (json) => json.model.merges.push(["q", "no such entry"])],
  ["an ordinary added token", (json) => (json.added_tokens[0].special = false)],
  ["no [PAD]", (json) => delete json.model.vocab["[PAD]"]],
]) {
  test(`a tokenizer with ${what} is refused, not run wrongly`, () => {
    const json = shipped();
    change(json);
    assert.throws(() => new Tokenizer(json), CheckpointError);
  });
}

test("a pattern is translated whole or refused", () => {
  const isFound = (pattern, text) => translated(pattern).test(text);
  assert.ok(isFound("\\A\\s+\\z", "\u0085\u00a0"));
  assert.ok(!isFound("\\s", "\ufeff"), "a byte order mark is not white space");
  assert.ok(isFound("a.b", "a\rb"));
  assert.ok(!isFound("a.b", "a\nb"));
  assert.ok(isFound("[^ ]x[?]", "ax?"), "signs between brackets are characters");
  assert.ok(!isFound("\\p{L}", "\u088f"), "a letter of Unicode 17");
  assert.ok(isFound("[\\p{L}\\p{M}]", "\u1c89"), "a letter of Unicode 16");
  for (const pattern of [
    "\\w",
    "\\d",
    "\\p{N}",
    "\\P{L}",
    "\\h",
    "\\R",
    "\\b",
    "\\1",
    "^a",
    "a$",
    "a{2}",
    "a*?",
    "a++",
    "(?i)a",
    "(?>a)",
    "(?<name>a)",
    "[[:alpha:]]",
    "[a&&b]",
    "[]a]",
    "[a[b]]",
    "[a\\d]",
  ]) {
    assert.throws(() => translated(pattern), CheckpointError, pattern);
  }
});
