import assert from "node:assert/strict";
import test from "node:test";
import { MECHANISMS } from "../../static/js/engine/scratch/described.js";
import { BELIEFS, causeInWords, givers, heldFor } from "../../static/js/panels/scratch/beliefs.js";
import { BesideCorrect } from "../../static/js/panels/scratch/beside.js";
import { correct, MISTAKES, mistakesOf } from "../../static/js/panels/scratch/mistakes.js";
import { Restorer } from "../../static/js/panels/scratch/restore.js";
import { hasPadding, isPermuted, reversed } from "../../static/js/sources/scratch/texts.js";
import { modelIn } from "../../static/js/state/choice.js";
import { fromQuery } from "../../static/js/state/url.js";
import { scratch, shipped } from "./models.mjs";

const models = /** @type {any} */ ([shipped, scratch]);
const example = { texts: ["An example."], layer: 0, head: 0, query: null };
/** @param {string} search @returns {any} */
const opened = (search) =>
  at({ ...fromQuery(`?model=scratch&text=the+cat+sat${search}`, models, example, 4), models });
/** @param {any} choice @returns {any} */
const at = (choice) => ({ choice, model: modelIn(choice), row: 1, facts: null });
/** @param {any} now @param {object} changes */
const then = (now, changes) => at({ ...now.choice, ...changes });
/** @param {string} id @returns {any} */
const mistake = (id) => MISTAKES.find((one) => one.id === id);
/** @param {string} id @returns {any} */
const belief = (id) => BELIEFS.find((one) => one.id === id);

for (const { id, is, on, off, why = () => "" } of MISTAKES) {
  for (const mechanism of ["multi-head", "single-head", "fused-multi-head", "cross-attention"]) {
    const now = opened(`&scratch.mechanism=${mechanism}`);
    if (why(now)) continue;
    test(`${id} is on once it is turned on, and off again (${mechanism})`, () => {
      assert.ok(!is(now), "nobody asked for it");
      const wrong = then(now, on(now));
      assert.ok(is(wrong));
      assert.deepEqual(
        mistakesOf(wrong).map((one) => one.id),
        [id],
        "one at a time",
      );
      const again = then(wrong, off(wrong));
      assert.ok(!is(again));
      assert.equal(mistakesOf(again).length, 0);
    });
  }
}

test("without a softmax, mistakes with it and with the scale say why they mean nothing", () => {
  const all = { ...scratch, mechanisms: Object.values(MECHANISMS) };
  const why = (/** @type {string} */ kind) => {
    const { choice } = opened("");
    const now = at({ ...choice, models: [all], scratch: { mechanism: kind } });
    return Object.fromEntries(MISTAKES.map((one) => [one.id, one.why?.(now) ?? ""]));
  };
  const retention = why("retention");
  for (const id of ["axis", "mask-after"]) assert.match(retention[id], /has no softmax/);
  for (const id of ["no-scale", "wide-scale"]) assert.match(retention[id], /larger or smaller/);
  assert.match(why("linear")["no-scale"], /divided out again/);
  assert.equal(why("linear").axis, "");
});

/** What the page shows after a mistake was turned on, compared by `beside`. @param {any} now @param {string} id @param {BesideCorrect} beside */
const shownWith = (now, id, beside) => {
  const wrong = { ...now.choice, ...mistake(id).on(now) };
  return { ...wrong, ...beside.open(wrong) };
};

test("a mistake opens a comparison with the mechanism without it, which follows the reader", () => {
  const beside = new BesideCorrect();
  const now = opened("&view=lines&scratch.seed=7");
  let state = shownWith(now, "axis", beside);
  assert.equal(state.view, "compare");
  assert.equal(state.against.scratch.softmax_over, undefined);
  assert.equal(state.against.scratch.seed, 7);
  assert.equal(state.scratch.softmax_over, "query");
  assert.deepEqual(beside.follow(state), {});

  state = { ...state, head: 2, texts: ["a dog"] };
  state = { ...state, ...beside.follow(state) };
  assert.deepEqual([state.against.head, state.against.texts], [2, ["a dog"]]);
  state = shownWith(at(state), "no-scale", beside); // a second one: A has neither
  assert.equal(state.against.scratch.scale, undefined);

  state = { ...state, ...mistake("axis").off(at(state)) };
  state = { ...state, ...beside.follow(state) };
  assert.equal(state.view, "compare"); // one is still on
  state = { ...state, ...mistake("no-scale").off(at(state)) };
  assert.deepEqual(beside.follow(state), { view: "lines", against: null });
});

test("a mask that a mistake brings is on both sides", () => {
  const state = shownWith(opened(""), "sees-next", new BesideCorrect());
  assert.equal(state.against.masks.causal, true);
  assert.equal(state.masks.causal, true);
  const padded = shownWith(opened(""), "padding", new BesideCorrect());
  assert.deepEqual(padded.against.texts, padded.texts);
  assert.deepEqual([padded.against.masks.padding, padded.masks.padding], [true, false]);
});

test("what the reader holds instead stays, and so does another view", () => {
  const beside = new BesideCorrect();
  const state = shownWith(opened(""), "axis", beside);
  const own = { ...state, against: { ...state.against, head: 3 } };
  assert.deepEqual(beside.follow({ ...own, ...mistake("axis").off(at(own)) }), {});
  const inside = { ...state, view: "inside" };
  assert.deepEqual(beside.follow({ ...inside, ...mistake("axis").off(at(inside)) }), {
    view: "inside",
    against: null,
  });
  const other = new BesideCorrect();
  const left = { ...shownWith(opened(""), "axis", other), model: "shipped" };
  assert.deepEqual(other.follow(left), { view: "heatmap", against: null });
});

test("a link to a mistake and its comparison is left with the mistake, too", () => {
  const { scratch, against, view } = shownWith(opened(""), "axis", new BesideCorrect());
  const linked = { ...opened("").choice, scratch, against, view };
  const beside = new BesideCorrect();
  assert.deepEqual(beside.follow(linked), {});
  const off = { ...linked, ...mistake("axis").off(at(linked)) };
  assert.deepEqual(beside.follow(off), { view: "heatmap", against: null });
});

test("what cannot go wrong with a mechanism says why", () => {
  const why = (/** @type {string} */ id, /** @type {string} */ mechanism) =>
    mistake(id).why(opened(`&scratch.mechanism=${mechanism}`));
  assert.match(why("no-scale", "average"), /all scores are 0/);
  assert.match(why("packing", "multi-head"), /single matrix/);
  assert.match(why("sees-next", "cross-attention"), /no causal mask/);
  assert.equal(why("packing", "fused-multi-head"), "");
  assert.match(mistake("wide-scale").why(opened("&scratch.n_heads=1")), /both scales are the same/);
});

test("a mistake that needs a mask or a shorter text brings it, and says so", () => {
  const now = opened("");
  const padded = then(now, mistake("padding").on(now));
  assert.deepEqual(padded.choice.texts, ["the cat sat", "the"]);
  assert.equal(padded.choice.shown, 1);
  assert.match(mistake("padding").also(now), /adds a shorter text/);
  assert.equal(mistake("sees-next").on(now).masks.causal, true);
  assert.match(mistake("sees-next").also(now), /turns on the causal mask/);
  assert.equal(
    mistake("right-padding").also(now),
    "Turning it on adds a shorter text and turns on the causal mask.",
  );
  const causal = opened("&scratch.mechanism=single-head");
  assert.equal(mistake("sees-next").on(causal).masks, undefined);
  assert.equal(mistake("sees-next").also(causal), "");
  assert.match(mistake("padding").also(causal), /and puts padding on the left\.$/);
  const left = then(causal, mistake("padding").on(causal));
  assert.equal(left.choice.masks.padding_side, "left", "on the right nothing would be seen");
});

test("the row that is read is blocked, of the text that is shown", () => {
  const now = opened("");
  const { masks } = mistake("blocked-row").on(now);
  assert.deepEqual(masks.blocked, [
    { text: 0, layer: 0, head: null, query: 1, key: null, kind: null },
  ]);
});

test("no ninth text is put in: the switch says why", () => {
  const now = opened("");
  const full = then(now, { texts: Array(8).fill("the cat sat") });
  for (const id of ["padding", "right-padding"]) {
    assert.match(mistake(id).why(full), /8 texts, all of the same length/);
    assert.equal(mistake(id).on(full).texts, undefined);
    assert.equal(mistake(id).why(then(full, { texts: full.choice.texts.with(3, "a") })), "");
    assert.equal(mistake(id).why(then(full, { texts: full.choice.texts.slice(1) })), "");
  }
  const cross = opened("&scratch.mechanism=cross-attention");
  assert.match(
    mistake("mask-after").why(then(cross, { texts: full.choice.texts })),
    /the same length/,
  );
  assert.equal(mistake("mask-after").why(full), "", "the causal mask does");
});

test("turned off, what was there before comes back, unless it was changed since", () => {
  const before = new Restorer();
  const now = opened("&padding-side=left");
  const { choice } = then(now, { masks: { ...now.choice.masks, padding_side: "left" } });
  const { on, off } = mistake("padding");
  const put = before.on("padding", choice, on(at(choice)));
  const wrong = then(at(choice), { ...put, query: 2 });
  const back = then(wrong, before.off("padding", wrong.choice, off(wrong)));
  assert.deepEqual(back.choice, choice, "the text that was put in goes, the side stays");
  assert.deepEqual(before.off("padding", wrong.choice, off(wrong)), off(wrong), "only once");
  before.on("padding", choice, on(at(choice)));
  const typed = then(wrong, { texts: ["the cat sat", "a"] });
  assert.deepEqual(before.off("padding", typed.choice, off(typed)), off(typed));
  before.on("padding", { ...choice, shown: 1 }, { shown: 0, query: null, masks: choice.masks });
  assert.deepEqual(before.off("padding", choice, {}), { masks: choice.masks }, "no place to look");
  before.on("cause", choice, {});
  assert.deepEqual(before.off("cause", choice, { against: null }), { against: null });
});

test("what it is measured against differs in nothing but the mistake", () => {
  const causal = opened("&scratch.mechanism=single-head");
  const wrong = then(causal, mistake("padding").on(causal));
  assert.deepEqual(correct(wrong), {
    ...wrong.choice,
    masks: { ...wrong.choice.masks, padding: true },
  });
  const plain = opened("");
  const both = then(plain, {
    scratch: { mechanism: "multi-head", softmax_over: "query", scale: 1 },
  });
  assert.deepEqual(correct(both), plain.choice);
  const right = then(plain, mistake("right-padding").on(plain));
  assert.equal(correct(right).masks.causal, true, "the causal mask is not part of it");
  assert.equal(correct(right).masks.padding, true);
});

test("the words are turned round, held against how they stood, and come back", () => {
  const now = opened("&scratch.positions=learned");
  const turned = then(now, belief("order").on(now));
  assert.deepEqual(turned.choice.texts, ["sat cat the"]);
  assert.equal(turned.choice.scratch.positions, undefined, "none is this mechanism's own");
  assert.ok(belief("order").is(turned));
  assert.deepEqual(heldFor(turned)?.texts, ["the cat sat"]);
  assert.deepEqual(heldFor(turned)?.scratch, turned.choice.scratch);
  const back = then(turned, belief("order").off(turned));
  assert.deepEqual([back.choice.texts, back.choice.against], [["the cat sat"], null]);
  const causal = opened("&scratch.mechanism=single-head");
  assert.equal(belief("order").on(causal).masks.causal, false);
  const masks = { ...now.choice.masks, causal: true, window: 2 };
  const free = belief("order").on(then(now, { masks }));
  assert.deepEqual([free.masks.causal, free.masks.window], [false, null]);
  assert.deepEqual(free.against.masks, free.masks);
  const cross = opened("&scratch.mechanism=cross-attention&target=who+sat");
  assert.deepEqual(belief("order").on(cross).targets, ["sat who"]);
  assert.match(belief("order").why(then(now, { texts: ["a a"] })), /same both ways/);
});

test("a vector for each token id goes with the place of a word: no order to change", () => {
  const now = opened("");
  const filed = then(now, { scratch: { mechanism: "multi-head", weights: "AAAA" } });
  const why = (/** @type {string[]} */ weights) =>
    belief("order").why({ ...filed, facts: { trace: { scratch: { weights } } } });
  assert.match(why(["embedding.weight"]), /ids follow the order of the words/);
  assert.equal(why(["layers.0.attention.w_q.weight"]), "");
  assert.equal(belief("order").why(filed), "…");
  assert.equal(belief("order").why(now), "");
});

test("a comparison of another mechanism is not a belief", () => {
  const now = opened("");
  const turned = then(now, belief("order").on(now));
  const other = then(turned, { scratch: { mechanism: "average" } });
  assert.ok(!belief("order").is(other));
});

test("the head with the largest weight on the row is muted, and what the others give is said", () => {
  const tensor = (/** @type {number[]} */ shape, /** @type {number[]} */ data) => ({
    shape,
    data: Float32Array.from(data),
  });
  const site = { name: "layers.0", heads: [0, 1], query_tokens: "tokens", key_tokens: "tokens" };
  const tokens = ["a", "b"].map((text) => ({ text, padding: false }));
  const facts = /** @type {any} */ ({
    trace: { tokens: [tokens], sites: [site] },
    tensors: new Map([
      ["layers.0.pattern", tensor([1, 2, 2, 2], [1, 0, 0.4, 0.6, 1, 0, 0.1, 0.9])],
      ["layers.0.z", tensor([1, 2, 2, 2], [9, 9, 3, 4, 9, 9, 0, 1])],
    ]),
  });
  const found = givers(facts, 0, 1);
  assert.deepEqual(
    found.map(({ head, length }) => [head, length]),
    [
      [1, 1],
      [0, 5],
    ],
  );
  assert.match(
    causeInWords(facts, 0, 1),
    /Head 1 .* 0\.9\. .* length 1\. Head 0, .* 0\.6, gives more: 5\./,
  );
  const now = { ...opened(""), facts };
  assert.equal(belief("cause").why(now), "");
  assert.equal(belief("cause").why({ ...now, facts: null }), "…");
  assert.match(belief("cause").why(then(now, { texts: ["a ".repeat(500)] })), /too long/);
  const muted = then(now, belief("cause").on(now));
  assert.deepEqual(muted.choice.muted, [[0, 1]]);
  assert.ok(belief("cause").is(muted));
  assert.deepEqual(belief("cause").off(muted), { muted: [], against: null });
});

test("texts are cut as the server cuts them, near enough to know what is padded", () => {
  const words = /** @type {any} */ ({ scratch: { mechanism: "x" } });
  const letters = /** @type {any} */ ({ scratch: { mechanism: "x", tokens: "characters" } });
  assert.ok(!hasPadding({ ...words, texts: ["a b", "it’s here"] }));
  assert.ok(hasPadding({ ...letters, texts: ["a b", "it’s here"] }));
  assert.equal(reversed("The cat, sat.", words), ". sat , cat The");
  assert.equal(reversed("abc", letters), "cba");
  assert.ok(isPermuted("a b", "b a", words) && !isPermuted("a b", "a b", words));
});
