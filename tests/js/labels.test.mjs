import assert from "node:assert/strict";
import test from "node:test";
import { describedMetrics } from "../../static/js/engine/analysis/metrics.js";
import { BY_METRIC, FINDS, findNamed } from "../../static/js/state/finds.js";
import { isolated, quote, shorten } from "../../static/js/words/format.js";
import {
  brief,
  briefly,
  exact,
  habitInWords,
  inWords,
  labelOf,
  progressOf,
  ranked,
  relations,
  strongest,
} from "../../static/js/words/labels.js";

/** Scores of one head: nothing strong but what is given. @param {Record<string, number | null>} values */
function scores(values) {
  const all = [...FINDS.map(({ metric }) => metric), "entropy"].map((name) => {
    const value = name in values ? values[name] : name === "copying" ? 1 : 0.01;
    const reason = value === null ? `no ${name} here` : null;
    return [name, { value, over: value === null ? 0 : 5, reason }];
  });
  return Object.fromEntries(all);
}

/** @param {Record<string, number | null>} values @param {number} layer @param {number} head */
const headOf = (values, layer, head) => ({
  site: `layers.${layer}`,
  layer,
  head,
  scores: scores(values),
});

test("the strongest label is the highest share of attention, from 0.3 on", () => {
  const label = strongest(scores({ previous_token: 0.4, induction: 0.98 }));
  assert.deepEqual([label.metric, label.value], ["induction", 0.98]);
  assert.equal(strongest(scores({ same_token: 0.3 })).metric, "same_token");
  assert.equal(strongest(scores({ same_token: 0.2999 })).metric, null);
});

test("of two equal shares the more telling stays: a lone start token is first and special at once", () => {
  const same = strongest(scores({ first_token: 0.7, special_mass: 0.7 + 1e-9 }));
  assert.equal(same.metric, "first_token");
  const more = strongest(scores({ first_token: 0.7, special_mass: 0.71 }));
  assert.equal(more.metric, "special_mass");
});

test("a head is broad only where nothing else is strong", () => {
  assert.equal(strongest(scores({ normalised_entropy: 0.8 })).metric, "normalised_entropy");
  assert.equal(strongest(scores({ normalised_entropy: 0.79 })).metric, null);
  const both = strongest(scores({ normalised_entropy: 0.9, punctuation_mass: 0.31 }));
  assert.equal(both.metric, "punctuation_mass");
});

test("tokens are never a label: a distance is not a share", () => {
  assert.equal(strongest(scores({ mean_offset: 17.5 })).metric, null);
});

test("scores that are not defined are neither labels nor mistakes", () => {
  const none = Object.fromEntries(FINDS.map(({ metric }) => [metric, null]));
  assert.equal(strongest(scores(none)).metric, null);
});

test("a number fits a thumbnail", () => {
  const short = (/** @type {string} */ metric, /** @type {number | null} */ value) =>
    brief(labelOf({ scores: scores({ [metric]: value }) }, metric));
  assert.equal(short("induction", 0.984), ".98");
  assert.equal(short("induction", 0.996), "1.0");
  assert.equal(short("induction", 1), "1.0");
  assert.equal(short("induction", 0.004), ".00");
  assert.equal(short("mean_offset", 17.46), "17.5");
  assert.equal(short("mean_offset", -2.04), "-2.0");
  assert.equal(brief(strongest(scores({}))), "");
  assert.ok(FINDS.every((find) => find.brief.length <= 7));
});

test("what is not defined says so and why, and never looks like a 0", () => {
  const label = labelOf({ scores: scores({ induction: null }) }, "induction");
  assert.equal(brief(label), "–");
  assert.equal(exact(label), "–");
  assert.equal(inWords(label), "induction not defined here: no induction here");
});

test("labels in words", () => {
  assert.equal(inWords(strongest(scores({ previous_token: 0.976 }))), "previous token 0.98");
  assert.equal(inWords(strongest(scores({}))), "");
  assert.equal(
    inWords(labelOf({ scores: scores({ mean_offset: 4.21 }) }, "mean_offset")),
    "looks 4.2 tokens back",
  );
  assert.equal(exact(labelOf({ scores: scores({ induction: 0.12345 }) }, "induction")), "0.123");
});

test("the table has the highest first, what is not defined last, and ties by place", () => {
  const heads = [
    headOf({ induction: null }, 0, 0),
    headOf({ induction: 0.2 }, 0, 1),
    headOf({ induction: 0.9 }, 1, 1),
    headOf({ induction: 0.9 }, 1, 0),
    headOf({ induction: 0 }, 2, 0),
  ];
  assert.deepEqual(
    ranked(heads, "induction").map(({ layer, head }) => [layer, head]),
    [
      [1, 0],
      [1, 1],
      [0, 1],
      [2, 0],
      [0, 0],
    ],
  );
});

test("a bar is a share; distances are of the largest, and none is negative", () => {
  const heads = [
    headOf({ mean_offset: 8, induction: 0.4 }, 0, 0),
    headOf({ mean_offset: 2, induction: 0.1 }, 0, 1),
    headOf({ mean_offset: -3, induction: null }, 0, 2),
  ];
  const shares = (/** @type {string | null} */ find) =>
    ranked(heads, find).map(({ share }) => share);
  assert.deepEqual(shares("mean_offset"), [1, 0.25, 0]);
  assert.deepEqual(shares("induction"), [0.4, 0.1, 0]);
  assert.deepEqual(shares(null), [0.4, 0, 0]);
  assert.deepEqual(ranked([], "mean_offset"), []);
});

test("the probe's progress is in words", () => {
  const probe = { state: "computing", progress: { done: 3, total: 16 }, error: null };
  assert.match(progressOf(null), /waiting/);
  assert.equal(progressOf(probe), "probing the heads: 3 of 16");
  assert.match(progressOf({ ...probe, state: "failed", error: "no vocabulary" }), /no vocabulary/);
  assert.equal(progressOf({ ...probe, state: "ready" }), "");
});

test("a relation that a head draws in sentences names it, unless it does more on random tokens", () => {
  const sink = scores({ first_token: 0.99 });
  const drawn = [
    { label: "reflexive", does: "", value: 0.98 },
    { label: "subject", does: "", value: 0.9 },
  ];
  const label = strongest(sink, drawn);
  assert.deepEqual([label.metric, label.brief, label.value], ["relation", "refl", 0.98]);
  assert.equal(inWords(label), "reflexive 0.98, subject 0.90");
  assert.equal(inWords(strongest(sink, drawn.slice(1))), "subject 0.90");
  assert.equal(strongest(sink, [{ label: "recall", does: "", value: 0.9 }]).brief, "recall");
  assert.equal(relations(drawn), "reflexive 0.98, subject 0.90");
  assert.equal(strongest(scores({ induction: 0.99 }), drawn).metric, "induction");
  assert.equal(strongest(scores({ induction: 0.5 }), drawn).metric, "relation");
  assert.equal(strongest(sink, [{ label: "quote", value: 0.29 }]).metric, "first_token");
  assert.equal(ranked([{ ...headOf({}, 0, 1), drawn }], null)[0].label.metric, "relation");
});

test("a mean over one query or two is not a habit, and so no label", () => {
  const few = scores({ punctuation_mass: 0.98, previous_token: 0.5 });
  few.punctuation_mass.over = 2;
  assert.equal(strongest(few).metric, "previous_token");
  few.punctuation_mass.over = 3;
  assert.equal(strongest(few).metric, "punctuation_mass");
});

test("a relation that is asked for is the label of the heads that draw it", () => {
  const drawn = [
    { label: "reflexive", does: "finds who is meant", value: 0.98 },
    { label: "possessive", does: "finds whose it is", value: 0.9 },
  ];
  const one = { ...headOf({ induction: 0.99 }, 0, 1), drawn };
  const label = labelOf(one, "relation.possessive");
  assert.deepEqual([label.name, label.value, label.does], ["possessive", 0.9, "finds whose it is"]);
  assert.equal(inWords(label), "possessive 0.90");
  assert.equal(exact(label), "0.900");
  const none = labelOf(headOf({}, 0, 0), "relation.possessive");
  assert.equal(inWords(none), "possessive not defined here: another head does it better");
  assert.deepEqual(
    ranked([headOf({}, 0, 0), one], "relation.possessive").map(({ share }) => share),
    [0.9, 0],
  );
});

test("a head that is named by habit says so if it does something else here", () => {
  const label = strongest(scores({ induction: 0.98 }));
  const said = (/** @type {any} */ here) => habitInWords(label, here, true);
  assert.equal(
    said({ value: 0.02, over: 3 }),
    "induction by habit (0.98), but not in this sentence (0.02)",
  );
  assert.equal(said({ value: 0.49, over: 3 }), "induction 0.98");
  assert.equal(said(null), "induction 0.98"); // the page does not know
  const none = "induction by habit (0.98); this sentence has no token to measure it on";
  assert.equal(said({ value: null, over: 0 }), none);
  const relation = strongest(scores({}), [{ label: "reflexive", does: "", value: 0.97 }]);
  const absent = "reflexive by habit (0.97), but not in this sentence";
  assert.equal(habitInWords(relation, null, false), absent);
  assert.equal(habitInWords(relation, null, true), "reflexive 0.97");
  assert.equal(habitInWords(strongest(scores({})), null, true), "");
});

test("induction asks for both halves: a head that looks but does not copy says so, with both numbers", () => {
  const label = strongest(scores({ induction: 0.98, copying: 0.12 }));
  assert.equal(label.metric, null);
  const half = "looks where induction looks (0.98), but does not copy (0.12)";
  assert.equal(inWords(label), half);
  assert.equal(habitInWords(label, null, true), half);
  assert.deepEqual([brief(label), exact(label)], ["", ""]);
  const { also } = BY_METRIC.induction;
  assert.deepEqual(also, { metric: "copying", least: 0.75 });
  assert.equal(strongest(scores({ induction: 0.98, copying: 0.75 })).metric, "induction");
  assert.equal(strongest(scores({ induction: 0.98, copying: 0.7499 })).metric, null);
  assert.equal(inWords(strongest(scores({ induction: 0.29, copying: 0 }))), "");
});

test("a head that does half of one label gets the next, and a stronger one needs no excuse", () => {
  const next = strongest(scores({ induction: 0.98, first_token: 0.4, copying: 0.1 }));
  assert.equal(next.metric, "first_token");
  assert.equal(
    inWords(next),
    "first token 0.40; looks where induction looks (0.98), but does not copy (0.10)",
  );
  const stronger = strongest(scores({ induction: 0.35, first_token: 0.6, copying: 0.1 }));
  assert.equal(inWords(stronger), "first token 0.60");
  const broad = strongest(scores({ induction: 0.5, normalised_entropy: 0.9, copying: 0.1 }));
  assert.match(inWords(broad), /^broad 0.90; looks where induction looks/);
});

test("a head of which nobody knows whether it copies keeps its label, and says so", () => {
  const label = strongest(scores({ induction: 0.98, copying: null }));
  assert.equal(label.metric, "induction");
  assert.equal(inWords(label), "induction 0.98; whether it copies is not known: no copying here");
  const { copying: _, ...without } = scores({ induction: 0.98 });
  assert.match(inWords(strongest(without)), /^induction 0.98; whether .*: it was not measured$/);
  assert.equal(inWords(strongest(scores({ first_token: 0.9, copying: null }))), "first token 0.90");
  assert.equal(inWords(labelOf({ scores: scores({ copying: 0.5 }) }, "copying")), "copying 0.50");
});

test("what a label asks for is what the server and the engine ask for", () => {
  const asked = describedMetrics().map(({ name, also }) => [name, also]);
  for (const [name, also] of asked)
    assert.deepEqual(/** @type {any} */ (BY_METRIC)[name]?.also ?? null, also, name);
});

test("every label says in a few words what the head does", () => {
  for (const { metric, does } of FINDS) assert.ok(metric === "between" || does, metric);
  assert.equal(strongest(scores({ induction: 0.9 })).does, BY_METRIC.induction.does);
  assert.equal(
    strongest(scores({ normalised_entropy: 0.9 })).does,
    "spreads its attention almost evenly",
  );
});

test("a link may name a metric by its earlier name, or a relation", () => {
  assert.equal(findNamed("relation.subject"), "relation.subject");
  for (const bad of ["relation.", "relation", "relation.<b>", `relation.${"a".repeat(99)}`]) {
    assert.equal(findNamed(bad), null, bad);
  }
  assert.equal(findNamed("mean_distance"), "mean_offset");
  assert.equal(findNamed("induction"), "induction");
  assert.equal(findNamed("nothing"), null);
});

test("distance says how far, the mean offset in which direction", () => {
  const said = (/** @type {string} */ metric, /** @type {number} */ value) =>
    inWords(labelOf({ scores: scores({ [metric]: value }) }, /** @type {any} */ (metric)));
  assert.equal(said("distance", 2.04), "looks 2.0 tokens away");
  assert.equal(said("mean_offset", -1.5), "looks -1.5 tokens back");
});

test("a word written from right to left moves nothing around it", () => {
  assert.equal(quote("saw"), "“saw”");
  assert.equal(quote("\u05d8"), "“\u2068\u05d8\u2069”");
  assert.equal(isolated("\u0645\u06cc\u200c\u062e"), "\u2068\u0645\u06cc\u200c\u062e\u2069");
  assert.equal(isolated("\u202e\u05d8"), "\u2068\u05d8\u2069"); // it cannot end the isolation
  assert.equal(isolated("naïve 中文"), "naïve 中文");
});

test("shortening cuts no character in two", () => {
  assert.equal(shorten("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 2), "👨‍👩‍👧…");
  assert.equal(shorten("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  assert.equal(shorten("abc", 3), "abc");
});

test("a name that is too long for a small picture keeps its first four letters", () => {
  assert.deepEqual(["mixed", "gemischt", "量词"].map(briefly), ["mixed", "gemi", "量词"]);
});
