import assert from "node:assert/strict";
import test from "node:test";
import { matchRequest } from "../../static/js/asking/requests.js";
import { brushFor, brushOf, isPaintedAt, stroke } from "../../static/js/edit/stroke.js";
import { cellsHere, matched, matchesIn, SHAPES, shapeIn } from "../../static/js/numbers/picture.js";
import { holds, pictureOf, pictureText, tidied } from "../../static/js/state/painted/picture.js";
import { hushed } from "../../static/js/state/quiz.js";
import { labelOf, strongest } from "../../static/js/words/labels.js";
import { bloom, shipped } from "./models.mjs";

/** @typedef {[number, number]} Place */

/** @param {number} n @param {number} [pads] */
const tokens = (n, pads = 0) =>
  Array.from({ length: n }, (_, index) => ({
    id: index,
    text: `w${index}`,
    special: false,
    segment: 0,
    padding: index >= n - pads,
  }));

/** Two texts of five tokens, the second with two of padding, in which head 1 looks two back. @param {object} [some] @returns {any} */
function stateOf(some = {}) {
  const rows = [tokens(5), tokens(5, 2)];
  const data = new Float32Array(2 * 25);
  for (let text = 0; text < 2; text++)
    for (let i = 0; i < 5; i++) data[text * 25 + i * 5 + Math.max(0, i - 2)] = 0.75;
  const site = { name: "layers.1", kind: "self", layer: 1, heads: [1] };
  const trace = {
    model: "shipped",
    tokens: rows,
    target_tokens: null,
    predicted_at: null,
    sites: [{ ...site, query_tokens: "tokens", key_tokens: "tokens" }],
  };
  const bits = { shape: [2, 1, 5, 5], data: new Uint8Array(50) };
  const tensors = new Map([
    ["layers.1.pattern", { shape: [2, 1, 5, 5], data }],
    ["layers.1.blocked_by", bits],
  ]);
  return {
    models: [shipped, bloom],
    model: "shipped",
    texts: ["a b c d", "a b"],
    targets: [],
    pairs: null,
    masks: { blocked: [], allowed: [] },
    muted: [],
    interventions: [],
    kind: "self",
    layer: 1,
    head: 1,
    shown: 0,
    query: null,
    key: null,
    segments: "all",
    matrix: "pattern",
    view: "heatmap",
    brush: "picture",
    find: "picture",
    picture: [],
    grid: { trace, tensors },
    detail: { trace, tensors },
    match: null,
    next: null,
    ...some,
  };
}
/** @param {number} layer @param {number | null} share */
const found = (layer, share) => ({
  site: `layers.${layer}`,
  layer,
  head: 1,
  share,
  chance: 0.25,
  lift: 0,
  over: 3,
  reason: share === null ? "the masks block every painted cell" : null,
});
/** @param {object[]} heads @returns {any} */
const answered = (heads) => ({
  status: "ready",
  problem: null,
  answer: { trace: { match: heads } },
});

test("a link holds a picture as boxes of cells, in order and without repetitions", () => {
  /** @type {Place[]} */
  const cells = [
    [3, 1],
    [2, 1],
    [1, 0],
    [3, 0],
    [2, 1],
  ];
  const text = pictureText(cells);
  assert.equal(text, "1.0_2.1_3.0-1");
  assert.deepEqual(pictureOf(text), [
    [1, 0],
    [2, 1],
    [3, 0],
    [3, 1],
  ]);
  assert.deepEqual(tidied(cells), pictureOf(text));
  assert.deepEqual([pictureText([]), pictureOf(null), pictureOf("")], [null, [], []]);
  for (const odd of ["x", "*.1", "1.*", "1", "1.2.3", "3-1.0", "9999999.1"])
    assert.deepEqual(pictureOf(odd), [], odd);
  assert.deepEqual(pictureOf("0-2999.0-2999"), []); // more than a picture can have
  assert.deepEqual([holds(cells, [3, 0]), holds(cells, [0, 3])], [true, false]);
});

test("the shapes are cells of real tokens", () => {
  const first = stateOf();
  assert.deepEqual(
    shapeIn(first, "previous"),
    [1, 2, 3, 4].map((i) => [i, i - 1]),
  );
  assert.deepEqual(
    shapeIn(first, "first"),
    [1, 2, 3, 4].map((i) => [i, 0]),
  );
  assert.deepEqual(
    shapeIn(first, "itself"),
    [0, 1, 2, 3, 4].map((i) => [i, i]),
  );
  assert.deepEqual(
    shapeIn(first, "head"),
    [0, 0, 0, 1, 2].map((key, i) => [i, key]),
  );
  const padded = stateOf({ shown: 1 });
  for (const shape of /** @type {const} */ (["previous", "first", "itself", "head"])) {
    assert.ok(
      shapeIn(padded, shape)?.every(([query]) => query < 3),
      shape,
    );
  }
  assert.equal(Object.keys(SHAPES).length, 4);
  assert.equal(shapeIn({ ...first, detail: null }, "first"), null);
});

test("heads are asked about only the cells that the text has, and only while they rank", () => {
  const picture = [
    [1, 0],
    [7, 0],
    [0, 5],
  ];
  const state = stateOf({ picture, shown: 1 });
  assert.deepEqual(cellsHere(state), [[1, 0]]);
  const request = /** @type {any} */ (matchRequest(state, shipped, true));
  assert.deepEqual(request.analyse, { match: { cells: [[1, 0]], text: 1, kind: "self" } });
  assert.deepEqual(request.select, { layers: [] });
  for (const none of [
    { find: "between" },
    { picture: [] },
    { picture: [[7, 0]] },
    { quiz: true },
    { grid: null },
  ])
    assert.equal(matchRequest({ ...state, ...none }, shipped, true), null);
  assert.equal(matchRequest(state, shipped, false), null);
});

test("the heads of the page get the share as their label, or the reason", () => {
  const match = answered([found(1, 0.5), found(0, 0.75)]);
  const state = stateOf({ picture: [[2, 1]], match });
  const heads = matched(state) ?? [];
  assert.deepEqual(
    heads.map(({ layer, scores }) => [layer, scores.picture.value]),
    [[1, 0.5]], // the grid has only layer 1
  );
  assert.equal(labelOf(heads[0], "picture").value, 0.5);
  const none = matched(stateOf({ picture: [[2, 1]], match: answered([found(1, null)]) })) ?? [];
  assert.match(labelOf(none[0], "picture").reason ?? "", /block every painted cell/);
  assert.equal(matchesIn({ ...state, quiz: true }), null);
  assert.equal(matchesIn({ ...state, picture: [] }), null);
  assert.equal(matchesIn({ ...state, match: null }), null);
});

test("a picture never names a head by itself", () => {
  const zero = { value: 0, over: 5, reason: null };
  const names = ["previous_token", "next_token", "same_token", "induction", "first_token"];
  const scores = Object.fromEntries(
    [...names, "normalised_entropy", "special_mass", "punctuation_mass"].map((one) => [one, zero]),
  );
  const all = /** @type {any} */ ({ ...scores, picture: { ...zero, value: 1 } });
  assert.equal(strongest(all).name, "");
});

test("a stroke paints the picture or takes paint away, and leaves the masks alone", () => {
  const state = stateOf({ find: null, picture: [[2, 1]] });
  assert.deepEqual(
    stroke(
      state,
      [
        [3, 2],
        [2, 1],
      ],
      true,
    ),
    {
      changes: {
        picture: [
          [2, 1],
          [3, 2],
        ],
        find: "picture",
      },
      words: "painted 1 cell of your picture",
    },
  );
  assert.deepEqual(
    stroke(
      state,
      [
        [2, 1],
        [4, 4],
      ],
      false,
    ),
    {
      changes: { picture: [], find: "picture" },
      words: "removed 1 cell from your picture",
    },
  );
  assert.deepEqual(stroke(state, [[2, 1]], true), { changes: null, words: "" });
  assert.deepEqual([isPaintedAt(state, state.detail, [2, 1])], [true]);
  assert.deepEqual([isPaintedAt(state, state.detail, [1, 1])], [false]);
  const many = Array.from({ length: 3001 }, (_, query) => /** @type {Place} */ ([query, 0]));
  const refused = stroke(state, many, true);
  assert.equal(refused.changes, null);
  assert.match(refused.words, /at most 3,000 cells/);
});

test("its brush ranks the heads by it; a quiz has neither", () => {
  const state = stateOf({ brush: null, find: null });
  assert.deepEqual(brushFor(state, "picture"), { brush: "picture", find: "picture" });
  assert.deepEqual(brushFor(state, "head"), { brush: "head" });
  assert.equal(brushOf(stateOf()), "picture");
  assert.equal(brushOf(stateOf({ quiz: true })), null);
  assert.equal(brushOf(stateOf({ quiz: true, brush: "head" })), "head");
  const quiet = hushed(stateOf({ picture: [[2, 1]], quiz: true }));
  assert.deepEqual([quiet.find, quiet.picture], [null, []]);
});
