import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped, t5 } from "../models.mjs";
import { click, document, leave, page, point, press, texts } from "./dom.mjs";

const { palette } = await import("../../../static/js/dom/palette.js");
const { text } = await import("../../../static/js/views/text/text.js");

const tokens = (/** @type {string[]} */ ...names) =>
  names.map((text, id) => ({
    id,
    text,
    start: 2 * id,
    end: 2 * id + 1,
    special: false,
    padding: false,
    segment: 0,
  }));
const FOUR = tokens("Mary", "saw", "the", "the");
const CAUSAL = [0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0];
const ROWS = [1, 0, 0, 0, 0.25, 0.75, 0, 0, 0.5, 0.3, 0.2, 0, 0.1, 0.2, 0.3, 0.4];
const EVEN = [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.4, 0.4, 0.2, 0, 0.3, 0.2, 0.1, 0.4];

/** The answer for some heads of a layer. @param {number} layer @param {[head: number, pattern: number[]][]} heads */
const answered = (layer, heads) => ({
  trace: {
    model: "shipped",
    tokens: [FOUR],
    sites: [
      {
        name: `layers.${layer}`,
        kind: "self",
        layer,
        heads: heads.map(([head]) => head),
        query_tokens: "tokens",
        key_tokens: "tokens",
        muted: [],
        softmax_over: "key",
      },
    ],
  },
  tensors: new Map([
    [
      `layers.${layer}.pattern`,
      {
        shape: [1, heads.length, 4, 4],
        data: Float32Array.from(heads.flatMap(([, data]) => data)),
      },
    ],
    [`layers.${layer}.blocked_by`, { shape: [1, 1, 4, 4], data: Uint8Array.from(CAUSAL) }],
  ]),
});

/** @param {object} [more] of the state */
function view(more) {
  page();
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const store = new Store({
    model: "shipped",
    models: [shipped, t5],
    texts: ["Mary saw the the"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    scratch: { mechanism: "multi-head" },
    shown: 0,
    view: "text",
    kind: "self",
    layer: 1,
    head: 4,
    query: 2,
    hover: null,
    segments: "all",
    over: "head",
    role: "query",
    overlay: [],
    scheme: "light",
    scale: "ink",
    steps: "linear",
    next: null,
    text: null,
    detail: answered(1, [[4, ROWS]]),
    ...more,
  });
  text(root, store, { retry: () => {} });
  return store;
}

const all = (paragraph = 0) => [
  ...document.querySelectorAll(".text-tokens")[paragraph].querySelectorAll("button"),
];
const said = () => texts(".text-said")[0];
const about = () => texts(".text-about")[0];

/** The step of the scale of each token; "hatched" where it is blocked, and null without a colour. */
function steps(paragraph = 0) {
  const { sequential: table } = palette("light");
  const of = (/** @type {number} */ step) =>
    `rgb(${table.slice(4 * step, 4 * step + 3).join(", ")})`;
  const scale = Array.from({ length: 256 }, (_, step) => of(step));
  return all(paragraph).map(({ style: { background } }) =>
    background.startsWith("url(") ? "hatched" : background ? scale.indexOf(background) : null,
  );
}
const step = (/** @type {number} */ weight) => Math.round(255 * weight);
const shares = () => all().map(({ dataset }) => dataset.share);

test("the row that is read colours the text", () => {
  view();
  assert.deepEqual(steps(), [step(0.5), step(0.3), step(0.2), "hatched"]);
  assert.deepEqual(shares(), ["50%", "30%", "20%", ""]);
  assert.match(said(), /^“the” \(token 2\) gives 50% to “Mary”, 30% to “saw”/);
  assert.match(about(), /Hatched tokens are blocked by the causal mask\./);
  const pressed = all().map((token) => token.getAttribute("aria-pressed"));
  assert.deepEqual(pressed, ["false", "false", "true", "false"]);
});

test("pointing shows another token, which other views learn, until the pointer leaves", () => {
  const store = view();
  point(all()[1]);
  assert.deepEqual(store.state.hover, { axis: "tokens", place: 1, role: "query" });
  assert.deepEqual(steps(), [step(0.25), step(0.75), "hatched", "hatched"]);
  assert.match(said(), /^“saw” gives 75% to “saw”/);
  assert.ok(all()[1].classList.contains("pointed"));
  leave(document.querySelector(".text-body"));
  assert.equal(store.state.hover, null);
  assert.deepEqual(steps(), [step(0.5), step(0.3), step(0.2), "hatched"]);
});

test("what another view points at is shown here", () => {
  const store = view();
  store.update({ hover: { axis: "tokens", place: 3 } });
  assert.deepEqual(steps(), [0.1, 0.2, 0.3, 0.4].map(step));
  assert.match(said(), /^“the” \(token 3\) gives 40% to “the” \(token 3\)/);
});

test("a click reads a token, and Escape reads none", () => {
  const store = view();
  all()[1].click();
  assert.equal(store.state.query, 1);
  all()[1].focus();
  press("Escape");
  assert.deepEqual([store.state.query, store.state.hover], [null, null]);
});

test("the keys walk the tokens to either end, and one of them is a stop for Tab", () => {
  view();
  const stops = () => all().filter(({ tabIndex }) => tabIndex === 0).length;
  assert.equal(stops(), 1);
  const focused = () => all().indexOf(document.activeElement);
  all()[2].focus();
  press("ArrowRight");
  assert.equal(focused(), 3);
  press("ArrowRight"); // there is nothing after the last
  assert.equal(focused(), 3);
  press("Home");
  assert.equal(focused(), 0);
  assert.match(said(), /^“Mary” gives 100%/);
  press("End");
  press("ArrowLeft");
  assert.equal(focused(), 2);
  assert.equal(stops(), 1);
});

test("who looks at a token, of one head and of the mean of its layer", () => {
  const heads = Array.from({ length: 8 }, (_, head) => [head, head === 4 ? ROWS : EVEN]);
  const store = view({ text: { status: "ready", problem: null, answer: answered(1, heads) } });
  click(".text-tools label", "Is looked at by");
  assert.equal(store.state.role, "key");
  point(all()[1]);
  assert.deepEqual(steps(), ["hatched", step(0.75), step(0.3), step(0.2)]);
  assert.match(said(), /^“saw” is looked at by “saw” \(75%\)/);
  click(".text-tools label", "Layer mean");
  assert.equal(store.state.over, "layer");
  const mean = (/** @type {number} */ a, /** @type {number} */ b) => step((a + 7 * b) / 8);
  assert.deepEqual(steps(), ["hatched", mean(0.75, 0.5), mean(0.3, 0.4), step(0.2)]);
  assert.match(about(), /mean of its 8 heads/);
});

test("a set of heads is averaged, and a head can be taken away", () => {
  const of = (/** @type {[number, number[]][]} */ ...heads) => ({
    text: { status: "ready", problem: null, answer: answered(1, heads) },
  });
  const store = view({ over: "set", overlay: [[1, 6]], ...of([4, ROWS], [6, EVEN]) });
  assert.deepEqual(steps(), [step(0.45), step(0.35), step(0.2), "hatched"]);
  assert.match(about(), /Mean of 2 heads: L1 · H4, L1 · H6/);
  assert.deepEqual(texts(".text-heads li"), ["L1 · H4", "L1 · H6×"]);
  click(".text-heads button", "Remove L1 · H6");
  assert.deepEqual(store.state.overlay, []);
  assert.deepEqual(steps(), [step(0.5), step(0.3), step(0.2), "hatched"]);
});

test("a muted head says so, alone and among others", () => {
  const store = view({ muted: [[1, 4]] });
  assert.match(about(), /This head is muted/);
  const heads = Array.from({ length: 8 }, (_, head) => [head, EVEN]);
  store.update({ text: { status: "ready", problem: null, answer: answered(1, heads) } });
  click(".text-tools label", "Layer mean");
  assert.match(about(), /1 of these heads is muted/);
});

test("cross-attention has two texts, and colours the other one", () => {
  const [target, source] = [tokens("un", "chat"), tokens("a", "cat", "sat")];
  const detail = {
    trace: {
      model: "t5",
      tokens: [source],
      target_tokens: [target],
      sites: [
        {
          name: "cross.1",
          kind: "cross",
          layer: 1,
          heads: [2],
          muted: [],
          query_tokens: "target_tokens",
          key_tokens: "tokens",
          softmax_over: "key",
        },
      ],
    },
    tensors: new Map([
      [
        "cross.1.pattern",
        { shape: [1, 1, 2, 3], data: Float32Array.of(0.5, 0.3, 0.2, 0.2, 0, 0.8) },
      ],
      ["cross.1.blocked_by", { shape: [1, 1, 2, 3], data: new Uint8Array(6) }],
    ]),
  };
  view({ model: "t5", kind: "cross", head: 2, targets: ["un chat"], query: 0, detail });
  assert.deepEqual(texts(".text-tag"), ["target", "source"]);
  assert.deepEqual([all(0).length, all(1).length], [2, 3]);
  point(all(0)[1]);
  assert.deepEqual(steps(1), [step(0.2), step(0), step(0.8)]);
  assert.deepEqual(steps(0), [null, null]);
  point(all(1)[2]);
  assert.deepEqual(steps(0), [step(0.2), step(0.8)]);
  assert.deepEqual(steps(1), [null, null, null]);
  assert.match(said(), /^“sat” is looked at by “chat” \(80%\)/);
  assert.equal(document.querySelector(".text-tools fieldset").hidden, true);
});
