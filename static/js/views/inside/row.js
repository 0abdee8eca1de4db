// One row of a head as numbers, from q to what is written to the residual stream. What the API gives is taken as it is;
// q∘k, q·k, × scale, the soft cap and weight · v are computed here from it, in double precision.

import { matrixOf } from "../../numbers/matrix.js";
import { weight } from "../../words/format.js";
import { explain } from "../../words/hatch.js";

/** @typedef {import("../../types.d.ts").Answer} Answer */
/** @typedef {import("../../types.d.ts").Site} Site */

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
 * @property {number} score of the API
 * @property {number} bits why it is blocked; 0 is allowed
 * @property {number} share of the softmax: the weight, unless masks are applied after it
 * @property {number} weight of the API
 * @property {ArrayLike<number>} v
 * @property {ArrayLike<number>} moved weight · v
 * @property {Competition | null} against what the softmax shares out among; null where nothing is allowed
 */
/**
 * @typedef {object} Competition the allowed cells of one slice of the softmax
 * @property {number[]} places keys; queries where the softmax runs over them
 * @property {number[]} scores of the API
 * @property {number | null} sink
 */
/** @typedef {ReturnType<typeof partsOf>} Parts */
/** @typedef {{name: Name, label: string}} Step */
/** @typedef {"q" | "k" | "product" | "dot" | "scaled" | "capped" | "score" | "share" | "mask" | "weight" | "moved" | "z" | "result"} Name */

/** In the order of the computation. @type {Step[]} */
const STEPS = [
  { name: "q", label: "q" },
  { name: "k", label: "k" },
  { name: "product", label: "q∘k" },
  { name: "dot", label: "q·k" },
  { name: "scaled", label: "× scale" },
  { name: "capped", label: "soft cap" },
  { name: "score", label: "+ bias" },
  { name: "mask", label: "mask" },
  { name: "weight", label: "softmax" },
  { name: "moved", label: "× v" },
  { name: "z", label: "z" },
  { name: "result", label: "z · W_O" },
];

/** The end of the chain where masks are applied after the softmax. @type {Partial<Record<Name, Step[]>>} */
const AFTER = {
  mask: [
    { name: "share", label: "softmax" },
    { name: "mask", label: "mask" },
  ],
  weight: [{ name: "weight", label: "weight" }],
};

/** Whether blocked cells are struck out once the shares are given out. @param {Pick<Site, "mask_applied">} site */
export const isAfter = ({ mask_applied }) => mask_applied === "after";

/** What a table of keys has, of the steps. */
export const isColumn = (/** @type {Step} */ { name }) => !["q", "z", "result"].includes(name);

/**
 * The steps that a site takes.
 * @param {Answer | null | undefined} answer
 * @returns {Step[]} none without an answer
 */
export function stepsOf(answer) {
  const site = answer?.trace.sites[0];
  if (!answer || !site) return [];
  const chain = isAfter(site) ? STEPS.flatMap((step) => AFTER[step.name] ?? [step]) : STEPS;
  return chain.filter(
    ({ name }) =>
      (name !== "capped" || site.soft_cap !== null) &&
      (name !== "result" || answer.tensors.has(`${site.name}.result`)),
  );
}

/** How many of the steps are shown. @param {number | null} step @param {number} n */
export const shownOf = (step, n) => (step === null ? n : Math.max(1, Math.min(n, step)));

/** The names of the steps that are shown. @param {number | null} step @param {Step[]} steps @returns {Set<Name>} */
export const computedIn = (step, steps) =>
  new Set(steps.slice(0, shownOf(step, steps.length)).map(({ name }) => name));

/** Some steps on, or back; null is the end. @param {number | null} step @param {number} n @param {number} by */
export function stepped(step, n, by) {
  const to = Math.max(1, shownOf(step, n) + by);
  return to >= n ? null : to;
}

/**
 * @param {Answer} answer of one site, one head, and one row, or of all rows where the softmax runs over queries
 * @param {number} text
 * @param {number} row
 */
export function partsOf(answer, text, row) {
  const site = answer.trace.sites[0];
  /** @param {string} name */
  const perhaps = (name) => {
    const tensor = answer.tensors.get(`${site.name}.${name}`);
    return tensor ? matrixOf(tensor, text, 0) : null;
  };
  /** @param {string} name */
  const matrix = (name) => {
    const found = perhaps(name);
    if (!found) throw new Error(`The answer lacks ${site.name}.${name}.`);
    return found;
  };
  const [scores, pattern, blocked, k, v] = ["scores", "pattern", "blocked_by", "k", "v"].map(
    matrix,
  );
  const at = pattern.rows === 1 ? 0 : row; // the only row that was asked for, or this one of all
  const q = vector(matrix("q"), at);
  const bias = perhaps("bias");
  const sink = site.sink?.[0] ?? null;
  const byKey = site.softmax_over === "key";
  const after = isAfter(site);
  // after the softmax, masks keep nobody from taking a share
  const barred = after ? { data: new Uint8Array(blocked.data.length) } : blocked;
  const ofRow = byKey ? slice(scores, barred, at * scores.cols, 1, scores.cols, sink) : null;
  /** @type {Line[]} */
  const lines = Array.from({ length: k.rows }, (_, key) => {
    const cell = at * scores.cols + key;
    const [mine, value] = [vector(k, key), vector(v, key)];
    const product = Float64Array.from(q, (number, channel) => number * mine[channel]);
    const dot = product.reduce((sum, number) => sum + number, 0);
    const scaled = dot * site.scale + 0; // no −0
    const share = pattern.data[cell];
    const against = byKey ? ofRow : slice(scores, barred, key, scores.cols, scores.rows, sink);
    return {
      ...{ key, k: mine, product, dot, scaled },
      capped: capped(scaled, site.soft_cap),
      bias: bias ? bias.data[cell] : 0,
      score: scores.data[cell],
      bits: blocked.data[cell],
      share: after && against ? shareOf(against, scores.data[cell]) : share,
      weight: share,
      v: value,
      moved: Float64Array.from(value, (number) => share * number),
      against,
    };
  });
  const result = perhaps("result");
  return {
    ...{ site, row, q, lines },
    z: vector(matrix("z"), at),
    result: result && vector(result, at),
    muted: site.muted.includes(site.heads[0]),
    /** The learned sink of the row, and what it takes. */
    sink: sink !== null && ofRow ? { logit: sink, share: shareOf(ofRow, sink) } : null,
    steps: stepsOf(answer),
  };
}

/** @param {{cols: number, data: Float32Array | Uint8Array}} matrix @param {number} row */
const vector = ({ cols, data }, row) => data.subarray(row * cols, (row + 1) * cols);

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
  const places = Array.from({ length: n }, (_, place) => place).filter(
    (place) => blocked.data[start + place * step] === 0,
  );
  if (places.length === 0) return null;
  return { places, scores: places.map((place) => scores.data[start + place * step]), sink };
}

/** Of the logits of a competition, the largest. @param {Competition} against */
export const largest = ({ scores, sink }) =>
  scores.reduce((most, score) => Math.max(most, score), sink ?? Number.NEGATIVE_INFINITY);

/** Softmax. @param {Competition} against @param {number} logit */
export function shareOf(against, logit) {
  const most = largest(against);
  const { scores, sink } = against;
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return Math.exp(logit - most) / (total + (sink === null ? 0 : Math.exp(sink - most)));
}

/**
 * How far the sums that are made here are from what the model computed, at most.
 * @param {Parts} parts
 * @returns {{score: number, weight: number, z: number}}
 */
export function drift({ lines, z, muted }) {
  const sums = new Float64Array(z.length);
  let [score, share] = [0, 0];
  for (const line of lines) {
    score = Math.max(score, Math.abs(line.capped + line.bias - line.score));
    const mine = line.bits || !line.against ? 0 : shareOf(line.against, line.score);
    share = Math.max(share, Math.abs(mine - line.weight));
    for (let channel = 0; channel < sums.length; channel += 1) sums[channel] += line.moved[channel];
  }
  const off = sums.reduce((most, sum, at) => Math.max(most, Math.abs(sum - z[at])), 0);
  return { score, weight: share, z: muted ? 0 : off };
}

/** The same in words. @param {Parts} parts */
export function agreement(parts) {
  const { score, weight: share, z } = drift(parts);
  const off = (/** @type {number} */ number) => (number === 0 ? "0" : number.toExponential(0));
  return `The sums of this page and the model’s own float32 numbers differ by at most ${off(score)} in a score, ${off(share)} in a weight and ${off(z)} in z.`;
}

/** The key that is read until one is chosen: the one that gets most. @param {Parts} parts @param {number | null} key */
export function keyOf({ lines }, key) {
  if (key !== null) return Math.min(key, lines.length - 1);
  return lines.reduce((best, line) => (line.weight > lines[best].weight ? line.key : best), 0);
}

/** @typedef {"place" | "weight"} Order */
export const PAGE = 64; // keys at a time

/**
 * The keys in their order.
 * @param {Line[]} lines
 * @param {Order} order
 */
export function ordered(lines, order) {
  if (order === "place") return lines;
  return [...lines].sort(
    (a, b) =>
      Number(a.bits > 0) - Number(b.bits > 0) ||
      b.weight - a.weight ||
      b.score - a.score ||
      a.key - b.key,
  );
}

/** The length of a vector. @param {ArrayLike<number>} vector */
export const norm = (vector) =>
  Math.sqrt(Array.from(vector).reduce((sum, number) => sum + number * number, 0));

/** A factor as a person writes it. @param {number} factor */
export const plainly = (factor) => String(Number(factor.toPrecision(9)));

/**
 * One sentence on a step.
 * @param {Name} name
 * @param {Parts} parts
 * @param {string} query
 */
export function tell(name, parts, query) {
  const { site, q, lines, z, result, muted, sink } = parts;
  const blocked = lines.filter(({ bits }) => bits).length;
  if (isAfter(site) && name === "weight") return `What is left: ${rest(parts)}.`;
  switch (name === "share" ? "weight" : name) {
    case "q":
      return `q: what “${query}” looks for, as ${q.length} channels.`;
    case "k":
      return "k: what each token offers to be found by.";
    case "product":
      return "q∘k: channel by channel, q times k.";
    case "dot":
      return "q·k: the products of a key, summed to one number.";
    case "scaled": {
      const root = Math.abs(site.scale * Math.sqrt(q.length) - 1) < 1e-6;
      return `× ${plainly(site.scale)}${root ? `, which is 1/√${q.length}` : ""}: the scale of this site.`;
    }
    case "capped":
      return `Soft cap: ${site.soft_cap} · tanh(x / ${site.soft_cap}) keeps every score within ±${site.soft_cap}.`;
    case "score":
      return site.has_bias
        ? "+ bias: what this site adds for the two places. The sum is the score."
        : "+ bias: this site adds none. The number is the score.";
    case "mask":
      return `Mask: ${blocked || "none"} of the ${lines.length} keys ${blocked === 1 ? "is" : "are"} struck out.`;
    case "weight":
      if (site.softmax_over === "query")
        return "Softmax over queries: e^score, divided by the sum down the key’s column. Columns sum to 1, rows need not.";
      return `Softmax: e^score, divided by the sum over the keys that are left${sink ? " and the sink" : ""}. The shares sum to 1.`;
    case "moved":
      return "× v: the value vector of each key, times its weight.";
    case "z":
      return muted
        ? "z: the head is muted, so its z is set to 0, whatever the weights say."
        : `z: these, summed over the keys: ${z.length} channels.`;
    default:
      return `z · W_O: what the head writes to the residual stream, ${result?.length} channels of length ${weight(norm(result ?? []))}.`;
  }
}

/**
 * What is special about the row, in words.
 * @param {Parts} parts
 * @param {number} nHeads of the site
 * @returns {string[]}
 */
export function remarks({ site, lines, muted, sink }, nHeads) {
  const said = [];
  if (muted) said.push("This head is muted: its z is set to 0 before W_O.");
  if (isAfter(site))
    said.push(`Here the masks come after the softmax: of what it shared out, ${rest({ lines })}.`);
  if (lines.every(({ bits }) => bits))
    said.push("Every key is blocked: there is no distribution, and z = 0.");
  if (site.softmax_over === "query")
    said.push("Here the softmax runs over queries: columns sum to 1, rows need not.");
  if (sink) said.push(`A learned sink takes ${weight(sink.share)} of the attention.`);
  if (site.n_kv_heads < nHeads) {
    const shared = nHeads / site.n_kv_heads;
    const first = Math.floor(site.heads[0] / shared) * shared;
    said.push(`k and v are shared by heads ${first} to ${first + shared - 1} (grouped queries).`);
  }
  return said;
}

/** What masks after the softmax leave of a row. @param {Pick<Parts, "lines">} parts */
function rest({ lines }) {
  const [kept, lost] = [false, true].map((blocked) =>
    lines.filter(({ bits }) => bits > 0 === blocked).reduce((sum, { share }) => sum + share, 0),
  );
  return `${weight(kept)} stays and ${weight(lost)} is lost`;
}

/** Why a key is blocked, or that it is not. @param {Line} line */
export const allowance = ({ bits }) => explain(bits) || "allowed";
