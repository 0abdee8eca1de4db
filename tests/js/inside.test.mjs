import assert from "node:assert/strict";
import test from "node:test";
import { toSvg } from "../../static/js/draw/scene.js";
import { leadOf } from "../../static/js/views/inside/arithmetic/lead.js";
import { arithmetic } from "../../static/js/views/inside/arithmetic/line.js";
import { insideRequest } from "../../static/js/views/inside/request.js";
import { drift, keyOf, ordered, partsOf } from "../../static/js/views/inside/row.js";
import { insideScene } from "../../static/js/views/inside/scene.js";
import { computedIn, shownOf, stepped, stepsOf } from "../../static/js/views/inside/steps.js";
import {
  agreementInWords,
  READOUT,
  remarks,
  stepInWords,
  VECTORS,
} from "../../static/js/views/inside/words.js";
import { bloom, shipped } from "./models.mjs";

const Q = [1, -2];
const K = [
  [0.5, 0.25],
  [-1, 0.5],
  [2, 0.125],
];
const V = [
  [1, 0],
  [0, 1],
  [4, 4],
];

/** @param {number[][]} rows */
const tensor = (rows) => ({
  shape: [1, 1, rows.length, rows[0].length],
  data: Float32Array.from(rows.flat()),
});

/**
 * A site of one head whose numbers follow from one another; `rows` are the queries that were asked for.
 * @param {Record<string, any>} changes
 */
function answer({ queries = [Q], bits = [[0, 0, 1]], biases, ...site } = {}) {
  const { scale = 0.5, soft_cap = null, sink = null, softmax_over = "key", muted = [] } = site;
  const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    a.reduce((sum, one, at) => sum + one * b[at], 0);
  const scores = queries.map((q, row) =>
    K.map((k, key) => {
      const scaled = scale * dot(q, k);
      const capped = soft_cap === null ? scaled : soft_cap * Math.tanh(scaled / soft_cap);
      return capped + (biases?.[row][key] ?? 0);
    }),
  );
  const most = Math.max(...scores.flat());
  const terms = scores.map((row, i) => row.map((s, j) => (bits[i][j] ? 0 : Math.exp(s - most))));
  const extra = sink ? Math.exp(sink[0] - most) : 0;
  const share = (/** @type {number} */ i, /** @type {number} */ j) => {
    const all = softmax_over === "key" ? terms[i] : terms.map((row) => row[j]);
    const sum = all.reduce((a, b) => a + b, 0);
    return sum === 0 ? 0 : terms[i][j] / (sum + extra);
  };
  const pattern = terms.map((row, i) => row.map((_, j) => share(i, j)));
  const z = pattern.map((row) =>
    V[0].map((_, c) => (muted.includes(0) ? 0 : row.reduce((sum, w, j) => sum + w * V[j][c], 0))),
  );
  /** @type {[string, any][]} */
  const tensors = [
    ["q", tensor(queries)],
    ["k", tensor(K)],
    ["v", tensor(V)],
    ["scores", tensor(scores)],
    ["pattern", tensor(pattern)],
    ["z", tensor(z)],
    ["result", tensor(z.map(([a, b]) => [a, b, 2 * a]))],
    ["blocked_by", { ...tensor(bits), data: Uint8Array.from(bits.flat()) }],
  ];
  if (biases) tensors.push(["bias", tensor(biases)]);
  return {
    trace: {
      tokens: [K.map((_, id) => ({ id, text: `t${id}`, padding: false }))],
      target_tokens: null,
      sites: [
        {
          name: "layers.0",
          kind: "self",
          layer: 0,
          heads: [0],
          n_kv_heads: 1,
          scale,
          soft_cap,
          sink,
          softmax_over,
          muted,
          has_bias: Boolean(biases),
          minus: null,
          query_tokens: "tokens",
          key_tokens: "tokens",
          blocked_rows: [],
        },
      ],
    },
    tensors: new Map(tensors.map(([name, one]) => [`layers.0.${name}`, one])),
  };
}

const close = (/** @type {number} */ a, /** @type {number} */ b) =>
  assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("the parts of a row follow from q, k and v, and agree with what was answered", () => {
  const parts = partsOf(answer(), 0, 2);
  const [first, , last] = parts.lines;
  assert.deepEqual([...first.product], [0.5, -0.5]);
  assert.deepEqual([first.dot, first.scaled, last.dot, last.scaled], [0, 0, 1.75, 0.875]);
  assert.equal(last.bits, 1);
  assert.deepEqual([...last.moved], [0, 0]);
  close(first.weight, 1 / (1 + Math.exp(-1)));
  const { score, weight, z } = drift(parts);
  for (const off of [score, weight, z]) close(off, 0);
  assert.match(agreementInWords(drift(parts)), /differ by at most \S+ in a score/);
});

test("in linear attention the score is the logarithm of q·k, and the line says so", () => {
  const one = answer({ queries: [[1, 2]] });
  const [site] = one.trace.sites;
  Object.assign(site, { kernel: "linear" });
  const dots = K.map(([a, b]) => 1 * a + 2 * b);
  const { lines } = partsOf(one, 0, 0);
  for (const [key, { dot, scaled }] of lines.entries()) {
    close(dot, dots[key]);
    if (dot > 0) close(scaled, Math.log(dot));
  }
  assert.ok(stepsOf(one).some(({ name, label }) => name === "scaled" && label === "ln"));
  const positive = dots.findIndex((dot) => dot > 0);
  assert.match(arithmetic(partsOf(one, 0, 0), positive).line, /→ ln \d+\.\d+ \+ 0 = /);
});

test("without a softmax the score is the weight, with its sign, and every sentence says so", () => {
  const one = answer({ queries: [Q], biases: [[-0.5, -0.25, 0]] });
  const [site] = one.trace.sites;
  Object.assign(site, { kernel: "product" });
  assert.ok(site.has_bias);
  const scaled = K.map(([a, b]) => 0.5 * (a - 2 * b));
  const scores = scaled.map((number, key) => number * Math.exp([-0.5, -0.25, 0][key]));
  const weights = scores.map((score, key) => (key === 2 ? 0 : score)); // the last is blocked
  one.tensors.set("layers.0.scores", tensor([scores]));
  one.tensors.set("layers.0.hidden", tensor([weights]));
  const z = [0, 1].map((channel) => weights.reduce((sum, w, key) => sum + w * V[key][channel], 0));
  one.tensors.set("layers.0.z", tensor([z]));
  const parts = partsOf(one, 0, 0);
  assert.deepEqual(
    parts.lines.map(({ against }) => against),
    [null, null, null],
  );
  for (const [key, { weight }] of parts.lines.entries()) close(weight, weights[key]);
  const off = drift(parts);
  for (const each of [off.score, off.weight, off.z]) close(each, 0);
  parts.lines[1].weight += 0.5;
  close(drift(parts).weight, 0.5);
  parts.lines[1].weight -= 0.5;
  assert.ok(weights[1] < 0 && keyOf(parts, null) === 1, "the largest by size");
  assert.deepEqual(
    ordered(parts.lines, "weight").map(({ key }) => key),
    [1, 0, 2],
  );
  const labels = stepsOf(one).map(({ label }) => label);
  assert.deepEqual(labels.slice(3, 9), ["q·k", "× scale", "× e^bias", "mask", "weight", "× v"]);
  assert.match(arithmetic(parts, 1).line, /× e\^\(−0\.2500\) = −0\.7788, the weight: there is no/);
  assert.match(arithmetic(parts, 2).line, /blocked by .*, so its weight is 0$/);
  const told = leadOf({ parts, key: 1, query: "sat", labels: ["a", "b", "c"] });
  assert.match(
    told[1],
    /that is −1\.0000\. Of this key, 77\.9% is left .* score is −0\.7788\. There/,
  );
  assert.match(told.at(-1), /takes −0\.7788 times the vector v of “b”/);
  assert.match(stepInWords("weight", parts, "sat"), /there is no softmax/);
  assert.match(stepInWords("score", parts, "sat"), /what is left of this key/);
});

test("a gate is a step before z, and its factor is that of the row", () => {
  const one = answer({ queries: [Q, Q, Q], bits: [0, 0, 0].map(() => [0, 0, 1]) });
  const [site] = one.trace.sites;
  Object.assign(site, { has_gate: true });
  const gate = Float32Array.of(0.9, 0.5, 0.25);
  one.tensors.set("layers.0.gate", { shape: [1, 1, 3], data: gate });
  const z = one.tensors.get("layers.0.z");
  z.data = z.data.map((value, at) => value * gate[Math.floor(at / 2)]);
  const parts = partsOf(one, 0, 2);
  assert.equal(parts.gate, 0.25);
  close(drift(parts).z, 0);
  z.data[4] += 0.5;
  close(drift(partsOf(one, 0, 2)).z, 0.5);
  const labels = stepsOf(one).map(({ label }) => label);
  assert.deepEqual(labels.slice(-4), ["× v", "× gate", "z", "z · W_O"]);
  assert.match(stepInWords("gate", parts, "sat"), /“sat” this head passes on 25.0% of what it/);
  assert.equal(VECTORS.z(parts), "z, gated");
  assert.match(
    leadOf({ parts, key: 0, query: "sat", labels: ["a", "b", "c"] }).at(-1),
    /: 25.0% of/,
  );
});

test("a head that is subtracted says so, and its pair too", () => {
  const one = answer();
  const [site] = one.trace.sites;
  Object.assign(site, { minus: 0.8 });
  assert.match(remarks(partsOf(one, 0, 2), 8)[0], /first head of a pair: 0.8 times what head 1/);
  Object.assign(site, { heads: [3] });
  assert.match(remarks(partsOf(one, 0, 2), 8)[0], /−0.8 times those of head 2/);
});

test("a number of the model that is not what the page makes of it is told", () => {
  const wrong = answer();
  wrong.tensors.get("layers.0.scores").data[0] += 0.25;
  wrong.tensors.get("layers.0.z").data[1] += 0.5;
  const { score, weight, z } = drift(partsOf(wrong, 0, 2));
  close(score, 0.25);
  close(z, 0.5);
  assert.ok(weight > 0.01);
});

test("the steps are those that the site takes, in the order of the computation", () => {
  const names = (/** @type {any} */ one) => stepsOf(one).map(({ label }) => label);
  const plain = ["q", "k", "q∘k", "q·k", "× scale", "+ bias", "mask", "softmax", "× v", "z"];
  assert.deepEqual(names(answer()), [...plain, "z · W_O"]);
  const capped = answer({ soft_cap: 2 });
  capped.tensors.delete("layers.0.result");
  assert.deepEqual(names(capped), plain.toSpliced(5, 0, "soft cap"));
  assert.deepEqual(names(null), []);
});

test("stepping stays within the steps, and the last one is the default", () => {
  assert.equal(shownOf(null, 11), 11);
  assert.equal(shownOf(0, 11), 1);
  assert.equal(shownOf(99, 11), 11);
  assert.equal(stepped(null, 11, -1), 10);
  assert.equal(stepped(10, 11, 1), null);
  assert.equal(stepped(1, 11, -1), 1);
  assert.equal(stepped(4, 11, Number.NEGATIVE_INFINITY), 1);
  assert.equal(stepped(4, 11, Number.POSITIVE_INFINITY), null);
  assert.deepEqual([...computedIn(3, stepsOf(answer()))], ["q", "k", "product"]);
});

test("the key that is read is the one that gets most; keys in order, or strongest first", () => {
  const parts = partsOf(answer(), 0, 2);
  assert.equal(keyOf(parts, null), 0);
  assert.equal(keyOf(parts, 99), 2);
  assert.deepEqual(
    ordered(parts.lines, "place").map(({ key }) => key),
    [0, 1, 2],
  );
  const turned = partsOf(answer({ queries: [[-1, 2]] }), 0, 2);
  assert.deepEqual(
    ordered(turned.lines, "weight").map(({ key }) => key),
    [1, 0, 2], // what is blocked comes last
  );
});

test("the arithmetic of a cell is one line whose numbers follow from one another", () => {
  const { line, products, terms, total } = arithmetic(partsOf(answer(), 0, 2), 1);
  assert.equal(
    line,
    "q·k = 1.000000·(−1.000000) + (−2.000000)·0.500000 (2 products, sum −2.0000) → " +
      "−2.0000 × 0.5 + 0 = −1.0000 → e^(−1.0000) / Σ e^s = 0.367879 / 1.36788 = 0.2689",
  );
  assert.deepEqual(
    products.map(({ product }) => product.value),
    [-1, -1],
  );
  assert.deepEqual(
    terms.map(({ place, exp }) => [place, exp.text]),
    [
      [0, "1.00000"],
      [1, "0.367879"],
    ],
  );
  assert.equal(total?.text, "1.36788");
});

test("before the table, the cell in a few sentences, with the numbers of the table", () => {
  const labels = ["The", "cat", "sat"];
  const lead = (/** @type {Record<string, any>} */ changes, key = 1, row = 2) =>
    leadOf({ parts: partsOf(answer(changes), 0, row), key, query: "sat", labels });
  assert.deepEqual(lead({}), [
    "“sat” has a vector q, what it looks for. “cat” has a vector k, what it can be found by. Both have 2 numbers; multiplied one by one and added up, they give q·k = −2.0000.",
    "Times the scale, 0.5, that is the score: −1.0000.",
    "Softmax turns the scores of the 2 tokens that “sat” can see into shares of 1. “cat” gets 0.2689.",
    "So the head takes 26.9% of the vector v of “cat”, what it has to say, and adds it to what the other tokens say.",
  ]);
  assert.deepEqual(lead({}, 2).slice(2), [
    "But “sat” is hidden from “sat” by the causal mask, so its weight is 0.",
  ]);
  const special = lead({ biases: [[0.5, -0.25, 0]], soft_cap: 2, sink: [0.75], muted: [0] });
  assert.deepEqual(special.slice(1), [
    "Times the scale, 0.5, and kept within ±2, that is −0.9242. With the bias for these two places, −0.2500, the score is −1.1742.",
    "Softmax turns the scores of the 2 tokens that “sat” can see into shares of 1. “cat” gets 0.0758.",
    "The sink, which is not a token, takes 0.5195.",
    "This head is muted, so it passes nothing on.",
  ]);
  const alone = { bits: [[0, 1, 1]] };
  assert.match(
    lead(alone, 0)[2],
    /^“sat” can see no other token: softmax gives “The” a share of 1\.0000\.$/,
  );
  const rows = {
    queries: [Q, Q],
    bits: [
      [0, 0, 1],
      [0, 0, 1],
    ],
    softmax_over: "query",
  };
  assert.match(
    lead(rows, 1, 1)[2],
    /of the 2 tokens that can see “cat” into shares of 1\. “sat” gets 0\.5000\./,
  );
  const after = answer({ bits: [[0, 8, 0]] });
  Object.assign(after.trace.sites[0], { mask_applied: "after" });
  const late = leadOf({ parts: partsOf(after, 0, 2), key: 1, query: "sat", labels });
  assert.deepEqual(late.slice(2), [
    "Softmax turns the scores of the 3 tokens that “sat” can see into shares of 1. “cat” gets 0.0977.",
    "But the cell is blocked by your painted mask, so its weight is 0.",
  ]);
});

test("a blocked cell says why; its terms are not made up", () => {
  const { line, terms, total } = arithmetic(partsOf(answer(), 0, 2), 2);
  assert.match(line, /= 0\.8750 → blocked by the causal mask, so its weight is 0$/);
  assert.deepEqual(terms, []);
  assert.equal(total, null);
});

test("bias, soft cap and sink stand in the line", () => {
  const biases = [[0.5, -0.25, 0]];
  const parts = partsOf(answer({ biases, soft_cap: 2, sink: [0.75] }), 0, 2);
  const { line, terms } = arithmetic(parts, 1);
  assert.match(line, /→ 2 · tanh\(−2\.0000 × 0\.5 \/ 2\) \+ \(−0\.2500\) = −1\.1742 →/);
  assert.deepEqual(
    terms.map(({ place }) => place),
    [0, 1, null],
  );
  assert.ok(parts.sink && parts.lines[1].weight > 0);
  close(parts.sink.share + parts.lines.reduce((sum, { weight }) => sum + weight, 0), 1);
  assert.ok(remarks(parts, 1)[0].startsWith("A learned sink takes"));
});

test("scores beyond float32 are shifted by the largest, and the line says so", () => {
  const { note } = arithmetic(partsOf(answer(), 0, 2), 0);
  const high = partsOf(answer({ queries: [[400, 0]] }), 0, 2);
  const shifted = arithmetic(high, 0);
  assert.match(
    shifted.line,
    /→ e\^\(100\.0000 − 100\.0000\) \/ Σ e\^\(s − 100\.0000\) = 1\.00000 \//,
  );
  assert.match(shifted.note, /^Shifted by the largest score, 100\.0000/);
  assert.doesNotMatch(note, /^Shifted/);
  const low = arithmetic(partsOf(answer({ queries: [[-800, -8000]] }), 0, 2), 0);
  assert.match(low.line, /e\^\(−1200\.0000 \+ 1200\.0000\)/);
});

test("where float32 rounded to another digit, the line still works out, and the model's own is told", () => {
  const rounded = answer();
  rounded.tensors.get("layers.0.scores").data[1] -= 0.0004;
  const { line, terms, note } = arithmetic(partsOf(rounded, 0, 2), 1);
  assert.match(line, /= −1\.000000 → e\^\(−1\.000000\) \/ Σ e\^s = 0\.36787944 \//);
  assert.equal(terms[1].exp.text, "0.36787944"); // the one that stands in the sum
  assert.match(
    note,
    /^The model’s own float32 has the score −1\.0004 and the weight 0\.2689\. Σ runs/,
  );
});

test("over queries, a cell shares with its column", () => {
  const queries = [Q, [3, 1], [0, 0]];
  const bits = [
    [0, 1, 1],
    [0, 0, 1],
    [0, 0, 0],
  ];
  const parts = partsOf(answer({ queries, bits, softmax_over: "query" }), 0, 1);
  assert.deepEqual(parts.lines[0].against?.places, [0, 1, 2]);
  assert.deepEqual(parts.lines[1].against?.places, [1, 2]);
  close(drift(parts).weight, 0);
  assert.equal(parts.q[0], 3);
  assert.match(stepInWords("weight", parts, "x"), /over queries/);
  assert.match(remarks(parts, 1)[0], /columns sum to 1/);
});

test("what is special is said: a muted head, a row with nothing allowed, grouped queries", () => {
  const muted = partsOf(answer({ muted: [0] }), 0, 2);
  assert.match(remarks(muted, 1)[0], /muted: its z is set to 0 before W_O/);
  assert.match(stepInWords("z", muted, "x"), /set to 0/);
  assert.equal(drift(muted).z, 0);
  const blocked = partsOf(answer({ bits: [[8, 8, 8]] }), 0, 2);
  assert.deepEqual(remarks(blocked, 1), [
    "Every key is blocked: there is no distribution, and z = 0.",
  ]);
  assert.match(arithmetic(blocked, 0).line, /blocked by your painted mask/);
  assert.match(remarks(partsOf(answer(), 0, 2), 3)[0], /shared by heads 0 to 2/);
});

test("a channel is read with the steps that are shown", () => {
  const read = (/** @type {import("../../static/js/words/parts.js").Part[][]} */ facts) =>
    READOUT.key(3, "cat", 2, facts)
      .map((part) => (typeof part === "string" ? part : part.bold))
      .join("");
  assert.equal(read([]), "key 3 cat, channel 2");
  assert.equal(read([READOUT.k("0.5000")]), "key 3 cat, channel 2: k 0.5000");
  assert.equal(
    read([
      READOUT.product("2.0000", "0.5000", "1.0000"),
      READOUT.moved("0.2500", "4.0000", "1.0000"),
    ]),
    "key 3 cat, channel 2: q 2.0000 × k 0.5000 = 1.0000, weight 0.2500 × v 4.0000 = 1.0000",
  );
});

test("the picture for a file has the title, the tokens and the numbers that are computed", () => {
  const parts = partsOf(answer(), 0, 2);
  const paper = { ink: "#000", faint: "#555", line: "#ccc", panel: "#fff", font: "serif" };
  const reaches = { q: 1, k: 1, product: 1, moved: 1, result: 1 };
  const picture = {
    parts,
    title: "Layer 0 · head 0",
    keys: ["a", "<b>", "c"],
    remarks: [],
    lines: parts.lines,
  };
  const colors = new Uint8ClampedArray(1024).fill(255);
  const svg = (/** @type {number | null} */ step) =>
    toSvg(
      insideScene({ ...picture, computed: computedIn(step, parts.steps) }, reaches, colors, paper),
    );
  const whole = svg(null);
  for (const text of ["Layer 0 · head 0", "1 &lt;b&gt;", ">−2.0000<", ">0.2689<", "causal mask"])
    assert.ok(whole.includes(text), text);
  assert.equal(whole.match(/crispEdges/g)?.length, 3 * 3 + 3);
  const part = svg(4); // up to q·k
  assert.ok(part.includes(">−2.0000<") && !part.includes(">0.2689<"));
});

test("a head is asked for whole, of a long text one row; and the bias only where there is one", () => {
  const state = {
    view: "inside",
    model: "shipped",
    models: [shipped],
    texts: ["a"],
    masks: {},
    muted: [],
    targets: [],
    pairs: null,
    next: null,
    kind: "self",
    layer: 0,
    head: 0,
    query: 1,
    shown: 0,
    segments: "all",
    detail: null,
  };
  assert.equal(insideRequest(state, shipped, true), null); // which site it is, is not known yet
  const seen = answer();
  const whole = (/** @type {any} */ one) => ({
    ...state,
    detail: { ...one, trace: { ...one.trace, model: "shipped" } },
  });
  const select = insideRequest(whole(seen), shipped, false)?.select;
  assert.ok(select && !("rows" in select));
  const long = { ...whole(seen), texts: ["a".repeat(1001)] };
  assert.equal(insideRequest(long, shipped, false), null); // which row it is, the picture will tell
  assert.deepEqual(insideRequest(long, shipped, true)?.select.rows, [1, 2]);
  const elsewhere = { ...whole(seen), model: "other" };
  assert.equal(insideRequest(elsewhere, shipped, false), null); // the picture is of another model
  assert.deepEqual([select?.layers, select?.heads], [[0], [0]]);
  assert.ok(!select?.tensors.includes("bias"));
  assert.ok(
    insideRequest(whole(answer({ biases: [[1, 1, 1]] })), shipped, false)?.select.tensors.includes(
      "bias",
    ),
  );
  assert.equal(insideRequest({ ...whole(seen), view: "lines" }, shipped, false), null);
  assert.equal(insideRequest(whole(seen), bloom, false), null);
  const turned = { ...whole(answer({ softmax_over: "query" })), texts: long.texts };
  const columns = insideRequest(turned, shipped, true)?.select;
  assert.ok(columns && !("rows" in columns)); // a share of a column is known from all of it
});
