// Where there are two sentences, everything that belongs to one of them says which.

import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { document, page, texts } from "./dom.mjs";

const { headTitle } = await import("../../../static/js/panels/head/readout.js");
const { rowTable } = await import("../../../static/js/panels/head/tables.js");
const { chips } = await import("../../../static/js/panels/input/chips.js");
const { sentences } = await import("../../../static/js/panels/input/sentence.js");

const word = (/** @type {string} */ text, id = 5) => ({
  id,
  text,
  special: false,
  padding: false,
  segment: 0,
  generated: false,
  piece: null,
  start: 0,
  end: 1,
});
/** Of n sentences with two words each. @param {number} n @param {boolean} [targets] */
function answerOf(n, targets = false) {
  const tokens = Array.from({ length: n }, () => [word("old"), word("cat")]);
  const site = {
    name: "layers.1",
    kind: "self",
    layer: 1,
    heads: [3],
    query_tokens: "tokens",
    key_tokens: "tokens",
    blocked_rows: [],
    blocked_columns: [],
    softmax_over: "key",
  };
  const shape = [n, 1, 2, 2];
  return {
    trace: { model: "shipped", tokens, target_tokens: targets ? tokens : null, sites: [site] },
    tensors: new Map([
      ["layers.1.pattern", { shape, data: Float32Array.from({ length: 4 * n }, () => 0.5) }],
      ["layers.1.blocked_by", { shape, data: new Uint8Array(4 * n) }],
    ]),
  };
}

/** @param {number} n @param {object} [changes] */
function mounted(n, changes = {}) {
  page();
  const store = new Store(
    /** @type {any} */ ({
      model: "shipped",
      models: [shipped],
      texts: Array(n).fill("old cat"),
      targets: [],
      pairs: null,
      shown: n - 1,
      query: 1,
      key: null,
      kind: "self",
      layer: 1,
      head: 3,
      masks: OWN_MASKS,
      muted: [],
      matrix: "pattern",
      view: "heatmap",
      segments: "all",
      by: "probe",
      probe: null,
      scores: null,
      hover: null,
      cell: null,
      scheme: "light",
      relations: {},
      grid: null,
      detail: answerOf(n),
      next: null,
      ...changes,
    }),
  );
  const find = (/** @type {string} */ selector) => document.querySelector(selector);
  sentences(find("#sentences"), store, {
    limits: { characters: 99, texts: 8 },
    add: find("#add-sentence"),
  });
  chips(find("#chips"), store, () => {});
  const [title, label, mute] = ["#head-title", "#head-label", "#mute"].map(find);
  headTitle({ title, label, mute, muted: document.createElement("span") }, store);
  rowTable(find("#row"), store);
  store.update(/** @type {any} */ ({ grid: store.state.detail }));
}
const tags = () =>
  [...document.querySelectorAll(".box-tag")]
    .filter(({ hidden }) => !hidden)
    .map(({ textContent }) => textContent);

test("one sentence has no number", () => {
  mounted(1);
  assert.deepEqual([tags(), texts(".chip-tag")], [[], []]);
  assert.deepEqual(texts("#head-title, #row-title"), ["Layer 1 · head 3", "“cat” looks at"]);
});

test("of two sentences the boxes, the tokens, the head and the row say which", () => {
  mounted(2);
  assert.deepEqual(tags(), ["Sentence 1", "Sentence 2"]);
  assert.deepEqual(texts(".chip-tag"), ["Sentence 1", "Sentence 2"]);
  assert.deepEqual(texts("#head-title, #row-title"), [
    "Layer 1 · head 3 · sentence 2",
    "“cat” in sentence 2 looks at",
  ]);
});

test("two sentences with targets are numbered by their sources and targets", () => {
  mounted(2, { detail: answerOf(2, true) });
  assert.deepEqual(texts(".chip-tag"), ["source 1", "target 1", "source 2", "target 2"]);
});
