// An attribution by hand, for the tests of its panel: two layers of three heads over four tokens, whose sums are known.

import { Store } from "../../static/js/state/store.js";
import { shipped, t5 } from "./models.mjs";

const token = (/** @type {string} */ text, id = 0) => ({
  id,
  text,
  special: false,
  padding: false,
});
export const TOKENS = [
  { ...token("[BOS]"), special: true },
  token("Maria"),
  token("saw"),
  { ...token("[PAD]"), padding: true },
];

/** @param {string} kind @param {number | null} layer @param {number | null} head */
const part = (kind, layer = null, head = null) => ({
  kind,
  layer,
  head,
  site: head === null ? null : `layers.${layer}`,
});

/** 0.5 + 2 − 1 + 0.01 + 3 − 0.02 + 0.03 + 0.48 = 5, of which the last is the remainder. */
export const FOUND = {
  position: 2,
  token: { id: 7, text: "herself", probability: 0.5 },
  against: null,
  logit: 5,
  contributions: [
    { part: part("embedding"), value: 0.5 },
    { part: part("head", 0, 0), value: 2 },
    { part: part("head", 0, 1), value: -1 },
    { part: part("head", 0, 2), value: 0.01 },
    { part: part("mlp", 0), value: 3 },
    { part: part("head", 1, 0), value: -0.02 },
    { part: part("norm"), value: 0.03 },
  ],
  soft_cap: null,
  remainder: 0.48,
  sources: [
    { site: "layers.0", layer: 0, head: 0, values: [0.3, 1.5, 0.2, 0] },
    { site: "layers.0", layer: 0, head: 1, values: [-0.5, 0, -0.5, 0] },
    { site: "layers.0", layer: 0, head: 2, values: [0.01, 0, 0, 0] },
    { site: "layers.1", layer: 1, head: 0, values: [0, 0, -0.02, 0] },
  ],
};

/** @param {object} [found] changes of the attribution */
export const answered = (found = {}) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: "shipped",
      tokens: [TOKENS],
      target_tokens: null,
      attribution: [{ ...FOUND, ...found }],
    },
  },
});

const listed = (/** @type {number} */ id, /** @type {string} */ text, probability = 0.1) => ({
  id,
  text,
  probability,
  special: false,
  unedited: null,
});
const next = {
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: "shipped",
      tokens: [TOKENS],
      target_tokens: null,
      predicted_at: [2],
      predictions: [[listed(7, "herself", 0.5), listed(8, "him", 0.2), listed(9, "the")]],
    },
  },
};

export const usual = /** @type {any} */ ({
  model: "shipped",
  models: [shipped, t5],
  shown: 0,
  kind: "self",
  layer: 0,
  head: 1,
  right: "attribution",
  waterfall: "written",
  through: "all",
  token: null,
  versus: null,
  attribution: answered(),
  next,
  hover: null,
  key: null,
  quiz: false,
  grid: { trace: { sites: [{ kind: "self" }] } },
});

/** @param {object} [changes] */
export const stored = (changes = {}) => new Store({ ...usual, ...changes });
