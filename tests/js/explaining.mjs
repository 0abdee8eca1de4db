// A head with five tokens, as answers in a state, for the tests of “Explain this”.

import { OWN_MASKS } from "../../static/js/state/masks.js";
import { bloom, shipped } from "./models.mjs";

export const WORDS = ["[BOS]", "The", " keys", " to", " the"];
const token = (/** @type {string} */ text, /** @type {number} */ place) => ({
  id: place,
  text,
  start: 0,
  end: 0,
  special: place === 0,
  padding: false,
  segment: 0,
  generated: false,
  piece: null,
});

/** @param {number} id @param {string} text @param {number} probability @param {number | null} [unedited] */
export const listed = (id, text, probability, unedited = null) => ({
  id,
  text,
  probability,
  unedited,
  special: false,
});

/** @param {object} trace */
export const asked = (trace) => ({
  status: "ready",
  problem: null,
  answer: { trace: { model: "shipped", tokens: [WORDS.map(token)], ...trace }, tensors: new Map() },
});

/** @param {number[][]} rows */
const turned = (rows) => rows[0].map((_, at) => rows.map((row) => row[at]));

/** The softmax of each row, where it is not blocked. @param {number[][]} scores @param {number[][]} blocked */
const softmax = (scores, blocked) =>
  scores.map((row, query) => {
    const exp = row.map((score, key) => (blocked[query][key] ? 0 : Math.exp(score)));
    const sum = exp.reduce((a, b) => a + b, 0) || 1;
    return exp.map((value) => value / sum);
  });

/** A causal head. @param {object} [more] of the state @param {object} [site] @param {{scores?: number[][], blocked?: number[][], texts?: string[]}} [numbers] */
export function selected(more = {}, site = {}, numbers = {}) {
  const n = WORDS.length;
  const blocked =
    numbers.blocked ??
    Array.from({ length: n }, (_, query) => Array.from({ length: n }, (_, key) => +(key > query)));
  const scores = numbers.scores ?? [
    [1, 0, 0, 0, 0],
    [0.5, 0.5, 0, 0, 0],
    [7.1, 2.1, 0, 0, 0],
    [0, 1, 3, 2, 0],
    [0.5, 0.2, 0.3, 0.1, 0.4],
  ];
  const tensor = (/** @type {number[][]} */ rows) => ({
    shape: [1, 1, n, n],
    data: Float32Array.from(rows.flat()),
  });
  const trace = {
    model: "shipped",
    tokens: [WORDS.map(token)],
    target_tokens: null,
    predictions: null,
    sites: [
      {
        name: "layers.1",
        kind: "self",
        layer: 1,
        heads: [2],
        n_kv_heads: 1,
        scale: 0.25,
        soft_cap: null,
        has_bias: false,
        has_gate: false,
        minus: null,
        sink: null,
        softmax_over: "key",
        muted: [],
        query_tokens: "tokens",
        key_tokens: "tokens",
        mask_applied: "before",
        blocked_rows: [],
        blocked_columns: [],
        ...site,
      },
    ],
  };
  const tensors = new Map([
    ["layers.1.scores", tensor(scores)],
    [
      "layers.1.pattern",
      tensor(
        "softmax_over" in site
          ? turned(softmax(turned(scores), turned(blocked)))
          : softmax(scores, blocked),
      ),
    ],
    ["layers.1.blocked_by", { shape: [1, 1, n, n], data: Uint8Array.from(blocked.flat()) }],
  ]);
  return {
    model: "shipped",
    models: [{ ...shipped, trained_on: null }, bloom],
    texts: [""],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    kind: "self",
    layer: 1,
    head: 2,
    cell: null,
    query: null,
    key: null,
    shown: 0,
    matrix: "pattern",
    view: "heatmap",
    segments: "all",
    token: null,
    temperature: 1,
    right: "next",
    status: "ready",
    next: null,
    muting: null,
    effects: null,
    detail: { trace, tensors },
    ...more,
  };
}
