import assert from "node:assert/strict";
import test from "node:test";
import {
  FEW,
  jumpTo,
  marksOf,
  nearest,
  placed,
  ROLES,
  rolesOf,
  selectedIn,
  spaceIn,
} from "../../../static/js/panels/space/plane.js";
import { spaceRequest } from "../../../static/js/panels/space/request.js";
import { honest, inWords, ROLES as NAMES } from "../../../static/js/panels/space/words.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { shipped, t5 } from "../models.mjs";

/** @param {"query" | "key"} side @param {number} position @param {number} x @param {number} y @param {object} [more] */
const point = (side, position, x, y, more = {}) => ({
  side,
  text: 0,
  position,
  token: ` w${position}`,
  special: false,
  x,
  y,
  norm: 1,
  ...more,
});
const points = [
  point("query", 1, 0, 0),
  point("query", 2, 4, 2),
  point("key", 1, 4, 0),
  point("key", 2, 1, 1, { text: 1, token: " w1" }),
];
const found = {
  site: "self.1",
  layer: 1,
  head: 2,
  d_head: 16,
  matched: 1,
  shares: [0.3, 0.15],
  correlation: 0.614,
  n_pairs: 1234,
  method: "pca",
  methods: ["pca", "tsne"],
  sentences: null,
  points,
};
const everyday = { ...found, sentences: ["One day.", "Two days."] };
/** @param {object} [more] */
const stateOf = (more = {}) =>
  /** @type {any} */ ({
    model: "shipped",
    models: [shipped],
    texts: ["a b"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [[0, 1]],
    kind: "self",
    layer: 1,
    head: 2,
    shown: 0,
    query: 2,
    space_of: "text",
    space_plane: "pca",
    space: { answer: { trace: { space: found } } },
    ...more,
  });

test("one head is asked for, over the text or over everyday sentences", () => {
  const asked = (/** @type {object} */ more, model = shipped) =>
    /** @type {any} */ (spaceRequest(stateOf(more), /** @type {any} */ (model))).analyse.space;
  assert.deepEqual(asked({}), { layer: 1, head: 2 });
  assert.deepEqual(asked({ space_of: "everyday" }), { layer: 1, head: 2, everyday: 40 });
  assert.deepEqual(asked({ kind: "cross" }, t5), { layer: 1, head: 2, kind: "cross" });
});

test("an answer is shown for the head and the sentences that it is of", () => {
  assert.equal(spaceIn(stateOf()), found);
  for (const more of [{ layer: 2 }, { head: 1 }, { space_of: "everyday" }, { space: null }])
    assert.equal(spaceIn(stateOf(more)), null);
  const space = { answer: { trace: { space: everyday } } };
  assert.equal(spaceIn(stateOf({ space })), null);
  assert.equal(spaceIn(stateOf({ space, space_of: "everyday" })), everyday);
});

test("both axes have one scale, and y points up", () => {
  const places = placed(points, { width: 228, height: 100 });
  const [first, second, third] = places;
  const fine = third.x - first.x;
  assert.ok(Math.abs((second.x - first.x) / 4 - (first.y - second.y) / 2) < 1e-9);
  assert.ok(fine > 0 && second.y < first.y);
  for (const { x, y } of places) assert.ok(x >= 14 && x <= 214 && y >= 14 && y <= 86);
  assert.equal(nearest(places, { x: third.x + 3, y: third.y }), 2);
  assert.equal(nearest(places, { x: -100, y: 0 }), null);
  const [alone] = placed([points[0]], { width: 100, height: 100 });
  assert.deepEqual(alone, { x: 50, y: 50 });
});

test("the selected query has lines to what it attends to, and lies on top", () => {
  const places = placed(points, { width: 200, height: 100 });
  const colours = {
    categories: ["red", "blue"],
    sequential: new Uint8ClampedArray(1024),
    accent: "orange",
    paper: { ink: "black", faint: "grey", line: "", panel: "", font: "" },
  };
  const of = (/** @type {object} */ more) =>
    marksOf(
      found,
      places,
      /** @type {any} */ ({ by: "side", meant: 1, weights: null, colours, ...more }),
    );
  assert.equal(selectedIn(stateOf(), found), 1);
  const weights = [0.5, 0.5, 0.4];
  const lines = of({ weights }).filter((mark) => "stroke" in mark && mark.stroke === "orange");
  assert.equal(lines.length, 1); // the key of the other text is none of its own
  assert.equal(/** @type {any} */ (lines[0]).line, 1.5);
  const marks = of({});
  assert.equal(/** @type {any} */ (marks.at(-1)).stroke, "red");
  assert.deepEqual(
    marks.filter(({ mark }) => mark === "text").map((mark) => /** @type {any} */ (mark).text),
    ["w1", "w2", "w1", "w1"],
  );
  const like = of({ by: "token", meant: 0 }).filter(({ mark }) => mark === "path");
  assert.deepEqual(
    like.map((mark) => /** @type {any} */ (mark).opacity),
    [0.25, 0.9, 0.9, 0.9], // the token of the first point is that of two others; it comes last
  );
  const many = Array.from({ length: FEW + 1 }, (_, at) => point("key", at, at, 0));
  const dots = marksOf({ ...found, points: many }, placed(many, { width: 99, height: 99 }), {
    by: "position",
    meant: null,
    weights: null,
    colours,
  });
  assert.equal(dots.length, many.length);
});

test("a point leads to its token, or to its sentence without edits", () => {
  assert.deepEqual(jumpTo(stateOf(), found, 1), { shown: 0, query: 2 });
  assert.deepEqual(jumpTo(stateOf(), found, 3), { shown: 1, key: 2 });
  const opened = jumpTo(stateOf(), everyday, 3);
  assert.deepEqual(
    [opened.texts, opened.query, opened.key, opened.muted, opened.interventions, opened.shown],
    [["Two days."], 2, 2, [], [], 0],
  );
  assert.equal(selectedIn(stateOf(), everyday), null);
});

test("the panel says how much of the truth it has", () => {
  assert.match(honest(found), /45\.0% of the variance.*1,234 pairs.*correlation of 0\.61/);
  assert.doesNotMatch(honest({ ...found, correlation: null }), /correlation/);
  assert.equal(inWords(found, points[1]), "Query of “w2”, token 2 of text 1");
  assert.equal(inWords(everyday, points[3]), "Key of “w1”, in “Two days.”");
});

/** @param {[token: string, special?: boolean][]} tokens @returns {any[]} */
const written = (tokens, text = 0) =>
  tokens.map(([token, special = false], position) => ({ token, special, text, position }));

test("each token has a role", () => {
  const found = rolesOf(
    written([["[BOS]", true], ["Mary"], [" un"], ["told"], [" 12"], ["."], [" (a"], [" ..."]]),
  );
  assert.deepEqual(found, [
    "special",
    "begins",
    "begins",
    "within",
    "number",
    "sign",
    "begins",
    "sign",
  ]);
});

test("pieces that are marked as such are within words, and others begin them", () => {
  const found = rolesOf(written([["[CLS]", true], ["mary"], ["un"], ["##told"]]));
  assert.deepEqual(found, ["special", "begins", "begins", "within"]);
});

test("each text has a first word", () => {
  const found = rolesOf([...written([["Mary"], [" saw"]]), ...written([["John"], ["ny"]], 1)]);
  assert.deepEqual(found, ["begins", "begins", "begins", "within"]);
});

test("all roles have words, and t-SNE claims no variance", () => {
  for (const role of ROLES) assert.ok(NAMES[role]);
  const said = honest(/** @type {any} */ ({ shares: null, correlation: 0.5, n_pairs: 10 }));
  assert.match(said, /^t-SNE keeps neighbours together; .* 0\.50/);
  assert.doesNotMatch(said, /variance/);
});

test("another plane is asked for, and an answer of one is not that of the other", () => {
  const state = stateOf({ space_plane: "tsne" });
  const request = /** @type {any} */ (spaceRequest(state, shipped));
  assert.deepEqual(request.analyse.space, { layer: 1, head: 2, method: "tsne" });
  assert.equal(spaceIn(state), null);
  const other = { ...found, method: "tsne" };
  assert.equal(
    spaceIn(stateOf({ space_plane: "tsne", space: { answer: { trace: { space: other } } } })),
    other,
  );
});
