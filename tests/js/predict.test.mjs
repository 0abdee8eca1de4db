import assert from "node:assert/strict";
import test from "node:test";
import { edited, nextRequest } from "../../static/js/asking/requests.js";
import { listedOf } from "../../static/js/numbers/predicted.js";
import {
  points,
  rowsOf,
  stepOf,
  TEMPERATURE_STEPS,
  temperatureAt,
} from "../../static/js/panels/predict/rows.js";
import { around, exact, spellings, spotOf } from "../../static/js/panels/predict/spelling.js";
import { held } from "../../static/js/panels/predict/words.js";
import { OWN_MASKS as OWN } from "../../static/js/state/masks.js";
import { bert, shipped, t5 } from "./models.mjs";

const state = {
  model: "shipped",
  texts: ["a"],
  targets: ["x"],
  pairs: null,
  masks: OWN,
  muted: [],
  kind: "self",
  query: 3,
  right: "next",
  token: null,
  temperature: 1,
  top_k: 10,
  top_p: 1,
};

const said = (
  /** @type {number} */ id,
  /** @type {number} */ probability,
  /** @type {number | null} */ unedited = null,
) => ({ id, text: `w${id}`, probability, unedited, special: false });

test("predictions are asked for of a model that predicts, and of a watched token", () => {
  assert.deepEqual(nextRequest(state, shipped)?.predict, {
    top_k: 10,
    temperature: 1,
    top_p: null,
    position: 3,
    tokens: [],
    unedited: false,
  });
  assert.deepEqual(nextRequest(state, shipped)?.select, { layers: [] });
  const turned = { ...state, token: 7, muted: [[0, 1]] };
  const listed = ({ right }) => nextRequest({ ...turned, right }, shipped)?.predict;
  assert.deepEqual([listed(state).tokens, listed(state).unedited], [[7], true]);
  const hidden = listed({ right: "lens" });
  assert.deepEqual([hidden.tokens, hidden.unedited], [[7], true]); // for the strip
  assert.equal(nextRequest(state, { ...shipped, predicts: null }), null);
  const source = { ...state, kind: "encoder" };
  assert.equal(nextRequest(source, t5)?.predict.position, null);
});

test("settings, the watched token and edits go with the request", () => {
  const turned = { ...state, temperature: 0.5, top_k: 3, top_p: 0.9, token: 7, muted: [[0, 1]] };
  assert.deepEqual(nextRequest(turned, shipped)?.predict, {
    top_k: 3,
    temperature: 0.5,
    top_p: 0.9,
    position: 3,
    tokens: [7],
    unedited: true,
  });
});

test("the side of the padding is not an edit; every mask and mute is one", () => {
  const now = (/** @type {object} */ masks) => edited({ masks: { ...OWN, ...masks }, muted: [] });
  assert.equal(now({ padding_side: "left" }), false);
  for (const masks of [
    { causal: true },
    { causal: false },
    { padding: false },
    { window: 2 },
    { blocked: [{}] },
    { allowed: [{}] },
  ]) {
    assert.equal(now(masks), true, JSON.stringify(masks));
  }
  assert.equal(edited({ masks: OWN, muted: [[0, 1]] }), true);
});

test("a row has the part of the bar that both runs have, and how far it moved", () => {
  const [up, down, still] = rowsOf([said(1, 0.5, 0.2), said(2, 0.1, 0.4), said(3, 0.1)], 2);
  assert.deepEqual([up.shared, up.longer, up.other], [0.2, 0.5, false]);
  assert.ok(Math.abs((up.change ?? 0) - 0.3) < 1e-12);
  assert.deepEqual([down.shared, down.longer], [0.1, 0.4]);
  assert.ok(Math.abs((down.change ?? 0) + 0.3) < 1e-12);
  assert.deepEqual([still.change, still.shared, still.longer, still.other], [null, 0.1, 0.1, true]);
});

test("what is listed for comparison does not count in the sum", () => {
  const all = [said(1, 0.5), said(2, 0.25), said(3, 0.125)];
  assert.equal(listedOf(all, 2, undefined), 2);
  assert.equal(listedOf(all, 10, undefined), 3);
  assert.equal(listedOf(all, 10, { tokens: 1, share: 0.5 }), 1);
  assert.equal(held(all.slice(0, 2), undefined), "These 2 add up to 75.0%.");
  assert.equal(held(all.slice(0, 1), undefined), "This one has 50.0%.");
  assert.equal(
    held(all, { tokens: 3, share: 0.875 }),
    "These 3 add up to 87.5%, which is the whole nucleus.",
  );
  assert.equal(
    held(all.slice(0, 2), { tokens: 1234, share: 0.9 }),
    "These 2 add up to 75.0%; all 1,234 of the nucleus add up to 90.0%.",
  );
});

test("a change in percentage points is signed and never rounded to none", () => {
  assert.deepEqual([0.123, -0.004, 0.0001, -0.0001, 0].map(points), [
    "+12.3",
    "−0.4",
    "+<0.1",
    "−<0.1",
    "0",
  ]);
});

test("the temperature's slider goes in equal factors, through 1, and back", () => {
  const { min, max } = TEMPERATURE_STEPS;
  assert.deepEqual([temperatureAt(min), temperatureAt(0), temperatureAt(max)], [0.05, 1, 5]);
  for (let step = min; step <= max; step += 1) assert.equal(stepOf(temperatureAt(step)), step);
});

// appending

/** @param {string} text @param {number} id @param {number} start @param {object} [more] */
const token = (text, id, start, more = {}) => ({
  text,
  id,
  start,
  end: start + [...text].length,
  special: false,
  padding: false,
  segment: 0,
  generated: false,
  piece: null,
  ...more,
});
const bos = token("[BOS]", 1, 0, { end: 0, special: true });
const pad = token("[PAD]", 0, 7, { end: 7, special: true, padding: true });
const words = [bos, token("the", 5, 0), token(" cat", 6, 3), pad];

test("a token goes to the end; read earlier, it cuts off what follows", () => {
  const end = spotOf({ tokens: [words], target_tokens: null, predicted_at: [2] }, 0, false);
  assert.deepEqual([end.key, end.start, end.end], ["texts", null, null]);
  assert.deepEqual(around("the cat ", end), ["the cat ", ""]); // white space at the end stays
  const early = spotOf({ tokens: [words], target_tokens: null, predicted_at: [1] }, 0, false);
  assert.deepEqual(around("the cat", early), ["the", ""]);
  const padded = spotOf({ tokens: [words], target_tokens: null, predicted_at: [3] }, 0, false);
  assert.equal(padded.start, null);
});

test("characters are counted in code points", () => {
  const row = [bos, token("😀", 5, 0), token(" cat", 6, 1)];
  const spot = spotOf({ tokens: [row], target_tokens: null, predicted_at: [1] }, 0, false);
  assert.deepEqual(around("😀 cat", spot), ["😀", ""]);
});

test("an encoder–decoder's token goes to the target", () => {
  const trace = { tokens: [words], target_tokens: [[bos, token("a", 9, 0)]], predicted_at: [1] };
  const spot = spotOf(trace, 0, false);
  assert.deepEqual([spot.key, spot.start], ["targets", null]);
});

test("a fill takes the place of its mask, in its segment, or goes nowhere", () => {
  const mask = token("[MASK]", 4, 4, { special: true });
  const row = [
    bos,
    token("the", 5, 0),
    mask,
    token("sat", 7, 11),
    { ...mask, segment: 1, start: 0, end: 6 },
  ];
  const at = (/** @type {number} */ place) =>
    spotOf({ tokens: [row], target_tokens: null, predicted_at: [place] }, 0, true);
  assert.deepEqual(around("the [MASK] sat", at(2)), ["the ", " sat"]);
  assert.equal(at(4).key, "pairs");
  assert.equal(at(0), "there is no typed text that it could replace");
  const filled = row.with(2, token("cat", 9, 4));
  assert.equal(exact(at(2), 9, filled), true);
  assert.equal(exact(at(2), 8, filled), false);
});

test("the first spelling suits the vocabulary", () => {
  const first = (/** @type {[string, string, boolean]} */ ...args) => spellings(...args)[0];
  assert.equal(first("mat", "The cat sat on the", false), " mat"); // the shipped model
  assert.equal(first("mat", "", false), "mat");
  assert.equal(first("mat", "on the ", false), "mat");
  assert.equal(first("…ing", "the walk", false), "ing");
  assert.equal(first("un…", "it was", false), " un");
  assert.equal(first(".", "the mat", false), ".");
  assert.equal(first(" mat", "on the", true), " mat"); // GPT-2
  assert.equal(first("ing", "walk", true), "ing");
  assert.equal(first("##ing", "walk", false), "ing"); // BERT
  assert.equal(first("…", "so", false), "…"); // a token of its own
  assert.deepEqual(spellings("<0xE2>", "a", false), []);
  assert.deepEqual(spellings("\uFFFD", "a", true), []);
});

test("a token was appended when its text is read as the old tokens and it", () => {
  const spot = spotOf({ tokens: [words], target_tokens: null, predicted_at: [2] }, 0, false);
  const read = (/** @type {number[]} */ ...ids) => [
    bos,
    ...ids.map((id) => token("x", id, 0)),
    pad,
  ];
  assert.equal(exact(spot, 9, read(5, 6, 9)), true);
  assert.equal(exact(spot, 9, read(5, 6, 8)), false);
  assert.equal(exact(spot, 9, read(5, 7, 9)), false); // it changed what stood before
  assert.equal(exact(spot, 9, read(5, 6, 9, 9)), false);
  const early = spotOf({ tokens: [words], target_tokens: null, predicted_at: [1] }, 0, false);
  assert.equal(exact(early, 9, read(5, 9)), true);
});

// muting each head in turn

test("of a fill the request is the same", () => {
  assert.equal(nextRequest(state, bert)?.predict.position, 3);
});
