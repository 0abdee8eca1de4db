import assert from "node:assert/strict";
import test from "node:test";
import { existing, follow } from "../../static/js/state/painted/follow.js";

/** @param {Partial<import("../../static/js/types.d.ts").Cell>} some */
const cell = (some) => ({
  text: 0,
  layer: 1,
  head: null,
  query: null,
  key: null,
  kind: null,
  ...some,
});

/** Rows of one length, as the API gives them. @param {string[]} sentences @param {"left" | "right"} side */
function rows(sentences, side = "right") {
  const split = sentences.map((text) => text.split(" ").filter(Boolean));
  const n = Math.max(...split.map((words) => words.length));
  return split.map((words) => {
    const real = words.map((text) => ({ id: 1, text, segment: 0, padding: false }));
    const pads = Array(n - words.length).fill({ id: 0, text: "[PAD]", segment: 0, padding: true });
    return side === "right" ? [...real, ...pads] : [...pads, ...real];
  });
}

/** @param {string[]} texts @param {"left" | "right"} [side] @param {string[]} [targets] */
const given = (texts, side, targets) => ({
  texts,
  tokens: rows(texts, side),
  target_tokens: targets ? rows(targets, side) : null,
});

/** @param {any[]} cells @param {any} before @param {any} after */
const places = (cells, before, after) =>
  follow(cells, before, after).map(({ text, query, key }) => [text, query, key]);

const painted = [cell({ query: 3, key: 1 }), cell({ key: 2 }), cell({ query: 3 })];

test("paint stays where the tokens before it are as they were", () => {
  const [before, after] = [given(["the cat sat on"]), given(["the cat sat on the mat"])];
  assert.deepEqual(places(painted, before, after), [
    [0, 3, 1],
    [0, null, 2],
    [0, 3, null],
  ]);
});

test("paint goes along with tokens that move", () => {
  const [before, after] = [given(["the cat sat on"]), given(["the old cat sat on"])];
  assert.deepEqual(places(painted, before, after), [
    [0, 4, 2],
    [0, null, 3],
    [0, 4, null],
  ]);
});

test("paint never lands on another token: it goes with its own", () => {
  const [before, after] = [given(["the cat sat on"]), given(["the dog sat on"])];
  assert.deepEqual(places(painted, before, after), [
    [0, null, 2],
    [0, 3, null],
  ]);
  assert.deepEqual(places(painted, before, given(["the cat"])), []);
  assert.deepEqual(places(painted, before, given([""])), []);
});

test("a sentence that is removed takes its paint, and those after it move up", () => {
  const cells = [0, 1, 2].map((text) => cell({ text, query: 1, key: 0 }));
  const before = given(["a b", "c d", "e f"]);
  assert.deepEqual(places(cells, before, given(["a b", "e f"])), [
    [0, 1, 0],
    [1, 1, 0],
  ]);
  assert.deepEqual(places(cells, before, given(["a b", "c d", "e f", "g h"])).length, 3);
  const edited = given(["a b", "x c d", "e f"]);
  assert.deepEqual(places(cells, before, edited)[1], [1, 2, 1]);
});

test("padding that changes its side, or grows, moves nothing off its token", () => {
  const texts = ["a b c d", "e f"];
  const cells = [cell({ text: 1, query: 1, key: 0 }), cell({ query: 2, key: 1 })];
  const [right, left] = [given(texts), given(texts, "left")];
  assert.deepEqual(places(cells, right, left), [
    [1, 3, 2],
    [0, 2, 1],
  ]);
  assert.deepEqual(follow(follow(cells, right, left), left, right), cells);
  const longer = given(["a b c d", "e f g h i"], "left");
  assert.deepEqual(places([cell({ query: 2, key: 1 })], left, longer), [[0, 3, 2]]);
});

test("padding keeps its paint where there is padding still", () => {
  const [before, after] = [given(["a b c d", "e f"]), given(["a b c d", "e f g"])];
  const cells = [cell({ text: 1, key: 3 }), cell({ text: 1, key: 2 })];
  assert.deepEqual(places(cells, before, after), [[1, null, 3]]);
});

test("of an encoder–decoder each side follows its own text", () => {
  const before = given(["a b c"], "right", ["x y"]);
  const after = { ...given(["a c"], "right", ["w x y"]), texts: ["a c w"] };
  const kinds = ["encoder", "decoder", "cross"];
  const cells = kinds.map((kind) => cell({ kind, query: 1, key: 0 }));
  assert.deepEqual(places(cells, before, after), [
    [0, 2, 1],
    [0, 2, 0],
  ]);
  const all = cell({ query: 0, key: 0 }); // of every kind: it would fall apart
  assert.deepEqual(places([all], before, after), []);
});

test("where all sites are cross, a query is of the target alone", () => {
  /** @type {any} */
  const here = { ...given(["a b"], "right", ["c d e f g"]), kinds: ["cross"] };
  const cells = [cell({ query: 4 }), cell({ query: 4, key: 1 }), cell({ key: 2 })];
  assert.deepEqual(existing(cells, here), cells.slice(0, 2));
  assert.deepEqual(existing(cells, { ...here, kinds: [] }), []);
  const after = { ...given(["a b"], "right", ["x c d e f g"]), kinds: ["cross"], texts: ["a b x"] };
  assert.deepEqual(places(cells.slice(0, 2), here, after), [
    [0, 5, null],
    [0, 5, 1],
  ]);
});

test("what the API would refuse is left out", () => {
  const here = given(["a b c", "d"]);
  const cells = [cell({ text: 1, query: 2, key: 2 }), cell({ key: 3 }), cell({ text: 2 })];
  assert.deepEqual(existing(cells, here), [cells[0]]);
  assert.equal(existing([cells[0]], here).length, 1);
});
