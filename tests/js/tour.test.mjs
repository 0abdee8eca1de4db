import assert from "node:assert/strict";
import test from "node:test";
import { placed, scrolled } from "../../static/js/page/tour/place.js";
import { following, planOf, STEPS } from "../../static/js/page/tour/steps.js";
import { asked, listed, selected } from "./explaining.mjs";

const tokens = ["[BOS]", "Zoë", "saw", "herself"].map((text, index) => ({
  text,
  id: index,
  special: index === 0,
  padding: false,
  segment: 0,
  generated: false,
  piece: null,
  ...[
    { start: 0, end: 0 },
    { start: 0, end: 3 },
    { start: 4, end: 7 },
    { start: 8, end: 15 },
  ][index],
}));
const entry = { title: "", look: "", texts: ["Zoë saw herself."], layer: 2, head: 3, query: 2 };
const plan = planOf(entry, tokens);
const ANY = { texts: ["Zoë"], word: null, query: null, head: null };

/** @param {[id: number, text: string, probability: number, unedited?: number][]} rows */
const predicted = (...rows) =>
  asked({ predictions: [rows.map((row) => listed(...row))], predicted_at: [2] });
const whole = predicted([1, "herself", 0.723], [2, "himself", 0.016], [3, "her", 0.1]);
const without = predicted(
  [1, "herself", 0.243, 0.723],
  [2, "himself", 0.234, 0.016],
  [3, "her", 0.12, 0.1],
);

/** A state of the page, as it is when the tour begins, and some changes. @param {object} [changes] */
const state = (changes) =>
  /** @type {any} */ ({
    ...selected({ texts: plan.texts, query: null, layer: 0, head: 0, top_k: 10, next: whole }),
    find: null,
    by: "probe",
    probe: null,
    grid: null,
    scores: null,
    quiz: false,
    relations: {},
    ...changes,
  });
/** What the reader has done by the end of each step. */
const typed = { texts: ["Zoë saw"] };
const read = { ...typed, query: 2 };
const found = { ...read, layer: 2, head: 3 };
const muted = { ...found, muted: [[2, 3]], next: without };
const watched = { ...muted, token: 2 };
const undone = { ...watched, muted: [], next: whole };
const ALL = [typed, read, found, muted, watched, undone].map(state);

/** @param {number} at @param {object} changes @param {any} [about] */
const done = (at, changes, about = plan) =>
  STEPS[at].done(state({ ...ALL[at - 1], ...changes }), ALL[at - 1] ?? state(), about);
/** What is said to another action. @param {number} at @param {object} changes */
const off = (at, changes) =>
  STEPS[at].off?.(state({ ...ALL[at - 1], ...changes }), ALL[at - 1] ?? state(), plan);

test("any spacing of the word counts, and a word that runs into the one before does not", () => {
  for (const text of ["Zoë saw", "Zoë  saw", " Zoë saw  "])
    assert.equal(done(0, { texts: [text] }), true, text);
  assert.equal(done(0, { texts: ["Zoësaw"] }), false);
  assert.equal(off(0, { texts: ["Zoë  sa"] }), "", "it is on its way");
});

test("the reader types the word whose row the example is about", () => {
  assert.deepEqual(plan, {
    texts: ["Zoë "],
    word: "saw",
    query: 2,
    head: { layer: 2, head: 3 },
  });
  assert.equal(done(0, {}), false);
  assert.equal(done(0, { texts: ["Zoë sa"] }), false);
  assert.equal(done(0, { texts: ["Zoë saw "] }), true);
});

test("where words have no blanks between them, none is to be typed", () => {
  const chinese = ["[BOS]", "书", "，", "小明", "买", "了", "三"].map((text, index) => ({
    ...tokens[1],
    text,
    start: [0, 0, 1, 2, 4, 5, 6][index],
    end: [0, 1, 2, 4, 5, 6, 7][index],
  }));
  const text = "书，小明买了三本。";
  const own = planOf({ ...entry, texts: [text], query: 6 }, chinese);
  assert.deepEqual([own.texts, own.word], [["书，小明买了"], "三"]);
  const start = state({ texts: own.texts });
  assert.equal(following(0, state({ texts: ["书，小明买了三"] }), start, own), 1);
  assert.equal(following(0, state({ texts: ["书，小明买了四"] }), start, own), 0);
});

test("each step waits for its own action, and the next one begins with it", () => {
  ALL.forEach((now, at) => {
    const before = ALL[at - 1] ?? state();
    assert.equal(following(at, before, before, plan), at);
    assert.equal(following(at, now, before, plan), at + 1);
  });
});

test("without an example any word, row, head and token will do", () => {
  assert.equal(done(0, { texts: ["Zoë "] }, ANY), false);
  assert.equal(done(0, { texts: ["Zoë x"] }, ANY), true);
  assert.equal(done(1, { query: 0 }, ANY), true);
  assert.equal(done(2, { head: 1 }, ANY), true);
  assert.equal(done(3, { muted: [[0, 1]] }, ANY), false); // another one than the selected head
  const still = predicted([1, "a", 0.5, 0.5]);
  assert.equal(done(4, { next: still, token: 1 }, ANY), true);
});

test("what was taken back is asked for again", () => {
  const start = ALL[3];
  const again = (/** @type {object} */ changes) =>
    following(4, state({ ...muted, ...changes }), start, plan);
  assert.equal(again({ muted: [], next: whole }), 3);
  assert.equal(STEPS[3].again, "You unmuted the head. Mute it again.");
  assert.equal(again({ head: 5 }), 2);
  assert.equal(again({ query: 1 }), 1);
  assert.equal(again({ texts: ["Zoë "] }), 0);
  assert.equal(following(6, state(), start, plan), 6); // after the last one nothing is
});

test("another action gets a kind word", () => {
  assert.equal(off(0, { texts: ["Zoë s"] }), "");
  assert.equal(off(0, { texts: ["Zoësaw"] }), "The sentence should read “Zoë saw”.");
  assert.equal(off(1, {}), "");
  assert.equal(off(1, { query: 1 }), "This is what “The” looks at. Choose “saw”.");
  assert.equal(off(2, {}), "");
  assert.equal(off(2, { head: 1 }), "Not quite. Look for layer 2 head 3.");
  assert.equal(off(4, {}), "");
  assert.equal(off(4, { token: 1 }), "“herself” fell, from 72.3% to 24.3%. Which one rose?");
  assert.equal(
    off(4, { token: 3 }),
    "“her” rose, too, from 10.0% to 12.0%. Another one gained more.",
  );
});

test("heads are called what the page calls them, and the keys lead from one to the other", () => {
  const score = { value: 0, over: 9, reason: null };
  const scores = new Proxy({}, { get: () => score });
  const heads = [
    { site: "layers.2", layer: 2, head: 3, scores },
    { site: "layers.2", layer: 2, head: 4, scores },
  ];
  const drawn = {
    2.3: [{ label: "reflexive", does: "", value: 0.97 }],
    2.4: [{ label: "subject", does: "", value: 0.9 }],
  };
  const labelled = {
    ...read,
    probe: { model: "shipped", heads },
    grid: { trace: { sites: [{ name: "layers.2" }] } },
    relations: { shipped: drawn },
  };
  const { text, keys } = STEPS[2].says(state({ ...labelled, head: 1 }), plan);
  assert.match(text, /Choose “reflexive” in layer 2\.$/);
  assert.equal(keys, "↓ ↓ → →");
  const other = { ...labelled, layer: 2, head: 4 };
  assert.equal(
    STEPS[2].off?.(state(other), state(labelled), plan),
    "Not quite: this is “subject”. Look for “reflexive” in layer 2.",
  );
  assert.equal(STEPS[2].says(state(other), plan).keys, "←");
});

test("each step says what the reader saw, in the numbers of the answers", () => {
  const seen = ALL.map((now, at) => STEPS[at].saw(now, ALL[at - 1] ?? state()));
  assert.deepEqual(seen, [
    "After “keys” the model expects “herself”, with 72.3%.", // the last token of the answer
    "In this head, “keys” gives 99.2% of its attention to “[BOS]”.",
    "In this head, “keys” gives 99.2% of its attention to “[BOS]”.",
    "Without this head, “herself” fell from 72.3% to 24.3%.",
    "Right: “himself” rose from 1.6% to 23.4%.",
    "“herself” is back at 72.3%.",
  ]);
  const nothing = ALL.map((now, at) =>
    STEPS[at].saw({ ...now, next: null, detail: null }, { ...now, next: null }),
  );
  assert.deepEqual(
    nothing,
    ALL.map(() => ""),
  );
});

const window = { width: 1000, height: 700 };
const card = { width: 300, height: 150 };
/** @param {number} left @param {number} top @param {number} width @param {number} height */
const box = (left, top, width, height) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test("the card stands below what the step is about, if it covers nothing there", () => {
  assert.deepEqual(placed(card, window, box(50, 60, 400, 40), []), { x: 50, y: 110 });
  const picture = box(0, 100, 700, 600);
  assert.deepEqual(placed(card, window, box(50, 60, 400, 40), [picture]), { x: 690, y: 10 });
});

test("the card stays in the window and off what the step is about", () => {
  for (const [left, top, width, height] of [
    [0, 0, 1000, 100],
    [900, 600, 90, 90],
    [0, 0, 600, 700],
    [400, 0, 600, 700],
    [0, 200, 1000, 500],
  ]) {
    const about = box(left, top, width, height);
    const { x, y } = placed(card, window, about, []);
    const isOff =
      x + 300 <= about.left || x >= about.right || y + 150 <= about.top || y >= about.bottom;
    assert.ok(isOff, JSON.stringify([about, x, y]));
    assert.ok(x >= 0 && x + 300 <= 1000 && y >= 0 && y + 150 <= 700);
  }
});

test("the page scrolls until the card has room below what the step is about", () => {
  const room = (/** @type {number} */ top, /** @type {number} */ height) =>
    scrolled(150, 700, box(0, top, 300, height), []);
  assert.equal(room(100, 200), 0);
  assert.equal(room(-50, 200), -60);
  assert.equal(room(600, 50), 120);
  assert.equal(room(400, 900), 390); // too tall: it begins at the top
  assert.equal(scrolled(150, 700, box(0, 500, 300, 40), [box(0, 550, 300, 300)]), 320);
  assert.equal(scrolled(150, 700, box(0, 100, 300, 40), [box(0, 550, 300, 900)]), 0); // both do not fit
});
