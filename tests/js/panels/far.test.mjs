import assert from "node:assert/strict";
import test from "node:test";
import {
  columnsOf,
  goTo,
  isSelected,
  jumpTo,
  linksIn,
  tokenAt,
} from "../../../static/js/panels/far/links.js";
import { distanceOf, farRequest } from "../../../static/js/panels/far/request.js";
import { save } from "../../../static/js/panels/far/save.js";
import { inWords } from "../../../static/js/panels/far/words.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { shipped, t5 } from "../models.mjs";

const tokens = (/** @type {number} */ n) =>
  Array.from({ length: n }, (_, id) => ({ id, text: ` w${id}`, special: false, padding: false }));
const link = { site: "self.1", layer: 1, head: 2, query: 150, key: 20, weight: 0.5, distance: 130 };
/** @param {object[]} links @param {object} [more] */
const stateOf = (links, more = {}) =>
  /** @type {any} */ ({
    model: "shipped",
    models: [shipped],
    texts: ["a b"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    kind: "self",
    layer: 0,
    head: 0,
    query: null,
    key: null,
    far_least: null,
    far_in: "all",
    far_first: false,
    shown: 1,
    zoom: null,
    next: null,
    detail: { trace: { model: "shipped", tokens: [tokens(3), tokens(200)], sites: [] } },
    far: {
      status: "ready",
      problem: null,
      answer: {
        trace: {
          model: "shipped",
          tokens: [tokens(3), tokens(200)],
          target_tokens: null,
          far_links: [
            { links: [], searched: 0 },
            { links, searched: 99 },
          ],
        },
      },
    },
    ...more,
  });

test("far is about a tenth of the text, unless the reader says how far", () => {
  const words = (/** @type {number} */ n) => "word ".repeat(n);
  const far = (/** @type {number} */ n, far_least = null) =>
    distanceOf({ far_least, texts: ["a", words(n)], targets: [] });
  assert.deepEqual(
    [2, 40, 200, 900, 9000].map((n) => far(n)),
    [4, 4, 16, 64, 256],
  );
  assert.equal(far(900, /** @type {any} */ (3)), 3);
  assert.equal(distanceOf({ far_least: null, texts: ["a"], targets: [words(200)] }), 16);
});

test("links are asked of all heads, or of the selected one", () => {
  const { analyse, select } = /** @type {any} */ (farRequest(stateOf([]), shipped));
  assert.deepEqual(select, { layers: [] });
  const first = { specials: false, first_token: false };
  assert.deepEqual(analyse.far_links, { top_k: 50, min_distance: 4, ...first });
  const chosen = { far_in: "head", far_first: true, far_least: 9, kind: "decoder", layer: 2 };
  const one = /** @type {any} */ (farRequest(stateOf([], chosen), t5)).analyse.far_links;
  const head = { layers: [2], kinds: ["decoder"], heads: [0] };
  assert.deepEqual(one, { top_k: 50, min_distance: 9, ...head, specials: true, first_token: true });
});

test("a link has its tokens with their neighbours, in the selected text", () => {
  const found = linksIn(stateOf([link]));
  assert.equal(found?.searched, 99);
  const [{ from, to, kind, around }] = found?.links ?? [];
  assert.deepEqual([from, to, kind], ["w150", "w20", "self"]);
  assert.equal(around.from, "w147 w148 w149 w150 w151 w152 w153");
  assert.equal(around.to, "w17 w18 w19 w20 w21 w22 w23");
  assert.equal(
    inWords(/** @type {any} */ (found).links[0]),
    "In layer 1 head 2, “w150” attends to “w20”, 130 tokens before it, with weight 0.5000.",
  );
  assert.equal(linksIn(stateOf([link], { far: null })), null);
});

test("the tokens of a decoder's links are those of the target", () => {
  const ofDecoder = { ...link, site: "decoder.1", query: 5, key: 1 };
  const state = stateOf([ofDecoder], { model: "t5", models: [t5] });
  state.far.answer.trace.model = "t5";
  state.far.answer.trace.target_tokens = [tokens(2), tokens(9).toReversed()];
  const [{ from, to, kind }] = linksIn(state)?.links ?? [];
  assert.deepEqual([from, to, kind], ["w3", "w7", "decoder"]);
});

test("a jump selects the head and both tokens, and is then the selected link", () => {
  const state = stateOf([link]);
  const [first] = linksIn(state)?.links ?? [];
  assert.equal(isSelected(state, first), false);
  const { zoom, ...selected } = jumpTo(state, first);
  assert.deepEqual(selected, { kind: "self", layer: 1, head: 2, query: 150, key: 20 });
  assert.equal(isSelected({ ...state, ...selected }, first), true);
  assert.equal(zoom, null, "there is no picture of a long text yet");
});

test("a zoomed part follows to the token, and keeps its keys", () => {
  assert.deepEqual(goTo(stateOf([]), 90), { query: 90 });
  const zoomed = stateOf([], { zoom: [10, 30, 0, 20] });
  assert.deepEqual(goTo(zoomed, 90), { query: 90, zoom: [80, 100, 0, 20] });
  assert.deepEqual(goTo(zoomed, 199).zoom, [180, 200, 0, 20]);
});

test("a column of the overview has the largest weight of its tokens", () => {
  assert.deepEqual([...columnsOf([0.1, 0.5, 0.2, 0, 0.3], 2)], [0.5, 0.3]);
  assert.deepEqual([...columnsOf([0.25, 0.5], 4)], [0.25, 0.25, 0.5, 0.5]);
  assert.deepEqual(
    [-0.1, 0, 0.49, 0.5, 1].map((share) => tokenAt(share, 4)),
    [0, 0, 1, 2, 3],
  );
});

test("links are saved with their tokens", () => {
  const [head, row] = save
    .csv(stateOf([link]))
    .trim()
    .split("\n");
  assert.match(
    head,
    /^"kind","layer","head","query","query id","query token","query piece","key","key id",/,
  );
  assert.equal(
    row.replaceAll('"', "").trim(),
    "self,1,2,150,150,w150, w150,20,20,w20, w20,0.5,130",
  );
  assert.throws(() => save.csv(stateOf([], { far: null })));
});
