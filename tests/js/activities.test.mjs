import assert from "node:assert/strict";
import test from "node:test";
import { suspectsIn } from "../../static/js/live/activities/compose/detective.js";
import { gamesIn } from "../../static/js/live/activities/compose/hunt.js";
import {
  drawable,
  patternOf,
  projected,
  quizOf,
} from "../../static/js/live/activities/compose/projected.js";
import { muting } from "../../static/js/live/activities/measured.js";
import {
  cellAfter,
  differenceColour,
  nextLevel,
  thumbOf,
  weightColour,
} from "../../static/js/live/activities/patterns.js";
import { FINDS } from "../../static/js/state/finds.js";
import { fromQuery } from "../../static/js/state/url.js";
import { bloom, scratch, shipped } from "./models.mjs";

const models = /** @type {any} */ ([shipped, scratch, bloom]);
const select = (query) => projected(query, async () => models);

test("arrow keys go through the open cells and stop at the edges", () => {
  const [causal, whole] = [true, false].map((causal) => ({ n: 3, causal }));
  assert.deepEqual(cellAfter([1, 1], "ArrowRight", causal), [1, 1]);
  assert.deepEqual(cellAfter([1, 1], "ArrowRight", whole), [1, 2]);
  assert.deepEqual(cellAfter([2, 2], "ArrowUp", causal), [2, 2], "it is blocked there");
  assert.deepEqual(cellAfter([0, 0], "ArrowUp", whole), [0, 0]);
  assert.deepEqual(cellAfter([2, 0], "End", causal), [2, 2]);
  assert.equal(cellAfter([0, 0], "m", whole), null);
});

test("three taps fill a cell, and the fourth empties it", () => {
  assert.deepEqual([0, 1, 2, 3].map(nextLevel), [1, 2, 3, 0]);
});

test("colours lie between the tokens of the scale, and the ends are the ends", () => {
  const { from, to, share } = weightColour(0.3);
  assert.deepEqual([from, to, share.toFixed(2)], ["--seq-1", "--seq-2", "0.50"]);
  assert.deepEqual(weightColour(1), { from: "--seq-4", to: "--seq-5", share: 1, depth: "deep" });
  assert.equal(weightColour(-0.01).share, 0);
  const low = differenceColour(-0.75);
  assert.deepEqual([low.from, low.to, low.share], ["--div-low-1", "--div-low-2", 0.5]);
  assert.equal(differenceColour(0).from, "--div-zero");
});

test("a thumbnail has at most 24 cells a side, and a single strong cell stays", () => {
  const data = new Float32Array(60 * 50);
  data[59 * 50 + 49] = 1;
  const thumb = thumbOf({ rows: 60, cols: 50, data });
  assert.deepEqual([thumb.length, thumb[0].length, thumb[23][23]], [24, 24, 255]);
  assert.deepEqual(thumbOf({ rows: 1, cols: 2, data: new Uint8Array([7, 255]) }), [[7, 255]]);
});

/** A model that predicts 0.6, or 0.1 once head 2 of layer 1 is muted, as the API answers. */
function model() {
  const asked = [];
  const ask = async (request) => {
    asked.push(request);
    const isMuted = request.muted.some(([layer, head]) => layer === 1 && head === 2);
    const listed = [
      { id: 7, text: " mat", probability: isMuted ? 0.1 : 0.6 },
      { id: 9, text: " rug", probability: 0.3 },
    ];
    listed.sort((a, b) => b.probability - a.probability);
    const { tokens } = request.predict;
    const predictions = [listed.filter(({ id }, index) => index === 0 || tokens.includes(id))];
    return { trace: { tokens: [[]], predictions, predicted_at: [4] } };
  };
  return { ask, asked };
}

test("the effect of a head is that of the same token with it and without it", async () => {
  const { ask, asked } = model();
  const found = await muting(await select("text=a&layer=1&head=2&query=4&temperature=3"), ask);
  assert.deepEqual(found, { token: "mat", position: 4, before: 0.6, after: 0.1 });
  assert.ok(asked.every(({ predict }) => predict.temperature === 1 && predict.position === 4));
});

test("of a head that is muted already, the effect is the same", async () => {
  const { ask } = model();
  const { before, after } = await muting(await select("text=a&layer=1&head=2&muted=1.2"), ask);
  assert.deepEqual([before, after], [0.6, 0.1]);
});

test("a watched token is the one that is measured", async () => {
  const { ask } = model();
  const found = await muting(await select("text=a&layer=1&head=2&token=9"), ask);
  assert.deepEqual([found.token, found.before, found.after], ["rug", 0.3, 0.3]);
});

test("heads that cannot be muted have no effect, and the reader is told so", async () => {
  await assert.rejects(muting(await select("model=bloom&text=a")), /cannot be muted/);
});

test("a question needs a projector that shows something, of a model that is loaded", async () => {
  await assert.rejects(select(""), /projector/);
  const loading = [{ ...shipped, state: "loading", sites: null }];
  await assert.rejects(
    projected("text=a", async () => /** @type {any} */ (loading)),
    /not loaded/,
  );
});

test("a question's state is a sealed quiz without the button that reveals it", async () => {
  const query = quizOf(await select("text=the+cat&layer=1&head=2&muted=0.3"));
  assert.match(query, /^quiz=/);
  const opened = fromQuery(`?${query}`, models, { texts: [], layer: 0, head: 0, query: null }, 4);
  const { quiz, closed, layer, head, muted, texts } = opened;
  assert.deepEqual([quiz, closed, layer, head, muted], [true, true, 1, 2, [[0, 3]]]);
  assert.deepEqual(texts, ["the cat"]);
});

test("a state that is too long is refused, not cut", async () => {
  const selection = await select(`text=${"a".repeat(4000)}`);
  assert.throws(() => quizOf(selection), /too long/);
});

const names = (n) => Array.from({ length: n }, (_, index) => `t${index}`);

test("of a causal model the first eight tokens are drawn, of another one all or none", () => {
  const causal = (query, key) => key > query;
  const weight = (query, key) => (key <= query ? 1 / (query + 1) : 0);
  const drawn = drawable(names(11), weight, causal);
  assert.deepEqual([drawn.tokens, drawn.causal, drawn.truth.length], [names(8), true, 8]);
  for (const row of drawn.truth)
    assert.ok(
      Math.abs(row.reduce((sum, each) => sum + each, 0) - 1) < 1e-9,
      "no weight is cut off",
    );
  const open = () => false;
  assert.equal(drawable(names(8), weight, open).causal, false);
  assert.throws(() => drawable(names(9), weight, open), /at most 8/);
  assert.throws(() => drawable(names(1), weight, causal), /at least 2/);
});

test("the truth of a drawing is the pattern of the selected head and text, without padding", async () => {
  const token = (text, padding = false) => ({ text, padding, special: false });
  const ask = async ({ select: { layers, heads } }) => {
    assert.deepEqual([layers, heads], [[1], [2]]);
    const first = [9, 9, 9, 9, 9, 9, 9, 9, 9];
    const data = new Float32Array([...first, 1, 0, 0, 0.25, 0.75, 0, 0, 0, 1]);
    const blocked = new Uint8Array([...first, 0, 1, 1, 0, 0, 1, 0, 0, 0]);
    const shape = [2, 1, 3, 3];
    return {
      trace: {
        tokens: [[], [token("the"), token(" cat"), token("[PAD]", true)]],
        sites: [{ name: "layers.1", query_tokens: "tokens", key_tokens: "tokens" }],
      },
      tensors: new Map([
        ["layers.1.pattern", { shape, data }],
        ["layers.1.blocked_by", { shape, data: blocked }],
      ]),
    };
  };
  const selection = await select("text=x&text=the+cat&shown=1&layer=1&head=2");
  assert.deepEqual(await patternOf(selection, ask), {
    tokens: ["the", "cat"],
    causal: true,
    truth: [
      [1, 0],
      [0.25, 0.75],
    ],
  });
});

test("what can be hunted is what labels a few heads, not most of them", () => {
  const none = Object.fromEntries(FINDS.map(({ metric }) => [metric, { value: 0, over: 9 }]));
  const head = (layer, head, metric) => ({
    layer,
    head,
    scores: { ...none, copying: { value: 1, over: 9 }, [metric]: { value: 0.9, over: 9 } },
  });
  const heads = [
    head(0, 0, "first_token"),
    head(0, 1, "first_token"),
    head(0, 2, "first_token"),
    head(1, 0, "previous_token"),
    head(1, 1, "induction"),
  ];
  assert.deepEqual(
    gamesIn(/** @type {any} */ (heads)).map((game) => [game.metric, game.heads]),
    [
      ["previous_token", [[1, 0]]],
      ["induction", [[1, 1]]],
    ],
  );
});

test("each suspect of mask detective makes another mechanism from the same text", async () => {
  const selection = await select("model=scratch&text=the+cat+sat");
  const suspects = suspectsIn(selection);
  assert.ok(suspects.length >= 4 && suspects.length <= 8);
  const made = suspects.map(({ made }) => quizOf(made()));
  assert.equal(new Set([quizOf(selection), ...made]).size, made.length + 1);
});
