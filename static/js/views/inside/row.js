// One row of a head as numbers, from q to what is written to the residual stream. Tensors of the API are used as they are; q∘k,
// q·k, × scale, the soft cap and weight · v are computed here from them, in double precision. Pure.

import { matrixOf } from "../../numbers/matrix.js";
import { isSigned } from "./request.js";
import { isAfter, stepsOf } from "./steps.js";

/** @import { Answer } from "../../types.d.ts" */

/**
 * One key of the row.
 * @typedef {object} Line
 * @property {number} key
 * @property {ArrayLike<number>} k
 * @property {ArrayLike<number>} product q∘k, channel by channel
 * @property {number} dot
 * @property {number} scaled
 * @property {number} capped
 * @property {number} bias
 * @property {number} score from the API
 * @property {number} bits why it is blocked; 0: it is allowed
 * @property {number} share of the softmax: the weight, unless masks are applied after it
 * @property {number} weight from the API: what v is multiplied by
 * @property {ArrayLike<number>} v
 * @property {ArrayLike<number>} moved weight · v
 * @property {Competition | null} against the cells that share one softmax with it; null if all are blocked, or there is no softmax
 */
/**
 * @typedef {object} Competition the allowed cells of one slice of the softmax
 * @property {number[]} places of keys, or of queries if the softmax runs over them
 * @property {number[]} scores from the API
 * @property {number | null} sink
 */
/** @typedef {ReturnType<typeof partsOf>} Parts */

/**
 * @param {Answer} answer of one site, one head, and one row, or of all rows where the softmax runs over queries
 * @param {number} text
 * @param {number} row
 */
export function partsOf(answer, text, row) {
  const site = answer.trace.sites[0];
  /** @param {string} name */
  const optional = (name) => {
    const tensor = answer.tensors.get(`${site.name}.${name}`);
    return tensor ? matrixOf(tensor, text, 0) : null;
  };
  /** @param {string} name */
  const matrix = (name) => {
    const values = optional(name);
    if (!values) throw new Error(`The answer lacks ${site.name}.${name}.`);
    return values;
  };
  const signed = isSigned(site);
  const names = ["scores", signed ? "hidden" : "pattern", "blocked_by", "k", "v"];
  const [scores, pattern, blocked, k, v] = names.map(matrix);
  const at = pattern.rows === 1 ? 0 : row; // the answer has only this row, or all of them
  const q = vector(matrix("q"), at);
  const bias = optional("bias");
  const sink = site.sink?.[0] ?? null;
  const byKey = site.softmax_over === "key";
  const after = isAfter(site);
  // masks that are applied after the softmax do not stop a cell from taking part in it
  const excluded = after ? { data: new Uint8Array(blocked.data.length) } : blocked;
  const ofRow =
    byKey && !signed ? slice(scores, excluded, at * scores.cols, 1, scores.cols, sink) : null;
  /** @type {Line[]} */
  const lines = Array.from({ length: k.rows }, (_, key) => {
    const cell = at * scores.cols + key;
    const [ownK, ownV] = [vector(k, key), vector(v, key)];
    const product = Float64Array.from(q, (number, channel) => number * ownK[channel]);
    const dot = product.reduce((sum, number) => sum + number, 0);
    const scaled = scoredBy(site, dot);
    const weight = pattern.data[cell];
    const against = byKey ? ofRow : slice(scores, excluded, key, scores.cols, scores.rows, sink);
    return {
      key,
      k: ownK,
      product,
      dot,
      scaled,
      capped: capped(scaled, site.soft_cap),
      bias: bias ? bias.data[cell] : 0,
      score: scores.data[cell],
      bits: blocked.data[cell],
      share: after && against ? shareOf(against, scores.data[cell]) : weight,
      weight,
      v: ownV,
      moved: Float64Array.from(ownV, (number) => weight * number),
      against,
    };
  });
  const result = optional("result");
  return {
    site,
    row,
    q,
    lines,
    z: vector(matrix("z"), at),
    /** The factor of z; null: there is none. */
    gate: gateOf(answer, text, at),
    result: result && vector(result, at),
    muted: site.muted.includes(site.heads[0]),
    /** The learned sink of the row, and its share. */
    sink: sink !== null && ofRow ? { logit: sink, share: shareOf(ofRow, sink) } : null,
    /** How much of the shares the masks keep, if they are applied after the softmax. */
    left: leftOf(lines),
    steps: stepsOf(answer),
  };
}

/** @param {Answer} answer @param {number} text @param {number} at the row */
function gateOf({ trace: { sites }, tensors }, text, at) {
  const gate = tensors.get(`${sites[0].name}.gate`); // (batch, 1, rows)
  return gate ? gate.data[text * gate.shape[2] + at] : null;
}

/** @param {Pick<Line, "bits" | "share">[]} lines */
function leftOf(lines) {
  const left = { kept: 0, lost: 0 };
  for (const { bits, share } of lines) left[bits > 0 ? "lost" : "kept"] += share;
  return left;
}

/** @param {{cols: number, data: Float32Array | Uint8Array}} matrix @param {number} row */
const vector = ({ cols, data }, row) => data.subarray(row * cols, (row + 1) * cols);

/** The score, of a product of q and k after the soft cap. @param {Pick<import("../../types.d.ts").Site, "kernel">} site @param {number} capped @param {number} bias */
export const biased = (site, capped, bias) =>
  isSigned(site) ? capped * Math.exp(bias) : capped + bias;

/** A product of q and k before the soft cap and the bias. @param {Pick<import("../../types.d.ts").Site, "scale" | "kernel">} site @param {number} dot */
export const scoredBy = ({ scale, kernel }, dot) =>
  kernel === "linear" ? Math.log(dot) : dot * scale + 0; // no −0

/** @param {number} score @param {number | null} cap */
const capped = (score, cap) => (cap === null ? score : cap * Math.tanh(score / cap));

/**
 * The allowed cells along the axis of the softmax.
 * @param {{data: ArrayLike<number>}} scores
 * @param {{data: ArrayLike<number>}} blocked
 * @param {number} start
 * @param {number} step
 * @param {number} n
 * @param {number | null} sink
 * @returns {Competition | null}
 */
function slice(scores, blocked, start, step, n, sink) {
  const places = Array.from({ length: n }, (_, index) => index).filter(
    (place) => blocked.data[start + place * step] === 0,
  );
  if (places.length === 0) return null;
  return { places, scores: places.map((place) => scores.data[start + place * step]), sink };
}

/** The largest logit. @param {Competition} against */
export const largest = ({ scores, sink }) =>
  scores.reduce((most, score) => Math.max(most, score), sink ?? Number.NEGATIVE_INFINITY);

/** The softmax of a logit. @param {Competition} against @param {number} logit */
export function shareOf(against, logit) {
  const most = largest(against);
  const { scores, sink } = against;
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return Math.exp(logit - most) / (total + (sink === null ? 0 : Math.exp(sink - most)));
}

/**
 * The largest differences between the sums computed here and the model's own numbers.
 * @param {Parts} parts
 * @returns {{score: number, weight: number, z: number}}
 */
export function drift({ site, lines, z, gate, muted }) {
  const sums = new Float64Array(z.length);
  let [score, share] = [0, 0];
  for (const line of lines) {
    score = Math.max(score, Math.abs(biased(site, line.capped, line.bias) - line.score));
    const shared = line.against ? shareOf(line.against, line.score) : 0;
    const expected = line.bits ? 0 : isSigned(site) ? line.score : shared;
    share = Math.max(share, Math.abs(expected - line.weight));
    for (let channel = 0; channel < sums.length; channel += 1) sums[channel] += line.moved[channel];
  }
  const off = sums.reduce(
    (most, sum, at) => Math.max(most, Math.abs(sum * (gate ?? 1) - z[at])),
    0,
  );
  return { score, weight: share, z: muted ? 0 : off };
}

/** The selected key; until the reader selects one, the key with the largest weight. @param {Parts} parts @param {number | null} key */
export function keyOf({ lines }, key) {
  if (key !== null) return Math.min(key, lines.length - 1);
  const size = (/** @type {Line} */ { weight }) => Math.abs(weight);
  return lines.reduce((best, line) => (size(line) > size(lines[best]) ? line.key : best), 0);
}

/** @typedef {"place" | "weight"} Order */
export const PAGE = 64; // keys per page

/**
 * The keys in the chosen order. By weight, blocked keys come last.
 * @param {Line[]} lines
 * @param {Order} order
 */
export function ordered(lines, order) {
  if (order === "place") return lines;
  return [...lines].sort(
    (a, b) =>
      Number(a.bits > 0) - Number(b.bits > 0) ||
      Math.abs(b.weight) - Math.abs(a.weight) ||
      b.score - a.score ||
      a.key - b.key,
  );
}
