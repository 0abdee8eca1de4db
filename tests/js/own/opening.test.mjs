import assert from "node:assert/strict";
import test from "node:test";
import { recordedSource } from "../../../static/js/engine/sources/recorded.js";
import { derive } from "../../../static/js/engine/trace/site.js";
import { safetensors } from "./files.mjs";
import { everyFormat, nested, opened, pattern, vectors } from "./opening.mjs";

const TOKENS = ["The", "cat", "sat", "down", "."];

/** The pattern that the recorded source derives. @param {{recording: any}} opened @param {number} [layer] */
function derived({ recording }, layer = 0) {
  const site = recordedSource("mine", recording).trace(recording.inputs).sites[layer];
  return derive(site, ["pattern"]).get("pattern");
}

/** @param {ArrayLike<number>} one @param {ArrayLike<number>} other @param {number} [within] */
function close(one, other, within = 2e-6) {
  assert.equal(one.length, other.length);
  for (let at = 0; at < one.length; at++)
    assert.ok(Math.abs(one[at] - other[at]) <= within, `${at}: ${one[at]} and ${other[at]}`);
}

/**
 * softmax(scale · q·k) by hand, in double precision.
 * @param {{shape: number[], data: Float32Array}} q (head, query, d_head)
 * @param {{shape: number[], data: Float32Array}} k (kv_head, key, d_head)
 * @param {{scale?: number, causal?: boolean}} [options]
 */
function attention(q, k, { scale = 1 / Math.sqrt(q.shape[2]), causal = false } = {}) {
  const [n_heads, n_query, d_head] = q.shape;
  const [groups, n_key] = k.shape;
  const found = [];
  for (let head = 0; head < n_heads; head++) {
    const group = Math.floor((head * groups) / n_heads);
    for (let query = 0; query < n_query; query++) {
      const row = Array.from({ length: n_key }, (_, key) => {
        if (causal && key > query) return 0;
        let sum = 0;
        for (let at = 0; at < d_head; at++)
          sum +=
            q.data[(head * n_query + query) * d_head + at] *
            k.data[(group * n_key + key) * d_head + at];
        return Math.exp(scale * sum);
      });
      const total = row.reduce((a, b) => a + b, 0);
      found.push(...row.map((weight) => weight / total));
    }
  }
  return found;
}

test("patterns come out of each format as they went in, with their tokens", async () => {
  const given = pattern([2, 3, 5, 5]);
  for (const [format, file] of Object.entries(everyFormat({ pattern: given }, TOKENS))) {
    const found = await opened(file);
    assert.deepEqual(found.remarks, [], format);
    const { recording } = found;
    assert.deepEqual(
      recording.trace.sites.map(({ name, heads }) => [name, heads]),
      [
        ["layers.0", [0, 1, 2]],
        ["layers.1", [0, 1, 2]],
      ],
    );
    assert.deepEqual(recording.inputs.texts, ["The cat sat down ."]);
    assert.deepEqual(
      recording.trace.tokens[0].slice(0, 2).map(({ text, start, end }) => [text, start, end]),
      [
        ["The", 0, 3],
        [" cat", 3, 7],
      ],
    );
    close(derived(found, 1).data, given.data.slice(75));
    assert.deepEqual(derived(found, 1).shape, [1, 3, 5, 5]);
  }
});

test("q, k and v give the pattern of the one attention, with grouped heads and a causal mask", async () => {
  const arrays = {
    q: vectors([2, 4, 5, 3]),
    k: vectors([2, 2, 5, 3], 3),
    v: vectors([2, 2, 5, 3], 5),
  };
  for (const [format, file] of Object.entries(everyFormat(arrays, TOKENS))) {
    for (const settings of [{ causal: true }, { causal: false, scale: 0.25 }]) {
      const found = await opened(file, settings);
      assert.equal(found.recording.trace.sites[1].n_kv_heads, 2, format);
      const [q, k] = [arrays.q, arrays.k].map(({ shape, data }) => ({
        shape: shape.slice(1),
        data: data.slice(data.length / 2),
      }));
      close(derived(found, 1).data, attention(q, k, settings));
    }
  }
});

test("the mask of a recorded file keeps its reasons", async () => {
  const file = safetensors(
    { q: vectors([1, 2, 4, 3]), k: vectors([1, 2, 4, 3], 2), v: vectors([1, 2, 4, 3], 3) },
    { tokens: '["a", "b", "c", "[PAD]"]', causal: "true" },
  );
  const { recording } = await opened(file);
  const [site] = recordedSource("mine", recording).trace(recording.inputs).sites;
  assert.deepEqual(
    [...derive(site, ["blocked_by"], { rows: [1, 3] }).get("blocked_by").data],
    [0, 0, 1, 3, 0, 0, 0, 2 + 1],
  );
  assert.deepEqual(site.mask.blocked_rows, []);
  assert.deepEqual(site.mask.blocked_columns, [{ text: 0, head: null, index: 3 }]);
});

test("a causal pattern is seen to be one", async () => {
  const { recording, opened: what } = await opened(
    safetensors({ pattern: pattern([2, 2, 4, 4], { causal: true }) }),
  );
  assert.equal(what.settings.causal, true);
  const bits = recording.tensors.get("layers.0.blocked_by");
  assert.deepEqual([...bits.data], [0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
});

test("arrays in another order are put in ours", async () => {
  const given = pattern([2, 3, 5, 5]);
  const [n_layers, n_heads, n] = given.shape;
  /** @param {(at: number[]) => number} place @param {number[]} shape */
  const moved = (place, shape) => {
    const data = new Float32Array(given.data.length);
    for (let layer = 0; layer < n_layers; layer++)
      for (let head = 0; head < n_heads; head++)
        for (let query = 0; query < n; query++)
          for (let key = 0; key < n; key++)
            data[place([layer, head, query, key])] =
              given.data[((layer * n_heads + head) * n + query) * n + key];
    return { shape, data };
  };
  const orders = {
    "keys before queries": moved(([l, h, q, k]) => ((l * 3 + h) * 5 + k) * 5 + q, [2, 3, 5, 5]),
    "heads last": moved(([l, h, q, k]) => ((l * 5 + q) * 5 + k) * 3 + h, [2, 5, 5, 3]),
    "a batch of one": moved(([l, h, q, k]) => ((l * 3 + h) * 5 + q) * 5 + k, [2, 1, 3, 5, 5]),
  };
  for (const [what, array] of Object.entries(orders)) {
    const found = await opened(
      safetensors({ attentions: array }, { tokens: JSON.stringify(TOKENS) }),
    );
    assert.deepEqual(derived(found, 1).shape, [1, 3, 5, 5], what);
    close(derived(found, 1).data, given.data.slice(75));
  }
});

test("a list with one array a layer is one model, in the order of the numbers", async () => {
  const layers = Array.from({ length: 12 }, (_, layer) =>
    pattern([1, 3, 5, 5], { seed: layer + 1 }),
  );
  /** @param {(layer: number) => string} name */
  const named = (name) =>
    Object.fromEntries(layers.map((one, layer) => [name(layer), one]).toReversed());
  for (const name of [
    (/** @type {number} */ layer) => `attentions.${layer}`,
    (/** @type {number} */ layer) => `arr_${layer}`,
    (/** @type {number} */ layer) => `blocks.${layer}.attn.hook_pattern`,
  ]) {
    const found = await opened(safetensors(named(name)));
    assert.equal(found.recording.trace.sites.length, 12);
    close(derived(found, 10).data, layers[10].data);
  }
  const list = await opened(JSON.stringify({ attentions: layers.map(nested), tokens: TOKENS }));
  close(derived(list, 11).data, layers[11].data);
});

test("vectors as TransformerLens has them, the heads after the tokens", async () => {
  const q = vectors([1, 5, 2, 3]);
  const swap = ({ data }) => ({
    shape: [2, 5, 3],
    data: Float32Array.from(data, (_, at) => {
      const [head, token, channel] = [Math.floor(at / 15), Math.floor(at / 3) % 5, at % 3];
      return data[(token * 2 + head) * 3 + channel];
    }),
  });
  const k = vectors([1, 5, 2, 3], 4);
  const file = safetensors({
    "blocks.0.attn.hook_q": q,
    "blocks.0.attn.hook_k": k,
    "blocks.0.attn.hook_v": k,
    "blocks.0.attn.hook_z": k,
    "blocks.0.attn.hook_attn_scores": vectors([1, 2, 5, 5]),
  });
  close(derived(await opened(file, { causal: false })).data, attention(swap(q), swap(k)));
});

test("an encoder–decoder has three kinds of sites", async () => {
  const file = safetensors(
    {
      "encoder_attentions.0": pattern([1, 2, 5, 5]),
      "decoder_attentions.0": pattern([1, 2, 3, 3], { causal: true }),
      "cross_attentions.0": pattern([1, 2, 3, 5]),
    },
    { tokens: JSON.stringify(TOKENS), target_tokens: '["▁Die", "▁Kat", "ze"]' },
  );
  const found = await opened(file);
  const { trace, inputs } = found.recording;
  assert.deepEqual(
    trace.sites.map(({ name, query_tokens, key_tokens }) => [name, query_tokens, key_tokens]),
    [
      ["encoder.layers.0", "tokens", "tokens"],
      ["decoder.layers.0.self", "target_tokens", "target_tokens"],
      ["decoder.layers.0.cross", "target_tokens", "tokens"],
    ],
  );
  assert.deepEqual(inputs.targets, ["Die Katze"]);
  assert.deepEqual(derived(found, 2).shape, [1, 2, 3, 5]);
});

test("queries and keys of two sequences are cross-attention", async () => {
  const { recording, opened: what } = await opened(safetensors({ pattern: pattern([2, 3, 4, 6]) }));
  assert.equal(what.settings.two, true);
  assert.deepEqual(
    [recording.trace.tokens[0].length, recording.trace.target_tokens[0].length],
    [6, 4],
  );
  assert.equal(recording.trace.sites[0].kind, "cross");
});

test("a second sequence begins after the separator", async () => {
  const tokens = ["[CLS]", "a", "b", "[SEP]", "c", "##d", "[SEP]"];
  const file = safetensors({ pattern: pattern([1, 2, 7, 7]) }, { tokens: JSON.stringify(tokens) });
  const { recording, opened: what } = await opened(file);
  assert.equal(what.settings.second, 4);
  assert.deepEqual([recording.inputs.texts, recording.inputs.pairs], [["a b"], ["cd"]]);
  assert.deepEqual(
    recording.trace.tokens[0].map(({ segment }) => segment),
    [0, 0, 0, 0, 1, 1, 1],
  );
  assert.deepEqual(
    recording.trace.tokens[0].map(({ special }) => special),
    [true, false, false, true, false, false, true],
  );
});

test("rows that do not sum to one are shown, with a warning that names the furthest", async () => {
  const given = pattern([2, 2, 4, 4]);
  for (let at = 20; at < 24; at++) given.data[at] *= 0.5;
  const found = await opened(safetensors({ pattern: given }));
  assert.equal(found.remarks.length, 1);
  assert.match(
    found.remarks[0],
    /1 of 16 rows of pattern do not sum to 1; furthest is head 1, query 1, with a sum of 0\.500|1 of 16 rows/,
  );
  close(derived(found).data, given.data.slice(0, 32));
});

test("q and k that do not give the file's patterns are left out, and that is said", async () => {
  const [q, k, v] = [vectors([1, 2, 4, 3]), vectors([1, 2, 4, 3], 2), vectors([1, 2, 4, 3], 3)];
  const cut = ({ data }) => ({ shape: [2, 4, 3], data });
  const right = { shape: [1, 2, 4, 4], data: Float32Array.from(attention(cut(q), cut(k))) };
  const agree = await opened(safetensors({ q, k, v, pattern: right }));
  assert.match(agree.remarks[0], /gives the patterns of the file within/);
  assert.ok(agree.recording.tensors.has("layers.0.q"));
  const wrong = pattern([1, 2, 4, 4]);
  const differ = await opened(safetensors({ q, k, v, pattern: wrong }));
  assert.match(
    differ.remarks[0],
    /differs from the patterns of the file by up to .*shows the patterns only/,
  );
  assert.ok(!differ.recording.tensors.has("layers.0.q"));
  close(derived(differ).data, wrong.data);
});

test("without v the patterns of q and k are shown", async () => {
  const [q, k] = [vectors([1, 2, 4, 3]), vectors([1, 2, 4, 3], 2)];
  const found = await opened(safetensors({ q, k }), { causal: false });
  assert.match(found.remarks[0], /no v/);
  const cut = ({ data }) => ({ shape: [2, 4, 3], data });
  close(derived(found).data, attention(cut(q), cut(k)));
});

test("this project's own file opens without a question, in both formats", async () => {
  const tokens = [
    [
      {
        id: 1,
        text: "[BOS]",
        start: 0,
        end: 0,
        special: true,
        padding: false,
        segment: 0,
        generated: false,
      },
      {
        id: 5,
        text: "Hi",
        start: 0,
        end: 2,
        special: false,
        padding: false,
        segment: 0,
        generated: false,
      },
      {
        id: 6,
        text: " you",
        start: 2,
        end: 6,
        special: false,
        padding: false,
        segment: 0,
        generated: false,
      },
    ],
  ];
  const site = {
    name: "layers.2",
    kind: "self",
    layer: 2,
    heads: [5],
    n_kv_heads: 8,
    scale: 0.5,
    soft_cap: null,
    has_bias: false,
    has_gate: false,
    minus: null,
    sink: null,
    softmax_over: "key",
    mask_applied: "before",
    muted: [5],
    query_tokens: "tokens",
    key_tokens: "tokens",
    blocked_rows: [],
    blocked_columns: [],
  };
  const given = pattern([1, 1, 3, 3], { causal: true });
  const trace = { model: "shipped", tokens, target_tokens: null, sites: [site], predictions: null };
  const files = [
    safetensors({ "layers.2.pattern": given }, { trace: JSON.stringify(trace) }),
    JSON.stringify({ ...trace, sites: [{ ...site, tensors: { pattern: nested(given) } }] }),
  ];
  for (const file of files) {
    const found = await opened(file);
    assert.deepEqual(found.opened.saved.model, "shipped");
    assert.deepEqual(found.recording.inputs.texts, ["Hi you"]);
    assert.match(found.remarks[0], /Layer 2, head 5 of the file: shown as layer 0, head 0/);
    assert.deepEqual(found.recording.trace.sites[0].muted, [0]);
    close(derived(found).data, given.data);
  }
  const vectors = nested(pattern([1, 1, 3, 2]));
  const whole = { q: vectors, k: vectors, v: vectors };
  for (const [gate, kept] of [
    [undefined, false],
    [[[[0.5, 1, 0]]], true],
  ]) {
    const tensors = { ...whole, ...(gate && { gate }), pattern: nested(given) };
    const gated = { ...site, muted: [], has_gate: true, tensors };
    const found = await opened(JSON.stringify({ ...trace, sites: [gated] }));
    // without its gate, what a head gives is not known, only where it looks
    assert.equal(found.recording.tensors.has("layers.0.q"), kept);
    assert.equal(found.recording.tensors.has("layers.0.gate"), kept);
  }
  const cut = JSON.stringify({
    ...trace,
    sites: [{ ...site, tensors: { pattern: [[[[1, 0, 0]]]] } }],
  });
  await assert.rejects(opened(cut), /holds only a part, or thumbnails/);
});
