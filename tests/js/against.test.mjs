import assert from "node:assert/strict";
import test from "node:test";
import { changesOf, patched } from "../../static/js/state/address/links.js";
import {
  beforeOf,
  comparedIn,
  fitted,
  heldOf,
  mayLookElsewhere,
  opening,
  pressed,
  swapped,
  uneditedOf,
} from "../../static/js/state/against.js";
import { PAIRS } from "../../static/js/state/clean.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { fromQuery, toQuery } from "../../static/js/state/url.js";
import { otherRequest } from "../../static/js/views/compare/request.js";
import { bert, bloom, shipped, t5, unloaded } from "./models.mjs";

const models = [shipped, t5, bert, bloom];
const example = { texts: ["An example."], layer: 2, head: 7, query: 3 };
/** @param {string} search */
const opened = (search) => fromQuery(search, models, example, 4);
/** @param {string} search @param {object} [more] @returns {any} */
const state = (search, more = {}) => ({ ...opened(search), models, past: [], lacks: {}, ...more });

const off = { ...OWN_MASKS, causal: false };
const now = state("?text=a+b&layer=1&head=2&causal=false&muted=0.1");
/** A step from another choice. @param {object} before */
const step = (before, edits = true) => ({ before: { ...now, ...before }, after: now, edits });
const edited = { ...now, past: [step({ masks: OWN_MASKS })] };

test("before the last change is the same head with the masks and mutes of then", () => {
  assert.deepEqual(beforeOf(edited), { ...heldOf(edited), masks: OWN_MASKS, muted: [[0, 1]] });
  assert.equal(beforeOf(state("?text=a")), null);
});

test("only an edit of this model is compared with, however much was undone or typed since", () => {
  const muted = step({ muted: [] });
  const typed = step({ texts: ["a"] }, false);
  const chosen = step({ model: "t5" }, false);
  assert.deepEqual(beforeOf({ ...now, past: [muted, typed] }), { ...heldOf(now), muted: [] });
  assert.equal(beforeOf({ ...now, past: [typed] }), null);
  assert.equal(beforeOf({ ...now, past: [muted, chosen] }), null);
  const both = step({ muted: [], texts: ["a"] });
  assert.deepEqual(beforeOf({ ...now, past: [both] }), { ...heldOf(now), muted: [], texts: ["a"] });
});

test("a mute changes what later layers look at, and no head before it or beside it", () => {
  const now = state("?text=a&layer=1&head=2&muted=1.2");
  const elsewhere = (/** @type {object} */ changes, /** @type {any} */ before = { muted: [] }) =>
    mayLookElsewhere({ ...now, ...changes }, { ...heldOf({ ...now, ...changes }), ...before });
  assert.equal(elsewhere({}), false);
  assert.equal(elsewhere({ layer: 0 }), false);
  assert.equal(elsewhere({ head: 3 }), false);
  assert.equal(elsewhere({ layer: 2 }), true);
  assert.equal(elsewhere({ layer: 2 }, { muted: [[1, 2]] }), false); // the same mutes
  assert.equal(elsewhere({ muted: [] }, { muted: [[0, 1]] }), true); // an earlier one was unmuted
  assert.equal(elsewhere({}, { masks: { ...OWN_MASKS, causal: false } }), true);
  const decoding = { kind: "decoder", layer: 0, muted: [[1, 0, "encoder"]] };
  assert.equal(elsewhere(decoding), true);
  assert.equal(elsewhere({ ...decoding, muted: [[0, 0, "cross"]] }), false);
  assert.equal(elsewhere({ ...decoding, kind: "cross", muted: [[0, 0, "decoder"]] }), true);
});

test("without masks and mutes is the unedited run; where the padding stands is not an edit", () => {
  const left = state("?text=a&causal=false&window=2&padding_side=left&muted=0.1");
  assert.deepEqual(uneditedOf(left).masks, { ...OWN_MASKS, padding_side: "left" });
  assert.deepEqual(uneditedOf(left).muted, []);
});

test("the key compares with before, then holds; without an edit it holds at once", () => {
  const first = pressed(edited);
  assert.deepEqual(first, { against: beforeOf(edited), view: "compare" });
  assert.deepEqual(pressed({ ...edited, ...first }), { against: heldOf(edited), view: "compare" });
  const plain = state("?text=a");
  assert.deepEqual(pressed(plain).against, heldOf(plain));
});

test("a comparison opens with something to compare", () => {
  const plain = state("?text=a&layer=1&head=2&causal=true");
  assert.deepEqual(opening(plain, "lines"), { view: "lines" });
  const unmasked = { ...heldOf(plain), masks: off };
  assert.deepEqual(opening(plain, "compare"), { view: "compare", against: unmasked });
  assert.deepEqual(opening(edited, "compare").against, beforeOf(edited));
  const linked = state("?text=a&layer=1&head=2&causal=false"); // a link, before which nothing was
  assert.deepEqual(opening(linked, "compare").against?.masks, OWN_MASKS);
  const held = heldOf(state("?text=a&layer=0&head=0"));
  assert.deepEqual(opening({ ...plain, against: held }, "compare"), { view: "compare" });
  const encoder = state("?model=bert&text=a&layer=1&head=1");
  assert.equal(opening(encoder, "compare").against?.head, 0); // it has no causal mask
  assert.equal(opening({ ...encoder, head: 0 }, "compare").against?.head, 1);
});

test("swapping twice changes nothing", () => {
  const one = { ...edited, against: { ...heldOf(edited), head: 5, masks: OWN_MASKS } };
  const turned = { ...one, ...swapped(one) };
  assert.deepEqual([turned.head, turned.against?.head, turned.masks], [5, 2, OWN_MASKS]);
  const again = { ...turned, ...swapped(turned) };
  assert.deepEqual(heldOf(again), heldOf(one));
  assert.deepEqual(again.against, one.against);
});

test("a query means a token of its own text: swapping texts lets it go", () => {
  const one = state("?text=a+b&query=1");
  assert.equal(swapped({ ...one, against: { ...heldOf(one), head: 3 } }).query, 1);
  assert.equal(swapped({ ...one, against: { ...heldOf(one), texts: ["c"] } }).query, null);
});

test("A is asked for as one head of what is held, and only while it is compared", () => {
  const held = {
    ...edited,
    view: "compare",
    query: 1,
    against: { ...heldOf(edited), head: 5, masks: OWN_MASKS },
  };
  assert.deepEqual(otherRequest(held), {
    model: "shipped",
    texts: ["a b"],
    masks: OWN_MASKS,
    muted: [[0, 1]],
    select: { tensors: ["pattern", "blocked_by"], layers: [1], heads: [5] },
    predict: { top_k: 10, temperature: 1, top_p: null, position: 1 },
  });
  assert.equal(otherRequest({ ...held, view: "heatmap" }), null);
  assert.equal(otherRequest({ ...held, against: null }), null);
  const scores = /** @type {any} */ (otherRequest({ ...held, matrix: "scores" }));
  assert.deepEqual(scores.select.tensors, ["pattern", "blocked_by", "scores"]);
  const elsewhere = /** @type {any} */ (otherRequest({ ...held, texts: ["a b c"] }));
  assert.equal(elsewhere.predict.position, null); // the query is a place of B's text
});

test("A's model is asked as it wants to be: with targets, without what it has not", () => {
  const now = state("?text=a&view=compare&matrix=scores");
  const cross = { ...heldOf(now), model: "t5", targets: ["x"], kind: "cross" };
  const asked = /** @type {any} */ (otherRequest({ ...now, against: cross }));
  assert.deepEqual([asked.targets, asked.select.kinds], [["x"], ["cross"]]);
  const patterns = { ...now, against: { ...heldOf(now), model: "bloom" } };
  assert.equal(comparedIn(patterns), "pattern");
  assert.deepEqual(/** @type {any} */ (otherRequest(patterns)).select.tensors, [
    "pattern",
    "blocked_by",
  ]);
});

test("a model that is not there is made to load first", () => {
  const later = { ...state("?text=a&view=compare"), models: [shipped, unloaded("t5")] };
  const asked = otherRequest({ ...later, against: { ...heldOf(later), model: "t5" } });
  assert.deepEqual(asked, { model: "t5", texts: ["a"], select: { layers: [] }, predict: null });
});

test("an A that its model does not have is dropped, and what fits stays the same", () => {
  const now = state("?text=a");
  assert.deepEqual(fitted({ ...now, against: heldOf(now) }), {});
  const against = { ...heldOf(now), layer: 2, head: 7, masks: off, muted: [[7, 7]] };
  const { against: fits } = /** @type {any} */ (fitted({ ...now, against }));
  assert.deepEqual([fits.layer, fits.head, fits.muted], [2, 7, []]);
  for (const place of [{ layer: 3 }, { head: 8 }, { kind: "cross" }]) {
    assert.deepEqual(fitted({ ...now, against: { ...against, ...place } }), { against: null });
  }
  const bare = /** @type {any} */ (
    fitted({ ...now, against: { ...heldOf(now), model: "bloom", masks: off } })
  );
  assert.equal(bare.against.masks.causal, null);
  assert.deepEqual(fitted({ ...now, against: { ...heldOf(now), model: "gone" } }), {
    against: null,
  });
});

const compareWith = (
  /** @type {object} */ changes,
  search = "?text=a+b&text=c&layer=1&head=2&causal=false&muted=0.1&muted=1.3&query=1&view=compare",
) => {
  const now = opened(search);
  return { ...now, against: { ...heldOf(now), ...changes } };
};

for (const [name, changes] of Object.entries({
  "another head": { layer: 0, head: 7 },
  "the masks": { masks: OWN_MASKS },
  "the mutes": { muted: [] },
  "fewer mutes": { muted: [[1, 3]] },
  "the text": { texts: ["x & y=z", "c"], shown: 1 },
  "fewer texts": { texts: ["a b"] },
  "more texts": { texts: ["", "a", "c?", "ü 🙂"], shown: 3 },
  "the model": { model: "t5", targets: ["un", ""], kind: "cross", muted: [] },
  nothing: {},
})) {
  test(`a link holds A exactly where it differs in ${name}`, () => {
    const choice = compareWith(changes);
    const link = toQuery(choice, models);
    assert.deepEqual(opened(link), choice);
    assert.equal(toQuery(opened(link), models), link);
  });
}

test("a link says of A only what differs", () => {
  const said = new URLSearchParams(toQuery(compareWith({ layer: 0, muted: [] }), models)).get(
    "against",
  );
  assert.equal(said, "layer=0&without=muted");
  assert.equal(changesOf("?a=1&b=2", "?b=2&a=1&c=3"), "without=c");
  assert.equal(patched("?a=1&b=2", "a=3&a=4&without=b"), "?a=3&a=4");
});

test("nonsense about A does no harm", () => {
  const { against, ...rest } = opened(
    "?text=a&layer=1&head=2&view=compare&against=model%3Dgone%26layer%3D99%26head%3Dx%26shown%3D7%26against%3Dy%26without%3Dview%2Ctext%2C%2C%25",
  );
  assert.equal(against, null);
  assert.equal(rest.head, 2);
  assert.deepEqual(opened("?text=a&against=").against, heldOf(opened("?text=a")));
  assert.equal(opened("?text=a").against, null);
});

test("patching opens with the partner of a known sentence, and keeps a sentence of the reader", () => {
  for (const { text, clean } of PAIRS) {
    for (const [one, other] of [
      [text, clean],
      [clean, text],
    ]) {
      assert.notEqual(one, other);
      const state = { texts: ["x", `${one} `], shown: 1, clean: " " };
      assert.deepEqual(opening(state, "patch"), { view: "patch", clean: other });
    }
  }
  const state = { texts: [PAIRS[0].text], shown: 0, clean: "mine" };
  assert.deepEqual(opening(state, "patch"), { view: "patch" });
  assert.deepEqual(opening({ ...state, texts: ["y"], clean: "" }, "patch").clean, "");
});
