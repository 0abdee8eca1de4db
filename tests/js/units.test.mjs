import assert from "node:assert/strict";
import test from "node:test";
import { detailOf } from "../../static/js/numbers/detail.js";
import {
  hasPieces,
  lastToken,
  likeSeen,
  numberAt,
  seenAt,
  seenOf,
  tokensAt,
} from "../../static/js/numbers/units.js";
import { meanOf, ofWords } from "../../static/js/views/text/weights.js";
import { selected } from "./explaining.mjs";

const PIECES = ["[BOS]", "The", " ke", "ys", " to"]; // four words
const tokens = PIECES.map((text, id) => {
  const start = PIECES.slice(1, id).join("").length;
  const special = id === 0;
  const end = special ? 0 : start + text.length;
  return {
    id,
    text,
    start,
    end,
    special,
    padding: false,
    segment: 0,
    generated: false,
    piece: null,
  };
});

/** A head over these pieces. @param {object} [more] of the state */
function state(more = {}) {
  const found = selected({
    units: "words",
    query: 3,
    matrix: "pattern",
    cell: null,
    hover: null,
    pinned: [],
    specials: "shown",
    ...more,
  });
  found.detail.trace.tokens = [tokens];
  return found;
}
const near = (/** @type {ArrayLike<number>} */ found, /** @type {number[]} */ expected) => {
  assert.equal(found.length, expected.length);
  expected.forEach((value, at) => {
    assert.ok(Math.abs(found[at] - value) < 1e-6, `${found[at]} for ${value} at ${at}`);
  });
};

test("a head from word to word: keys summed, queries averaged, cells blocked where all are", () => {
  const pieces = detailOf(state({ units: "pieces" })).pattern;
  const at = (/** @type {number} */ query, /** @type {number} */ key) =>
    pieces.data[5 * query + key];
  const { detail } = seenOf(state());
  assert.deepEqual(detail.queryLabels, ["[BOS]", "The", "keys", "to"]);
  assert.deepEqual([detail.pattern.rows, detail.pattern.cols, detail.row], [4, 4, 2]);
  const both = [2, 3];
  const mean = (/** @type {number[]} */ keys) =>
    both
      .map((query) => keys.reduce((sum, key) => sum + at(query, key), 0))
      .reduce((a, b) => a + b) / 2;
  near(detail.pattern.data.subarray(8, 12), [mean([0]), mean([1]), mean(both), mean([4])]);
  near(detail.pattern.data.subarray(12), [at(4, 0), at(4, 1), at(4, 2) + at(4, 3), at(4, 4)]);
  assert.deepEqual(
    [...detail.blocked.data].map(Boolean),
    [0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0].map(Boolean),
  );
  assert.equal(
    seenOf(state()).detail.pattern.data === detail.pattern.data,
    false,
    "another answer",
  );
  const one = state();
  assert.equal(seenOf(one).detail.pattern.data, seenOf({ ...one, query: 1 }).detail.pattern.data);
});

test("places of tokens become those of words, and back: a word is read at its last piece", () => {
  const axis = detailOf(state()).site.query_tokens;
  const seen = seenOf(
    state({ key: 2, cell: [4, 3], pinned: [3, 2, 1], hover: { axis, place: 4, role: "key" } }),
  );
  const { key, cell, pinned, hover } = seen.state;
  assert.deepEqual([key, cell, pinned, hover.place], [2, [3, 2], [2, 1], 3]);
  assert.deepEqual(tokensAt(seen.detail, [2, 3]), [3, 4]);
  assert.deepEqual(seenAt(seen.detail, [2, 4]), [2, 3]);
  assert.equal(lastToken(seen.detail.words.keys, 2), 3);
  assert.deepEqual(tokensAt(null, [2, 3]), [2, 3]);
  assert.deepEqual(seenAt(null, [2, 3]), [2, 3]);
});

test("what is no share stays in pieces, and so does everything unless words are asked for", () => {
  for (const more of [{ matrix: "scores" }, { units: "pieces" }]) {
    const given = state(more);
    const { detail, state: same } = seenOf(given);
    assert.equal(detail.queryLabels.length, 5);
    assert.equal(same, given);
  }
});

test("of a long text the page has only a picture, which stays in pieces", () => {
  const pooled = state();
  const { tensors } = pooled.detail;
  tensors.set("layers.1.pattern", { shape: [1, 1, 2, 2], data: new Float32Array(4) });
  tensors.set("layers.1.blocked_by", { shape: [1, 1, 2, 2], data: new Uint8Array(4) });
  assert.equal(seenOf(pooled).detail.words, undefined);
  const exact = state();
  exact.detail.exact = [{ start: 0, stop: 2, tensors: new Map() }];
  assert.equal(seenOf(exact).detail.words, undefined);
});

test("another head is merged alike, unless it has other tokens", () => {
  const { detail } = seenOf(state());
  const whole = detailOf(state({ units: "pieces" })).pattern;
  near(likeSeen(detail, whole).data, [...detail.pattern.data]);
  const small = { rows: 2, cols: 2, data: new Float32Array(4) };
  assert.equal(likeSeen(detail, small), small);
  assert.equal(likeSeen(detailOf(state()), whole), whole);
});

test("the weights of a word in the text are those of its cells, where it looks and who looks at it", () => {
  const { detail } = seenOf(state());
  const { pattern, blocked } = detailOf(state({ units: "pieces" }));
  const parts = [{ pattern, blocked, full: 1 }];
  const weights = ofWords((role, place) => meanOf(parts, role, place), detail.words);
  const n = detail.queries.length;
  for (let word = 0; word < n; word += 1) {
    const looks = weights("query", word);
    near(looks.values, [...detail.pattern.data.subarray(n * word, n * (word + 1))]);
    assert.deepEqual([...looks.blocked], [...detail.blocked.data.subarray(n * word, n * word + n)]);
    const column = (/** @type {ArrayLike<number>} */ data) =>
      Array.from({ length: n }, (_, query) => data[n * query + word]);
    near(weights("key", word).values, column(detail.pattern.data));
    assert.deepEqual([...weights("key", word).blocked], column(detail.blocked.data));
  }
  assert.equal(ofWords(() => null, detail.words)("query", 0), null);
});

test("whether a text has words of several pieces", () => {
  assert.deepEqual(
    [hasPieces(tokens), hasPieces(tokens.slice(0, 3)), hasPieces([])],
    [true, false, false],
  );
});

test("special tokens can be hidden, but not the row that is read; the rest can be scaled to sum to 1", () => {
  const whole = detailOf(state({ units: "pieces" })).pattern;
  const given = { units: "pieces", specials: "hidden", key: 0, cell: [3, 0], pinned: [0, 2] };
  const { detail, state: now } = seenOf(state(given));
  assert.deepEqual(detail.queryLabels, ["The", "ke", "ys", "to"]);
  assert.deepEqual(
    [detail.keyLabels.length, detail.row, detail.hides, detail.merges],
    [4, 2, 1, false],
  );
  const rows = [1, 2, 3, 4].flatMap((row) => [...whole.data.subarray(5 * row + 1, 5 * row + 5)]);
  near(detail.pattern.data, rows);
  assert.deepEqual([now.key, now.cell, now.pinned], [null, null, [1]]); // what is hidden is not marked
  assert.deepEqual(tokensAt(detail, [2, 3]), [3, 4]);
  assert.deepEqual(seenAt(detail, [4, 1]), [3, 0]);
  assert.deepEqual([numberAt(detail, "keys", 0), numberAt(detail, "queries", 3)], [1, 4]);
  const read = seenOf(state({ ...given, query: 0 })).detail;
  assert.deepEqual([read.queryLabels.length, read.keyLabels.length, read.row], [5, 4, 0]);
  const scaled = seenOf(state({ ...given, specials: "renormalised" })).detail.pattern;
  for (let row = 0; row < 4; row += 1) {
    const one = [...scaled.data.subarray(4 * row, 4 * row + 4)];
    assert.ok(Math.abs(one.reduce((a, b) => a + b) - 1) < 1e-6);
    assert.ok(one[0] > rows[4 * row]);
  }
  const words = seenOf(state({ specials: "hidden" })).detail;
  assert.deepEqual([words.keyLabels, words.merges], [["The", "keys", "to"], true]);
  assert.equal(numberAt(words, "keys", 1), 1); // words count by themselves
  assert.equal(seenOf(state(given), { whole: true }).detail.words, undefined);
});

test("a text of special tokens alone stays as it is", () => {
  const all = state({ units: "pieces", specials: "hidden" });
  all.detail.trace.tokens = [tokens.map((token) => ({ ...token, special: true }))];
  assert.equal(seenOf(all).detail.words, undefined);
});
