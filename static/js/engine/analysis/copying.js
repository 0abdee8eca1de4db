// Whether a head copies: whether it raises the logit of the very token that it looks at. As model/analysis/weights/copying.py, for a stack
// with no norm between what heads write and the last one.

import { stripesOf } from "../masks/mask.js";
import { dots } from "../tensor/products.js";
import { derive } from "../trace/site.js";
import { counted, wordsOf } from "./words.js";

/** @import { Site, Tensor, Trace } from "../types.d.ts" */
/** @import { Score } from "./scores.js" */

/**
 * How what heads write becomes logits: the gain of the last norm, and the rows of the unembedding.
 * @typedef {{gain: Float32Array, unembedding: Tensor}} Outputs
 */

/**
 * The sums of one site over one text; tallies of several texts can be added.
 * @typedef {object} CopyTally
 * @property {Float64Array} raised (head) Σ A[i,j] over the cells whose source token is lifted
 * @property {Float64Array} mass (head) Σ A[i,j]
 * @property {number} over queries
 * @property {string} lacks why there is none
 */

export const NO_STREAM = "the model's residual stream is not recorded";
const NO_W_O = "its W_O is not known";
const NOTHING = "it looks at special tokens only";
const NO_QUERIES = "the text has only special tokens, which do not count here";

/** The mean row of the unembedding. @param {Outputs} outputs */
export function meanRow({ unembedding: { shape, data } }) {
  const [n, d_model] = shape;
  const mean = new Float64Array(d_model);
  for (let place = 0; place < data.length; place++) mean[place % d_model] += data[place] / n;
  return mean;
}

/**
 * The sums of each site over the queries of one text.
 * @param {Trace} trace
 * @param {Outputs | null} outputs null: not known
 * @param {Float64Array} mean the mean row of the unembedding
 * @param {number} text
 * @returns {CopyTally[]}
 */
export function copyTallies(trace, outputs, mean, text) {
  const words = wordsOf(trace.tokens[text]);
  const counts = counted(words, false);
  const directions = outputs && directionsOf(outputs, mean, words.ids, counts);
  return trace.sites.map((site) => {
    if (!directions) return nothing(site, NO_STREAM);
    if (!(site.w_o && site.v)) return nothing(site, NO_W_O);
    return read(site, liftsOf(site, site.v, site.w_o, directions, text), counts, text);
  });
}

/** The sums of a site over the queries of two texts. @param {CopyTally} a @param {CopyTally} b @returns {CopyTally} */
export const addedCopies = (a, b) => ({
  raised: a.raised.map((sum, head) => sum + b.raised[head]),
  mass: a.mass.map((sum, head) => sum + b.mass[head]),
  over: a.over + b.over,
  lacks: a.lacks,
});

/** The copying score of each head. @param {CopyTally} tally @returns {Score[]} */
export const copyScores = ({ raised, mass, over, lacks }) =>
  Array.from(raised, (sum, head) =>
    mass[head]
      ? { value: sum / mass[head], over, reason: null }
      : { value: null, over: 0, reason: lacks || (over ? NOTHING : NO_QUERIES) },
  );

/** For a site where it cannot be measured. @param {Site} site @param {string} lacks @returns {CopyTally} */
const nothing = ({ n_heads }, lacks) => ({
  raised: new Float64Array(n_heads),
  mass: new Float64Array(n_heads),
  over: 0,
  lacks,
});

/**
 * For each token its row of the unembedding less the mean row, as it comes back through the last norm, up to the norm's scale; zeros
 * for one that does not count.
 * @param {Outputs} outputs
 * @param {Float64Array} mean
 * @param {readonly number[]} ids
 * @param {readonly boolean[]} counts
 */
function directionsOf({ gain, unembedding }, mean, ids, counts) {
  const d_model = gain.length;
  const found = new Float32Array(ids.length * d_model);
  ids.forEach((id, index) => {
    if (!counts[index]) return;
    const row = Float64Array.from(gain, (g, at) => {
      return g * (unembedding.data[id * d_model + at] - mean[at]);
    });
    const middle = row.reduce((sum, value) => sum + value, 0) / d_model;
    found.set(
      row.map((value) => value - middle),
      index * d_model,
    );
  });
  return found;
}

/**
 * By how much each head moves the logit of each key, up to positive factors.
 * @param {Site} site
 * @param {Tensor} v (batch, head, key, d_head)
 * @param {Tensor} w_o (head, d_head, d_model)
 * @param {Float32Array} directions (key, d_model)
 * @param {number} text
 * @returns {Float64Array} (head, key)
 */
function liftsOf({ n_heads, mask: { n_key } }, v, w_o, directions, text) {
  const [, d_head, d_model] = w_o.shape;
  const back = new Float32Array(n_key * n_heads * d_head);
  dots(directions, w_o.data, back, n_key, n_heads * d_head, d_model);
  const lifts = new Float64Array(n_heads * n_key);
  for (let head = 0; head < n_heads; head++) {
    for (let key = 0; key < n_key; key++) {
      const [from, value] = [
        (key * n_heads + head) * d_head,
        ((text * n_heads + head) * n_key + key) * d_head,
      ];
      for (let at = 0; at < d_head; at++) {
        lifts[head * n_key + key] += back[from + at] * v.data[value + at];
      }
    }
  }
  return lifts;
}

/** @param {Site} site @param {Float64Array} lifts @param {readonly boolean[]} counts @param {number} text @returns {CopyTally} */
function read(site, lifts, counts, text) {
  const { n_heads, mask, muted } = site;
  const found = nothing(site, "");
  found.over = counts.filter(Boolean).length;
  for (const [start, stop] of stripesOf(mask.n_query)) {
    /** @type {Tensor} */
    const pattern = derive(site, ["pattern"], { rows: [start, stop], text }).get("pattern");
    let cell = 0;
    for (let head = 0; head < n_heads; head++) {
      for (let i = start; i < stop; i++) {
        for (let j = 0; j < mask.n_key; j++, cell++) {
          if (!(counts[i] && counts[j]) || muted.includes(head)) continue;
          found.mass[head] += pattern.data[cell];
          if (lifts[head * mask.n_key + j] > 0) found.raised[head] += pattern.data[cell];
        }
      }
    }
  }
  return found;
}
