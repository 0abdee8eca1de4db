// Files as other programs write them: tables, inseq, batches, and names that are usual elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { safetensors } from "./files.mjs";
import { nested, opened, pattern } from "./opening.mjs";

const textsOf = (/** @type {any[]} */ tokens) => tokens.map(({ text }) => text);
const SQUARE = pattern([3, 3], { causal: true });

/** As pandas writes it. @param {string} mark @param {string[]} names */
const csvOf = (mark, names) =>
  [
    ["", ...names].join(mark),
    ...nested(SQUARE).map((row, at) => [names[at], ...row].join(mark)),
  ].join("\n");

/** @param {any} found @param {string} [name] */
const patternIn = ({ recording }, name = "layers.0") => recording.tensors.get(`${name}.pattern`);

test("a table with labels brings its tokens", async () => {
  for (const mark of [",", ";", "\t"]) {
    const found = await opened(
      csvOf(
        mark,
        ["the", '"a ""b"""', "我"].map((name) => name),
      ),
    );
    assert.deepEqual(textsOf(found.recording.trace.tokens[0]), ["the", ' a "b"', " 我"]);
    assert.deepEqual([...patternIn(found).data], [...SQUARE.data]);
    assert.deepEqual(patternIn(found).shape, [1, 1, 3, 3]);
  }
  const bare = await opened(
    nested(SQUARE)
      .map((row) => row.join(","))
      .join("\r\n"),
  );
  assert.deepEqual(textsOf(bare.recording.trace.tokens[0]), ["0", " 1", " 2"]);
});

test("rows and columns of other tokens are two sequences", async () => {
  const found = await opened(",src,words\nziel,0.25,0.75\n");
  assert.deepEqual(textsOf(found.recording.trace.tokens[0]), ["src", " words"]);
  assert.deepEqual(textsOf(found.recording.trace.target_tokens[0]), ["ziel"]);
});

test("a table of this page opens again", async () => {
  const head = '"query","query id","query token","query piece","0 [BOS] #1","1 =x #9"';
  const found = await opened(`\uFEFF${head}\r\n0,1,"[BOS]","[BOS]",1,\r\n1,9,"'=x","'=x",0.5,0.5`);
  assert.deepEqual(textsOf(found.recording.trace.tokens[0]), ["[BOS]", "=x"]);
  assert.deepEqual([...patternIn(found).data], [1, 0, 0.5, 0.5]); // a blocked cell is empty
});

test("a table with a mistake says where", async () => {
  await assert.rejects(
    opened("a,b\n1,2\n3\n"),
    /Row 3 of this table has 1 fields; the first has 2/,
  );
  await assert.rejects(opened("a,b\n1,2\n3,x\n"), /Row 2, column 2 of this table is “x”/);
  await assert.rejects(opened("hello, world"), /./);
});

const token = (/** @type {string} */ text, /** @type {number} */ id) => ({ id, token: text });

/** As FeatureAttributionOutput.save writes it. @param {object} one */
const inseq = (one) => JSON.stringify({ info: {}, sequence_attributions: [one] });

test("what inseq saves is cross-attention, or the decoder's", async () => {
  const scores = [
    [[[0.1, 0.2]], [[0.3, 0.4]]],
    [[[0.9, 0.8]], [[0.7, 0.6]]],
  ]; // source, target, layer, head
  const source = [token("▁the", 5), token("</s>", 1)];
  const target = [token("▁le", 6), token("</s>", 1)];
  const given = { source, target, source_attributions: scores, target_attributions: null };
  const wrapped = {
    __instance_type__: ["inseq.data", "FeatureAttributionSequenceOutput"],
    attributes: { ...given, source_attributions: { __ndarray__: scores, dtype: "float32" } },
  };
  for (const one of [given, wrapped]) {
    const found = await opened(inseq(one));
    const { data, shape } = patternIn(found, "decoder.layers.0.cross");
    assert.deepEqual(shape, [1, 2, 2, 2]); // text, head, target, source
    assert.deepEqual([...data], [0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6].map(Math.fround));
    assert.deepEqual(textsOf(found.recording.trace.target_tokens[0]), ["le", "</s>"]);
  }
  const later = inseq({ source: null, target: [...source, ...target], target_attributions: 0 });
  const decoder = later.replace(":0}", ":[[0.5,0.2],[0.5,0.3],[NaN,0.5],[NaN,NaN]]}");
  const found = await opened(decoder);
  assert.deepEqual(
    [...patternIn(found, "decoder.layers.0.cross").data.slice(0, 4)],
    [0.5, 0.5, 0, 0],
  );
  assert.deepEqual(textsOf(found.recording.trace.target_tokens[0]), ["le", "</s>"]);
  const compact = { ...given, source_attributions: { __ndarray__: "b64.gz:x" } };
  await assert.rejects(opened(inseq(compact)), /use_primitives=True/);
});

test("what inseq writes by default is read as Python reads it", async () => {
  const file = (/** @type {string} */ name) =>
    readFileSync(new URL(`../../client/data/inseq_${name}.json`, import.meta.url), "utf8");
  const attention = await opened(file("attention"));
  assert.equal(attention.recording.trace.sites.length, 3);
  const { shape, data } = patternIn(attention, "decoder.layers.1.cross");
  assert.deepEqual(shape, [1, 2, 4, 9]); // text, head, step, key
  assert.ok(data.slice(0, 5).every((one) => one > 0) && data.slice(5, 9).every((one) => one === 0));
  assert.deepEqual(textsOf(attention.recording.trace.tokens[0]).slice(3, 6), [
    " sat",
    " on",
    " mat",
  ]);
  assert.deepEqual(textsOf(attention.recording.trace.target_tokens[0]), [
    "mat",
    " is",
    " are",
    " are",
  ]);
  const saliency = await opened(file("saliency"));
  assert.equal(saliency.recording.trace.sites.length, 1); // of channels, their length
  const lengths = patternIn(saliency, "decoder.layers.0.cross");
  assert.deepEqual(lengths.shape, [1, 1, 4, 9]);
  for (let step = 0; step < 4; step++) {
    const row = [...lengths.data.slice(9 * step, 9 * (step + 1))];
    assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-6);
  }
});

test("source and target have usual names", async () => {
  const attn = nested(pattern([2, 3]));
  for (const [src, trg] of [
    ["src", "trg"],
    ["source", "target"],
    ["src_tokens", "tgt_tokens"],
  ]) {
    const file = JSON.stringify({ attn, [src]: ["a", "b", "c"], [trg]: ["x", "y"] });
    const { trace } = (await opened(file)).recording;
    assert.deepEqual(textsOf(trace.tokens[0]), ["a", " b", " c"]);
    assert.deepEqual(textsOf(trace.target_tokens[0]), ["x", " y"]);
  }
});

test("of a large batch eight texts are shown, those that the reader chooses", async () => {
  const given = pattern([1, 11, 2, 3, 3]);
  const tokens = Array.from({ length: 11 }, (_, text) => [`t${text}`, "b", "c"]);
  const file = safetensors({ pattern: given }, { tokens: JSON.stringify(tokens) });
  const first = await opened(file);
  assert.equal(first.recording.trace.tokens.length, 8);
  assert.deepEqual([...patternIn(first).data], [...given.data.slice(0, 8 * 18)]);
  const last = await opened(file, { first: 9 });
  assert.deepEqual(last.recording.inputs.texts, ["t9 b c", "t10 b c"]);
  assert.deepEqual([...patternIn(last).data], [...given.data.slice(9 * 18)]);
});

test("rows that sum below one may have a sink", async () => {
  const { remarks } = await opened(
    safetensors({ pattern: { shape: [1, 1, 2, 2], data: [0.5, 0.2, 0.4, 0.4] } }),
  );
  assert.match(remarks[0], /The rest may have gone to a sink, as in gpt-oss/);
  const other = await opened(
    safetensors({ pattern: { shape: [1, 1, 2, 2], data: [1.5, 0.2, 0.4, 0.4] } }),
  );
  assert.match(other.remarks[0], /Perhaps query and key are exchanged/);
});
