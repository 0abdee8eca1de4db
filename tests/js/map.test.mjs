// The map of a model as geometry: any stack of layers, from one head to thousands.

import assert from "node:assert/strict";
import test from "node:test";
import { layoutOf } from "../../static/js/draw/map/layout.js";
import { looksOf } from "../../static/js/draw/map/looks.js";
import { neighbour } from "../../static/js/draw/map/neighbour.js";
import { mapScene } from "../../static/js/draw/map/paper.js";
import { folds, planOf } from "../../static/js/draw/map/plan.js";
import { NAMES, WORDING } from "../../static/js/views/map/words.js";
import { bert, shipped, t5 } from "./models.mjs";

const sites = (kind, layers, n_heads) =>
  Array.from({ length: layers }, (_, layer) => ({
    name: `${kind}.${layer}`,
    kind,
    layer,
    n_heads,
  }));
const single = { predicts: "next", sites: sites("self", 1, 1) };
const large = { predicts: "next", sites: sites("self", 48, 48) };
const crossing = { predicts: null, sites: sites("cross", 2, 4) };

/** @param {any} model @param {any} [more] */
function drawn(model, more) {
  const plan = planOf(model);
  const fold = folds(plan);
  return layoutOf({
    plan,
    width: 700,
    feed: "feed-forward",
    norm: "pre",
    residual: true,
    tokens: { tokens: ["[BOS]", "Mary", "saw"], target_tokens: ["un", "chat"] },
    at: { tokens: 2 },
    open: (_, layer) => !fold || layer === 7,
    result: "“her” 72.3%",
    names: NAMES,
    wording: WORDING,
    ...more,
  });
}
const kindsIn = (layout) => layout.paths.map(({ stages }) => stages.map(({ kind }) => kind));
const of = (layout, kind) => layout.places.filter((place) => place.kind === kind);
const touches = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("a decoder, an encoder, an encoder–decoder and cross-attention alone have their stacks", () => {
  const stacks = (model) =>
    planOf(model).map(({ axis, kind, layers, end }) => [axis, kind, layers.length, end]);
  assert.deepEqual(stacks(shipped), [["tokens", "self", 3, "prediction"]]);
  assert.deepEqual(stacks(bert), [["tokens", "self", 3, "prediction"]]);
  assert.deepEqual(stacks(t5), [
    ["tokens", "encoder", 2, "memory"],
    ["target_tokens", "decoder", 3, "prediction"],
  ]);
  assert.deepEqual(stacks(crossing), [
    ["tokens", "encoder", 0, "memory"],
    ["target_tokens", "cross", 2, "output"],
  ]);
  assert.deepEqual(planOf({ sites: null, predicts: null }), []);
  const [, decoder] = planOf(t5);
  assert.deepEqual(
    decoder.layers[1].attention.map(({ kind, n_heads }) => [kind, n_heads]),
    [
      ["decoder", 4],
      ["cross", 4],
    ],
  );
});

test("the path of a token visits every part in the order of the computation", () => {
  const layer = ["attention", "feed"];
  const ends = ["unembedding", "prediction"];
  assert.deepEqual(kindsIn(drawn(single)), [["token", "embedding", ...layer, ...ends]]);
  assert.deepEqual(kindsIn(drawn(single, { feed: null })), [
    ["token", "embedding", "attention", ...ends],
  ]);
  const both = ["attention", "attention", "feed"];
  assert.deepEqual(kindsIn(drawn(t5, { at: { target_tokens: 1 } })), [
    ["embedding", ...layer, ...layer, "memory"],
    ["token", "embedding", ...both, ...both, ...both, ...ends],
  ]);
  for (const model of [single, shipped, t5, crossing, large]) {
    for (const { stages } of drawn(model).paths) {
      const heights = stages.map(({ y }) => y);
      assert.deepEqual(
        heights,
        [...heights].sort((a, b) => a - b),
        "it never goes up",
      );
    }
  }
});

test("every head is a place of its own, inside the drawing, at any width; nothing overlaps", () => {
  for (const model of [single, shipped, t5, crossing]) {
    for (const width of [340, 480, 900]) {
      const layout = drawn(model, { width });
      const n = model.sites.reduce((sum, { n_heads }) => sum + n_heads, 0);
      assert.equal(of(layout, "head").length, n);
      assert.ok(layout.width <= width, `${layout.width} of ${width}`);
      for (const [i, place] of layout.places.entries()) {
        assert.ok(place.x >= 0 && place.x + place.width <= layout.width, place.id);
        assert.ok(place.y >= 0 && place.y + place.height <= layout.height, place.id);
        assert.ok(place.width >= 24 && place.height >= 24, `${place.id} is large enough to press`);
        const over = layout.places.slice(i + 1).find((other) => touches(place, other));
        assert.equal(over, undefined, `${place.id} and ${over?.id} at ${width}`);
      }
    }
  }
});

test("48 layers of 48 heads: the selected layer shows its heads, the others one box each", () => {
  const layout = drawn(large, { width: 340 });
  assert.equal(of(layout, "head").length, 48);
  assert.deepEqual([...new Set(of(layout, "head").map(({ at }) => at))], [7]);
  assert.equal(of(layout, "heads").length, 47);
  assert.equal(of(layout, "heads")[0].label, "48 heads");
  assert.ok(layout.height < 48 * 100);
  assert.ok(layout.width <= 340);
});

test("heads that take several rows stand in equal ones, and every kind of attention has its name", () => {
  const twelve = drawn({ predicts: "next", sites: sites("self", 1, 12) }, { width: 480 });
  const heads = of(twelve, "head");
  assert.deepEqual(
    [heads[0], heads[6]].map(({ y }) => heads.filter((head) => head.y === y).length),
    [6, 6],
  );
  for (const width of [340, 700]) {
    const names = drawn(t5, { width }).labels.filter(({ role }) => role === "layer");
    assert.deepEqual(
      names.slice(0, 4).map(({ text }) => text),
      ["layer 0", "layer 1", "layer 0, self", "cross"],
    );
  }
});

test("cross-attention reads what the encoder made, or the embedded source", () => {
  const memories = (model) => drawn(model).lines.filter(({ role }) => role === "memory").length;
  assert.deepEqual([memories(shipped), memories(t5), memories(crossing)], [0, 3, 2]);
  const [from] = of(drawn(t5), "memory");
  const start = `M${from.x} ${from.y + from.height / 2}H`;
  assert.ok(drawn(t5).lines.some(({ d }) => d.startsWith(start)));
});

test("norms stand before or after the sum, and without a residual a part replaces the vector", () => {
  const [pre, post, none] = ["pre", "post", null].map((norm) => drawn(single, { norm }));
  assert.deepEqual([pre.norms.length, post.norms.length, none.norms.length], [2, 2, 0]);
  const node = (layout) => layout.labels.filter(({ role }) => role === "node");
  const sum = node(post)[0];
  assert.ok(post.norms[0].y > sum.y && pre.norms[0].y < node(pre)[0].y);
  assert.deepEqual(
    [drawn(single), drawn(single, { residual: false })].map((layout) => node(layout)[0].text),
    ["+", "="],
  );
});

test("a long text shows the tokens around the selected one", () => {
  const tokens = Array.from({ length: 500 }, (_, index) => `word${index}`);
  const layout = drawn(shipped, { width: 340, tokens: { tokens }, at: { tokens: 250 } });
  const shown = of(layout, "token").map(({ at }) => at);
  assert.ok(shown.includes(250) && shown.length > 3 && shown.length < 40, String(shown));
  assert.deepEqual(
    shown,
    [...shown].sort((a, b) => a - b),
  );
  assert.equal(layout.labels.filter(({ role }) => role === "more").length, 2);
  assert.ok(of(layout, "token").every(({ x, width }) => x + width <= layout.width));
  assert.deepEqual(of(drawn(shipped, { tokens: {}, at: {} }), "token"), []);
});

test("arrow keys lead to the place beside, above or below, and every place can be reached", () => {
  const { places } = drawn(shipped);
  const go = (id, ...keys) => keys.reduce((at, key) => neighbour(places, at, `Arrow${key}`), id);
  assert.equal(go("head:self:1:3", "Right"), "head:self:1:4");
  assert.equal(go("head:self:1:3", "Down"), "head:self:2:3");
  assert.equal(go("head:self:1:7", "Right"), "feed:self:1");
  assert.equal(go("head:self:0:0", "Left"), "head:self:0:0");
  assert.equal(go("feed:self:2", "Down", "Down"), "prediction:self");
  assert.equal(go("token:tokens:0", "Left"), "sentence:tokens");
  for (const model of [single, shipped, t5, large]) {
    const layout = drawn(model);
    const reached = new Set([layout.places[0].id]);
    for (const id of reached) {
      for (const key of ["Left", "Right", "Up", "Down"]) {
        reached.add(neighbour(layout.places, id, `Arrow${key}`));
      }
    }
    assert.equal(reached.size, layout.places.length);
  }
});

test("the looks of a head run from the tokens that it looks at, the strongest first", () => {
  const layout = drawn(shipped);
  const shares = [0.03, 0.27, 0.7];
  const share = ({ kind, at }) => (kind === "token" ? shares[at] : 0);
  const looks = looksOf(layout, "head:self:2:5", share);
  assert.deepEqual(
    looks.map(({ share }) => share),
    [0.7, 0.27],
  );
  const saw = layout.places.find(({ id }) => id === "token:tokens:2");
  const head = layout.places.find(({ id }) => id === "head:self:2:5");
  assert.ok(looks[0].d.startsWith(`M${saw.x + saw.width / 2} ${saw.y + saw.height}V`));
  assert.ok(looks[0].d.endsWith(`H${head.x + head.width / 2}V${head.y}`));
  assert.deepEqual(looksOf(layout, "feed:self:2", share), []);
});

test("on paper every place has its name, and muted heads are crossed out", () => {
  const layout = drawn(single);
  const paper = { ink: "#000", faint: "#555", line: "#ccc", panel: "#fff", font: "serif" };
  const colours = { paper, accent: "#f00", hatch: "#888", categories: ["#00f"] };
  const marks = { selected: "head:self:0:0", muted: ({ kind }) => kind === "head", share: () => 0 };
  const scene = mapScene(layout, marks, "Map", colours);
  const words = scene.marks.filter(({ mark }) => mark === "text").map(({ text }) => text);
  for (const { label } of layout.places) assert.ok(words.includes(label), label);
  assert.equal(scene.marks.filter(({ stroke }) => stroke === "#888").length, 1);
  assert.equal(
    scene.marks.filter(({ stroke, mark }) => stroke === "#f00" && mark === "rect").length,
    1,
  );
  assert.ok(JSON.stringify(scene).match(/NaN|null/) === null);
});
