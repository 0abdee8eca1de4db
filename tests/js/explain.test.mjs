import assert from "node:assert/strict";
import test from "node:test";
import { mutingRequest } from "../../static/js/asking/requests.js";
import { spelledIn } from "../../static/js/numbers/explain/spelling.js";
import { factor, probability, share } from "../../static/js/panels/explain/rounding.js";
import { explained } from "../../static/js/panels/explain/sentences.js";
import { spellingOf } from "../../static/js/panels/explain/spelling.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { asked, listed, selected } from "./explaining.mjs";
import { shipped } from "./models.mjs";

/** @param {object} [more] @param {object} [site] @param {object} [numbers] */
const said = (more, site, numbers) =>
  explained(selected(more, site, numbers), null).sentences.map(({ text }) => text);

/** @param {[number, number][]} cells that are blocked, with their bits */
const blockedAt = (...cells) => {
  const blocked = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0]);
  for (const [query, key, bits] of cells) blocked[query][key] = bits;
  return { blocked };
};

test("a row is its strongest key, by its score and what softmax makes of it", () => {
  assert.deepEqual(said({ query: 2 }), [
    "In this head, “keys” gives 99.2% of its attention to “[BOS]”.",
    "The score, 7.1, beats the next, “The”, by 5.0, and softmax turns that into 148 times the weight.",
    "2 later tokens are hidden by the causal mask.",
  ]);
  assert.deepEqual(said({ query: 3 }).slice(0, 2), [
    "In this head, “to” gives 64% of its attention to “keys”.",
    "The score, 3.0, beats the next, “to”, by 1.0, and softmax turns that into 2.7 times the weight.",
  ]);
});

test("a chosen cell is told, and where the row looks most", () => {
  assert.deepEqual(said({ query: 3, key: 3 }).slice(0, 2), [
    "In this head, “to” gives 24% of its attention to itself.",
    "It looks most at “keys”, with 64%.",
  ]);
  assert.deepEqual(said({ query: 3, key: 4 }).slice(0, 2), [
    "“to” cannot look at “the”, which is hidden by the causal mask.",
    "It looks most at “keys”, with 64%.",
  ]);
  assert.deepEqual(
    explained(selected({ query: 3 }), [2, 0]).sentences[0].text,
    "In this head, “keys” gives 99.2% of its attention to “[BOS]”.", // the cell under the pointer comes first
  );
  assert.equal(said({ query: 3, key: 99 })[0].endsWith("“keys”."), true); // a key of a longer text
});

test("a row without a favourite says so", () => {
  assert.equal(
    said({ query: 4 })[0],
    "In this head, “the” spreads its attention over 5 tokens; the strongest, “[BOS]”, gets 24%.",
  );
  assert.equal(
    said({ query: 1 })[0],
    "In this head, “The” gives each of the 2 tokens that it can see the same weight, 50%.",
  );
  assert.deepEqual(said({ query: 0 }), [
    "“[BOS]” can only look at itself, and gives itself 100% of its attention.",
    "4 later tokens are hidden by the causal mask.",
  ]);
});

test("masks are counted by the reason that is drawn, and a row without a key has no distribution", () => {
  const cells = blockedAt([3, 0, 8], [3, 4, 3], [3, 1, 4]);
  assert.deepEqual(said({ query: 3 }, {}, cells).slice(2), [
    "1 token is hidden by your painted mask.",
    "1 token is hidden by the window.",
    "1 later token is hidden by the padding mask.",
  ]);
  const both = { query: 3, key: 4 };
  assert.match(said(both, {}, cells)[0], /hidden by the padding mask and the causal mask\.$/);
  const all = blockedAt(...[0, 1, 2, 3, 4].map((key) => [3, key, 8]));
  assert.deepEqual(said({ query: 3 }, {}, all), [
    "Everything is hidden from “to”, so it gives no attention and takes nothing from this head.",
  ]);
});

test("a token whose label occurs twice has its number", () => {
  const state = selected({ query: 3 });
  state.detail.trace.tokens[0][4].text = " keys";
  assert.match(explained(state, null).sentences[0].text, /attention to “keys” \(token 2\)\.$/);
});

test("what is left over goes to the sink, or is lost", () => {
  const half = selected({ query: 3 }, { sink: [0.5] });
  const { data } = half.detail.tensors.get("layers.1.pattern");
  data.forEach((value, at) => {
    data[at] = value / 2;
  });
  assert.ok(
    explained(half, null).sentences.some(
      ({ text }) => text === "50% of its attention goes to the sink, which is not a token.",
    ),
  );
  half.detail.trace.sites[0].sink = null;
  half.detail.trace.sites[0].mask_applied = "after";
  assert.ok(
    explained(half, null).sentences.some(({ text }) =>
      text.includes("so 50% of its attention is lost"),
    ),
  );
});

test("where softmax runs over queries a cell is told among those of its column", () => {
  assert.deepEqual(said({ query: 3, key: 2 }, { softmax_over: "query" }, blockedAt()).slice(0, 2), [
    "In this head, the attention to “keys” is shared out among the tokens that look at it: “to” has 82% of it.",
    "The score, 3.0, beats the next, “the”, by 2.7, and softmax turns that into 15 times the weight.",
  ]);
});

const next = asked({
  predictions: [[listed(9, " are", 0.378), listed(8, " is", 0.2)]],
  predicted_at: [3],
});
const muting = asked({ predictions: [[listed(7, "x", 0.5), listed(9, " are", 0.385)]] });
const effect = (layer, head, change) => ({ kind: "self", layer, head, change, reason: null });
const effects = (...found) =>
  asked({
    mute_effects: [
      { position: 3, token: { id: 9, text: " are", probability: 0.378 }, effects: found },
    ],
  });
const moves = (more) =>
  said({ query: 3, next, muting, ...more }).filter((text) => /“are”/.test(text));

test("the prediction of the row, and what muting the head would do to it", () => {
  assert.deepEqual(moves(), ["Muting this head moves “are” from 37.8% to 38.5%."]);
  assert.deepEqual(
    moves({ muted: [[1, 2]] })[0],
    "Unmuting this head moves “are” from 37.8% to 38.5%.",
  );
  assert.deepEqual(moves({ muting: { ...muting, status: "loading" } }), [
    "This row predicts what follows “to”: “are”, 37.8%.", // the answer is to something else
  ]);
  assert.deepEqual(moves({ query: 2 }), ["Muting this head moves “are” from 37.8% to 38.5%."]);
  assert.deepEqual(moves({ models: [{ ...shipped, lacks: "it asks for alibi" }] }).length, 1);
});

test("other heads are told only from their computed effects", () => {
  const right = "effects";
  const two = effects(effect(1, 2, -0.01), effect(0, 4, -1.2));
  assert.equal(moves({ effects: two }).length, 1); // the list is closed: the effects may be old
  assert.equal(
    moves({ effects: two, right })[1],
    "Other heads matter, too: without layer 0 head 4, “are” is at 11.4%.",
  );
  assert.equal(
    moves({ effects: effects(effect(1, 2, -0.5), effect(0, 4, 1.2)), right })[1],
    "No other single head helps “are” more.",
  );
  // of the others there are only estimates
  const some = effects(effect(1, 2, -0.5), effect(0, 4, -0.1), {
    ...effect(0, 5, null),
    estimate: -0.7,
  });
  assert.equal(
    moves({ effects: some, right })[1],
    "Of the 2 heads, of 3, that were tried, none helps “are” more.",
  );
  assert.equal(moves({ effects: effects(effect(0, 4, 1.2)), right }).length, 1);
  assert.equal(moves({ effects: two, right, temperature: 2 }).length, 1);
  const which = (more) => explained(selected({ query: 3, next, muting, ...more }), null).which;
  assert.deepEqual([which({}), which({ right }), which({ muted: [[1, 2]] })], [true, false, false]);
});

test("what the reader's changes did is told of the token that was the likeliest before", () => {
  const rows = [listed(8, " is", 0.4, 0.1), listed(9, " are", 0.241, 0.378)];
  const edited = asked({ predictions: [rows], predicted_at: [3] });
  assert.equal(moves({ next: edited })[0], "Your changes moved “are” from 37.8% to 24.1%.");
  const told = said({ query: 3, next: edited, token: 8 });
  assert.ok(told.includes("Your changes moved “is” from 10.0% to 40.0%."));
});

test("what the reader's changes did is told once", () => {
  const edited = asked({ predictions: [[listed(9, " are", 0.241, 0.378)]], predicted_at: [3] });
  const told = "Your changes moved “are” from 37.8% to 24.1%.";
  const back = asked({ predictions: [[listed(9, " are", 0.378)]] });
  const of = (more) => moves({ next: edited, muting: back, ...more });
  assert.deepEqual(of({ muted: [[1, 2]] }), [told]); // to unmute is the same in reverse
  const masks = { ...OWN_MASKS, window: 2 };
  assert.deepEqual(of({ muted: [[1, 2]], masks }), [
    told,
    "Unmuting this head moves “are” from 24.1% to 37.8%.",
  ]);
});

const OPEN = { query: 3, view: "heatmap", units: "pieces", depth: "full", pinned: [] };
test("what the picture leaves out is told, with the share of the row that it gets", () => {
  const told = (/** @type {object} */ more) => said({ ...OPEN, ...more })[0];
  assert.match(
    told({ specials: "hidden" }),
    /^Special tokens, which get .*% of this row, are hidden\.$/,
  );
  assert.match(
    told({ specials: "renormalised" }),
    /hidden; the rest of it is scaled to sum to 1\.$/,
  );
  assert.doesNotMatch(told({ specials: "hidden", view: "lines" }), /hidden/);
  assert.doesNotMatch(told({ specials: "hidden", matrix: "scores" }), /hidden/);
});

test("the ways on: to the arithmetic of the cell, and to the row that predicts its token", () => {
  const { why, before } = explained(selected({ query: 3, next }), null);
  assert.deepEqual(why, [3, 2]);
  assert.deepEqual([before.row, before.token.label], [2, "to"]);
  assert.equal(explained(selected({ query: 0 }), null).before, null);
  const fills = { models: [{ ...shipped, predicts: "fill" }] };
  assert.equal(explained(selected({ query: 3, ...fills }), null).before, null);
  assert.match(said({ query: 3, next, ...fills }).at(-1), /^This row predicts the token at “to”/);
  const classes = { models: [{ ...shipped, predicts: "class" }] };
  assert.equal(explained(selected({ query: 3, ...classes }), null).before, null);
  assert.match(
    said({ query: 3, next, ...classes }).at(-1),
    /^The class of the text is read at “to”/,
  );
  const lacks = { models: [{ ...shipped, lacks: "it asks for alibi", tensors: ["pattern"] }] };
  assert.equal(explained(selected({ query: 3, ...lacks }), null).why, null);
});

test("muting asks for the watched token alone, and unmutes a head that is muted", () => {
  const state = selected({ next, token: 8, top_k: 10, top_p: 1, query: 3 });
  const { muted, select, predict } = mutingRequest(state, shipped, true);
  assert.deepEqual([muted, select], [[[1, 2]], { layers: [] }]);
  assert.deepEqual([predict.tokens, predict.position], [[8], 3]);
  assert.deepEqual(mutingRequest({ ...state, muted: [[1, 2]] }, shipped, true).muted, []);
  assert.equal(mutingRequest(state, shipped, false), null);
  assert.equal(mutingRequest({ ...state, next: null }, shipped, true), null);
  assert.equal(mutingRequest(state, { ...shipped, lacks: "it asks for alibi" }, true), null);
});

/** @param {[text: string, start: number, end: number, more?: object][]} parts */
const tokens = (...parts) =>
  parts.map(([text, start, end, more], id) => ({
    id,
    text,
    start,
    end,
    special: false,
    padding: false,
    segment: 0,
    generated: false,
    piece: null,
    ...more,
  }));

test("a word is spelled if the model has only its letters or bytes", () => {
  const kaffee = tokens(
    ["[BOS]", 0, 0, { special: true }],
    ["D", 0, 1],
    ["er", 1, 3],
    [" K", 3, 5],
    ["a", 5, 6],
    ["ff", 6, 8],
    ["ee", 8, 10],
    ["pot", 10, 13],
  );
  assert.deepEqual(spelledIn("Der Kaffee", kaffee.slice(0, 7)), [
    { word: "Kaffee", unknown: false, places: [3, 4, 5, 6] },
  ]);
  assert.deepEqual(
    spelledIn("unbelievable", tokens(["un", 0, 2], ["believ", 2, 8], ["able", 8, 12])),
    [],
  );
  const bytes = tokens([" 茶", 0, 2], ["", 2, 2], ["", 2, 2], [".", 2, 3]);
  assert.deepEqual(spelledIn(" 茶.", bytes), [{ word: "茶", unknown: false, places: [0, 1, 2] }]);
  const run = tokens(["虽然", 0, 2], ["小明", 2, 4], ["很", 4, 5], ["累", 5, 6]);
  assert.deepEqual(spelledIn("虽然小明很累", run), [], "words without blanks");
  const zebra = tokens(["a", 0, 1], ["zebra", 2, 7]);
  assert.deepEqual(spelledIn("a zebra", zebra, { unknownId: 1 }), [
    { word: "zebra", unknown: true, places: [1] },
  ]);
  assert.deepEqual(spelledIn("a zebra", zebra), []);
});

test("what the model was trained on comes from its description", () => {
  const state = selected({ texts: ["Kaffee"] });
  const letters = [..."Kaff"].map((text, at) => ({
    ...state.detail.trace.tokens[0][1],
    text,
    start: at,
    end: at + 1,
  }));
  state.detail.trace.tokens[0].splice(1, 4, ...letters);
  const last = (models) =>
    explained({ ...state, models }, null).sentences.find(({ text }) => /Kaffee/.test(text))?.text;
  assert.equal(
    last([{ ...shipped, trained_on: null }]),
    "The model splits “Kaffee” into 4 pieces.",
  );
  assert.equal(
    last([{ ...shipped, trained_on: "a small grammar" }]),
    "This model was trained on a small grammar; it splits “Kaffee” into 4 pieces.",
  );
  assert.equal(last([{ ...shipped, predicts: null, mechanisms: [] }]), undefined);
  assert.equal(
    last([{ ...shipped, unknown_id: 1 }]), // of a token of this word
    "The model does not know “Kaffee”: it reads its token for unknown words instead.",
  );
});

test("of several words that the model splits, three are named, the selected one first", () => {
  /** @param {string} text @param {number} query @param {object} [model] */
  const spelled = (text, query, model) => {
    const state = selected({ texts: [text], models: [{ ...shipped, trained_on: null, ...model }] });
    const [site] = state.detail.trace.sites;
    const letter = {
      id: 1,
      special: false,
      padding: false,
      generated: false,
      segment: 0,
      piece: null,
    };
    const tokens = [...text].map((text, at) => ({ ...letter, text, start: at, end: at + 1 }));
    const detail = { site, text: 0, queries: tokens, keys: tokens };
    return spellingOf(state, /** @type {any} */ (detail), query, null).map(({ text }) => text);
  };
  assert.deepEqual(spelled("Hund Katze Maus Hund", 6), [
    "The model splits “Katze”, “Hund” and “Maus” into pieces.",
  ]);
  const four = "Hund Katze Maus Vogel";
  assert.deepEqual(spelled(four, 0, { trained_on: "a small grammar" }), [
    "This model was trained on a small grammar; it splits “Hund”, “Katze”, “Maus” and 1 more word into pieces.",
  ]);
  assert.deepEqual(spelled(`${four} Fisch`, 0, { unknown_id: 1 }), [
    "The model does not know “Hund”, “Katze”, “Maus” and 2 more words: for each it reads its token for unknown words instead.",
  ]);
  assert.deepEqual(spelled("Hund", 0), ["The model splits “Hund” into 4 pieces."]);
});

test("rounding makes no share 0% or 100% that is not", () => {
  assert.deepEqual(
    [0, 0.0004, 0.0005, 0.0421, 0.0996, 0.5, 0.9899, 0.9899999, 0.9912, 0.9996, 1].map(share),
    [
      "0%",
      "less than 0.1%",
      "0.1%",
      "4.2%",
      "10%",
      "50%",
      "99%",
      "99%",
      "99.1%",
      "more than 99.9%",
      "100%",
    ],
  );
  assert.deepEqual([0.0004, 0.3784, 1].map(probability), ["less than 0.1%", "37.8%", "100.0%"]);
  assert.deepEqual([1.26, 9.96, 146.4, 12_345, 4e7, Number.POSITIVE_INFINITY].map(factor), [
    "1.3",
    "10",
    "146",
    "12,000",
    "more than a million",
    "more than a million",
  ]);
});
