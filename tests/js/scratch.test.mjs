import assert from "node:assert/strict";
import test from "node:test";
import { factsRequest, gridRequest } from "../../static/js/asking/requests.js";
import { sumsMarks } from "../../static/js/draw/sums.js";
import { transposed } from "../../static/js/numbers/matrix.js";
import { slicesInWords, slicesScene } from "../../static/js/numbers/slices.js";
import { configured, modified, withSettings } from "../../static/js/sources/scratch/settings.js";
import { DEFAULT_TARGET } from "../../static/js/sources/scratch/texts.js";
import {
  keptInWords,
  recipe,
  scratchInWords,
  sizeInWords,
} from "../../static/js/sources/scratch/words.js";
import { beforeOf, heldOf, sameTokens, transposeOf } from "../../static/js/state/against.js";
import { fit, modelIn, scoredBy } from "../../static/js/state/choice.js";
import { history, redo, undo } from "../../static/js/state/history.js";
import { Store } from "../../static/js/state/store.js";
import { fromQuery, toQuery } from "../../static/js/state/url.js";
import { differing } from "../../static/js/views/compare/differing.js";
import { stepsOf } from "../../static/js/views/inside/steps.js";
import { sumsInWords } from "../../static/js/words/picture.js";
import { pythonOf } from "../../static/js/words/python.js";
import { mechanisms, scratch, shipped } from "./models.mjs";

const models = [shipped, scratch];
const example = { texts: ["An example."], layer: 0, head: 0, query: null };
/** @param {string} search @returns {any} */
const opened = (search) => fromQuery(search, /** @type {any} */ (models), example, 4);
/** @param {string} id */
const named = (id) => /** @type {any} */ (mechanisms.find((one) => one.id === id));

test("a link gives back exactly the settings that made it, dotted as in a request", () => {
  const link =
    "?model=scratch&scratch.mechanism=fused-multi-head&scratch.d_head=5&scratch.scale=0.25" +
    "&scratch.causal_diagonal=-1&scratch.packing=qkv+head+d_head&scratch.residual=true" +
    "&scratch.seed=3&text=a+b&layer=0&head=0";
  const choice = opened(link);
  assert.deepEqual(choice.scratch, {
    mechanism: "fused-multi-head",
    seed: 3,
    d_head: 5,
    packing: "qkv head d_head",
    scale: 0.25,
    causal_diagonal: -1,
    residual: true,
  });
  assert.equal(toQuery(choice, /** @type {any} */ (models)), link);
});

test("what makes no sense is left out, and so is what is the mechanism's own, and weights", () => {
  const { scratch: found } = opened(
    "?model=scratch&scratch.mechanism=nothing&scratch.d_model=999&scratch.n_heads=x&scratch.scale=-1&scratch.norm=both" +
      "&scratch.residual=yes&scratch.seed=0&scratch.softmax_over=key&scratch.weights=AAAA",
  );
  assert.deepEqual(found, { mechanism: "multi-head" });
  const held = { ...opened("?model=scratch"), scratch: { mechanism: "multi-head", weights: "AA" } };
  assert.doesNotMatch(toQuery(held, /** @type {any} */ (models)), /weights/);
});

test("of another model a link says nothing of the settings", () => {
  const choice = { ...opened("?text=a"), scratch: { mechanism: "average", seed: 4 } };
  assert.doesNotMatch(toQuery(choice, /** @type {any} */ (models)), /scratch/);
});

test("a setting at the mechanism's own value is none that was changed", () => {
  const own = named("fused-multi-head");
  const changed = withSettings({ mechanism: own.id }, { d_head: 3, seed: 5 }, own);
  assert.deepEqual(modified(changed, own), ["d_head", "seed"]);
  assert.deepEqual(withSettings(changed, { d_head: 12, seed: undefined }, own), {
    mechanism: own.id,
  });
});

test("the model is as its settings make it, and the same object for the same settings", () => {
  const cross = { mechanism: "cross-attention", n_layers: 2, n_heads: 8 };
  const state = { model: "scratch", models: /** @type {any} */ (models), scratch: cross };
  const model = modelIn(state);
  assert.deepEqual([model.n_layers, model.n_heads, model.d_head], [2, 8, 4]);
  assert.deepEqual(model.sites?.[1], {
    name: "layers.1.cross",
    kind: "cross",
    layer: 1,
    n_heads: 8,
  });
  assert.equal(model.takes_targets, true);
  assert.equal(modelIn(state), model);
  const average = configured(/** @type {any} */ (scratch), { mechanism: "average" });
  assert.deepEqual([average.causal, average.d_head], [true, 8]);
  assert.deepEqual([average.d_ff, average.norm, average.residual], [0, "none", false]);
  const block = /** @type {any} */ ({ mechanism: "multi-head", d_ff: 64, norm: "post" });
  const made = configured(/** @type {any} */ (scratch), { ...block, residual: true });
  assert.deepEqual([made.d_ff, made.norm, made.residual], [64, "post", true]);
  assert.ok(!average.tensors?.includes("norms") && average.tensors?.includes("z"));
  assert.equal(modelIn({ ...state, model: "shipped" }), /** @type {any} */ (shipped));
});

test("layer and head keep within the settings, and who asks in cross-attention has a text", () => {
  const choice = opened("?model=scratch&text=a+b&head=3&muted=0.3");
  const small = { ...choice, models, scratch: { mechanism: "single-head" } };
  assert.deepEqual(fit(small, modelIn(small)), { head: 0, muted: [] });
  const cross = { ...choice, models, scratch: { mechanism: "cross-attention" } };
  const fits = fit(cross, modelIn(cross));
  assert.deepEqual([fits.targets, fits.kind], [[DEFAULT_TARGET], "cross"]);
  const typed = { ...cross, targets: ["mine"] };
  assert.equal(fit(typed, modelIn(typed)).targets, undefined);
  assert.deepEqual(opened("?model=scratch&scratch.mechanism=cross-attention").targets, [
    DEFAULT_TARGET,
  ]);
});

test("settings are part of every request of this model, and of no other", () => {
  const state = { ...opened("?model=scratch&scratch.seed=3&text=a"), models, lacks: {} };
  const sent = (/** @type {any} */ request) => request.scratch;
  assert.deepEqual(sent(gridRequest(state, modelIn(state))), { mechanism: "multi-head", seed: 3 });
  assert.deepEqual(sent(factsRequest(state, modelIn(state))), { mechanism: "multi-head", seed: 3 });
  const other = { ...state, model: "shipped" };
  assert.equal(sent(gridRequest(other, modelIn(other))), undefined);
});

test("facts are all heads of the layer, without what the mechanism does not give", () => {
  const state = { ...opened("?model=scratch&text=a&head=2"), models, lacks: {} };
  const { select, predict } = /** @type {any} */ (factsRequest(state, modelIn(state)));
  assert.deepEqual(select.tensors, ["pattern", "scores", "z", "blocked_by", "norms"]);
  assert.deepEqual([select.layers, select.heads, predict], [[0], undefined, null]);
  const bare = { ...state, scratch: { mechanism: "average" } };
  const asked = /** @type {any} */ (factsRequest(bare, modelIn(bare)));
  assert.ok(!asked.select.tensors.includes("norms"));
  assert.equal(factsRequest({ ...state, texts: ["a".repeat(900)] }, modelIn(state)), null);
});

test("heads whose weights are drawn anew are labelled by the sentence", () => {
  const state = { models: /** @type {any} */ (models), by: /** @type {const} */ ("probe") };
  assert.equal(scoredBy({ ...state, model: "scratch" }), "sentence");
  assert.equal(scoredBy({ ...state, model: "shipped" }), "probe");
});

test("settings are undone as masks are, with the text that came along", () => {
  const store = new Store({ ...opened("?model=scratch&text=a+b"), models, past: [], future: [] });
  history(store);
  const { scratch: before, texts } = store.state;
  store.update({ scratch: { mechanism: "multi-head", scale: 1 } });
  store.update({ scratch: { mechanism: "multi-head" }, texts: ["b a"] });
  assert.deepEqual(beforeOf(store.state)?.scratch, { mechanism: "multi-head", scale: 1 });
  store.update(undo(store.state) ?? {});
  assert.deepEqual([store.state.texts, store.state.scratch.scale], [texts, 1]);
  store.update(undo(store.state) ?? {});
  assert.equal(store.state.scratch, before);
  store.update(redo(store.state) ?? {});
  store.update(redo(store.state) ?? {});
  assert.deepEqual(store.state.texts, ["b a"]);
});

test("a link keeps the A of a comparison: its settings, and whether it is transposed", () => {
  const choice = opened("?model=scratch&text=a+b");
  const against = { ...transposeOf(choice), scratch: { mechanism: "multi-head", seed: 7 } };
  const link = toQuery({ ...choice, against }, /** @type {any} */ (models));
  assert.deepEqual(opened(link).against, against);
  const straight = { ...against, transposed: false };
  const other = toQuery({ ...choice, against: straight }, /** @type {any} */ (models));
  assert.deepEqual(opened(other).against, straight);
  assert.deepEqual(differing(against, choice), {
    a: ["seed 7", "transposed (j → i)"],
    b: ["seed 0", "as it is (i → j)"],
  });
});

test("of two settings of one mechanism only what differs is said", () => {
  const [a, b] = ["", "&scratch.scale=1/sqrt(d_model)"].map((more) =>
    heldOf(opened(`?model=scratch&text=a+b&scratch.d_model=64&scratch.n_heads=16${more}`)),
  );
  assert.deepEqual(differing(a, b), { a: ["scale 1/√d_head"], b: ["scale 1/√d_model"] });
});

test("a small scale is in its link as it was typed", () => {
  for (const [typed, scale] of [
    ["0.0000001", 1e-7],
    ["1e-7", 1e-7],
    ["0.30000000000000004", 0.30000000000000004],
  ]) {
    const choice = opened(`?model=scratch&text=a&scratch.scale=${typed}`);
    assert.equal(choice.scratch.scale, scale);
    assert.equal(opened(toQuery(choice, models)).scratch.scale, scale);
  }
  assert.equal(opened("?model=scratch&text=a&scratch.scale=1e9").scratch.scale, undefined);
});

test("words and characters are other tokens", () => {
  const choice = opened("?model=scratch&text=a+b");
  assert.ok(sameTokens(choice, { ...heldOf(choice), scratch: { mechanism: "average" } }));
  const letters = { mechanism: "multi-head", tokens: /** @type {const} */ ("characters") };
  assert.ok(!sameTokens(choice, { ...heldOf(choice), scratch: letters }));
});

test("a transpose is of rows and columns that differ in number", () => {
  const matrix = { rows: 2, cols: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) };
  const { rows, cols, data } = transposed(matrix);
  assert.deepEqual([rows, cols, [...data]], [3, 2, [1, 4, 2, 5, 3, 6]]);
});

test("the recipe is of the settings as they ran", () => {
  const own = named("multi-head");
  const ran = { ...own.defaults, d_head: 8 };
  const plain = "softmax over keys of (q · k / √8) · v → W_O, 4 heads of 8 channels";
  assert.equal(recipe(ran, own), plain);
  assert.equal(
    recipe({ ...ran, scale: 1, softmax_over: "query", mask_applied: "after", d_ff: 5 }, own),
    "softmax over queries of (q · k), then the masks · v → W_O, 4 heads of 8 channels; feed-forward 32 → 5 → 32",
  );
  assert.equal(
    recipe({ ...ran, n_kv_heads: 2, positions: "alibi" }, own),
    "softmax over keys of ((q · k / √8) − slope · distance) · v → W_O, 4 heads of 8 channels over 2 heads of keys and values",
  );
  const average = named("average");
  assert.equal(
    recipe({ ...average.defaults, d_head: 8 }, average),
    "softmax over keys of zeros · x",
  );
  assert.match(recipe({ ...ran, scale: "1/sqrt(d_model)" }, own), /\(q · k \/ √32\)/);
  assert.equal(
    recipe({ ...ran, kernel: "linear" }, own),
    "φ(q) · φ(k) divided by its sum over keys, φ(x) = elu(x) + 1, · v → W_O, 4 heads of 8 channels",
  );
  const fading = { ...ran, kernel: "product", positions: "alibi" };
  assert.equal(
    recipe(fading, own),
    "(q · k / √8), fading with the distance, · v → W_O, 4 heads of 8 channels",
  );
  assert.match(
    recipe({ ...fading, selective: true }, own),
    /^\(q · k \/ √8\), fading as the tokens between decide, · v/,
  );
  assert.match(recipe({ ...ran, kernel: "product" }, own), /^\(q · k \/ √8\) · v/);
  assert.equal(
    recipe({ ...ran, minus: 0.5 }, own),
    plain.replace(" · v", ", less 0.5 times that of the pair’s second head, · v"),
  );
  assert.equal(recipe({ ...ran, gate: true }, own), plain.replace("· v", "· v, times the gate"));
  assert.equal(
    recipe({ ...ran, d_latent: 5, window: 3, sink: 0 }, own),
    "softmax over keys of (q · k / √8) and a sink of 0 · v → W_O, 4 heads of 8 channels; k and v read off 5 channels; the last 3 tokens",
  );
});

test("the size, and what a token keeps", () => {
  const ran = /** @type {any} */ ({
    n_layers: 1,
    n_heads: 4,
    d_head: 8,
    n_kv_heads: null,
    minus: null,
  });
  assert.equal(sizeInWords(ran), "1 layer × 4 heads of 8 channels");
  assert.equal(
    keptInWords(ran),
    "While a text is written, each token keeps 64 numbers for those after it (128 bytes in float16).",
  );
  assert.equal(
    keptInWords({ ...ran, n_kv_heads: 1 }),
    "While a text is written, each token keeps 16 numbers for those after it (32 bytes in float16), in place of 64.",
  );
  assert.equal(
    keptInWords({ ...ran, d_latent: 5, window: 3 }),
    "While a text is written, each token keeps 5 numbers for those after it (10 bytes in float16), in place of 64, and only the last 3 tokens are kept.",
  );
  assert.match(keptInWords({ ...ran, minus: 0.5 }), /keeps 48 numbers .* in place of 64\.$/);
  assert.match(keptInWords({ ...ran, selective: true }), /keeps 68 numbers/);
  assert.match(keptInWords({ ...ran, kernel: "product" }), /256 sums stand in for all keys/);
  assert.equal(
    keptInWords({ ...ran, kernel: "linear" }),
    "While a text is written, 288 sums stand in for all keys and values (576 bytes in float16), however long it is; keys and values would take 64 numbers a token.",
  );
});

test("settings and what sums to 1 are said in words", () => {
  assert.equal(
    scratchInWords({ mechanism: "block", scale: 1, residual: false, causal_diagonal: 1 }),
    "block, scale 1, causal mask one too wide, residual off",
  );
  assert.equal(sumsInWords({ softmax_over: "key", mask_applied: "before" }), "");
  assert.match(sumsInWords({ softmax_over: "query", mask_applied: "before" }), /^Columns sum to 1/);
  assert.match(
    sumsInWords({ softmax_over: "key", mask_applied: "before", kernel: "product" }),
    /^No softmax/,
  );
  assert.match(
    sumsInWords({ softmax_over: "key", mask_applied: "after" }),
    /rows sum to less than 1/,
  );
});

test("each head owns a slice of the channels, and sees every token", () => {
  const sizes = { n_heads: 4, d_head: 3, tokens: 5, output: true, none: false };
  assert.match(
    slicesInWords(sizes, 2),
    /^Head 2 sees all 5 tokens and works with channels 6 to 8 of q/,
  );
  const paper = { ink: "i", faint: "f", line: "l", panel: "p", font: "s" };
  const look = { head: 2, width: 600, colors: ["a", "b", "c"], paper };
  const cells = slicesScene(sizes, look).marks.filter(({ mark }) => mark === "rect");
  assert.equal(cells.length, 4 * 4 * 5); // q, k, v and z; heads; tokens
  assert.equal(cells.filter((cell) => "opacity" in cell && cell.opacity === 1).length, 4 * 5);
});

test("a bar is as long as its sum, and a line stands where a sum is 1", () => {
  const paper = { ink: "ink", faint: "f", line: "l", panel: "p", font: "s" };
  const slot = (/** @type {number} */ place) => ({ place, from: 20 * place, size: 20 });
  const seen = { rows: [slot(0), slot(1)], columns: [slot(0)], right: 100, bottom: 40 };
  const marks = sumsMarks({ rows: [2, 0.5], columns: [1] }, seen, { bar: "bar", paper });
  /** @type {any[]} */
  const bars = marks.filter((mark) => mark.mark === "rect" && mark.fill === "bar");
  assert.equal(bars[0].width, 4 * bars[1].width);
  assert.equal(bars[2].height, bars[0].width / 2);
  /** @type {any} */
  const line = marks.find((mark) => mark.mark === "rect" && mark.fill === "ink");
  assert.equal(line.x - bars[0].x, bars[0].width / 2);
  const said = marks.flatMap((mark) => (mark.mark === "text" ? [mark.text] : []));
  assert.deepEqual(said, ["2", "0.5", "Σ row", "Σ column"]);
});

test("where masks come after the softmax, the steps say so", () => {
  const site = { name: "layers.0", soft_cap: null };
  const of = (/** @type {string} */ mask_applied) =>
    stepsOf(
      /** @type {any} */ ({ trace: { sites: [{ ...site, mask_applied }] }, tensors: new Map() }),
    )
      .map(({ name }) => name)
      .slice(-5);
  assert.deepEqual(of("before"), ["score", "mask", "weight", "moved", "z"]);
  assert.deepEqual(of("after"), ["share", "mask", "weight", "moved", "z"]);
});

test("the program configures the mechanism as the page does", () => {
  const choice = {
    ...opened("?model=scratch&scratch.mechanism=average&scratch.seed=3&text=a+b"),
    matrix: /** @type {const} */ ("pattern"),
  };
  const token = { text: "a", padding: false };
  const seen = { text: 0, row: 0, tokens: [token], targets: null, queries: [token] };
  const program = pythonOf(choice, /** @type {any} */ (scratch), /** @type {any} */ (seen));
  assert.match(program, /settings=configure\("average", \{"seed": 3\}\),/);
  assert.match(program, /source = ScratchSource\("scratch"\)/);
});
