// Inside: everything that people read in this view. Pure.

import { norm } from "../../numbers/matrix.js";
import {
  decimal,
  exactly,
  minus,
  percent,
  plainly,
  quote,
  shorten,
  weight,
} from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { headName } from "../../words/heads.js";
import { bold, listed, parts } from "../../words/parts.js";

/** @import { Line, Parts } from "./row.js" */
/** @import { Name } from "./steps.js" */
/** @import { Part } from "../../words/parts.js" */
/** @typedef {"k" | "product" | "moved"} KeyVector */
/** @typedef {"dot" | "scaled" | "capped" | "score" | "share" | "weight"} NumberName */

/** The names of the steps; "kept" is the last one where masks come after the softmax. */
export const STEP_LABELS = {
  q: "q",
  k: "k",
  product: "q∘k",
  dot: "q·k",
  scaled: "× scale",
  log: "ln",
  capped: "soft cap",
  score: "+ bias",
  fade: "× e^bias",
  mask: "mask",
  share: "softmax",
  weight: "softmax",
  kept: "weight",
  moved: "× v",
  gate: "× gate",
  z: "z",
  result: "z · W_O",
};

export const PANEL = {
  heatmap: "Look at its heatmap",
  map: "Where does z · W_O go? See the map",
  /** @template T @param {T} menu @returns {(string | T)[]} */
  query: (menu) => ["Query ", menu],
  keys: "Keys",
  orders: /** @type {const} */ ({ place: "as in the text", weight: "strongest first" }),
  /** @param {number} n */
  before: (n) => `The previous ${n} keys`,
  /** @param {number} n */
  next: (n) => `The next ${n} keys`,
};

/** Which keys the table shows. @param {number} first from 1 @param {number} last @param {number} n of all keys */
export const shownInWords = (first, last, n) =>
  last - first + 1 === n
    ? `all ${n} keys`
    : `showing ${last - first + 1} of ${n} keys: ${first} to ${last}`;

export const STEPPER = {
  label: "Steps of the computation",
  first: "To the first step",
  back: "One step back",
  play: { text: "Play", name: "Play the steps" },
  pause: { text: "Pause", name: "Pause" },
  on: "One step on",
  last: "To the last step",
  still: "Motion is reduced: go step by step.",
};

/** How far the computation is shown. @param {number} shown @param {{label: string}[]} steps */
export const progressInWords = (shown, steps) =>
  shown < steps.length
    ? `${shown} of ${steps.length}: ${steps[shown - 1].label}`
    : `all ${steps.length} steps`;

/** Why there is nothing to see. */
export const REFUSALS = {
  /** @param {string} reason */
  lacks: (reason) => `Headlight cannot look inside the heads of this model: ${reason}.`,
  vectors: "This model gives no q, k and v, so Headlight cannot look inside its heads.",
};

/** @param {import("../../types.d.ts").Site} site @param {number} head @param {number} row @param {string} query */
export const titleOf = (site, head, row, query) =>
  `${headName(site, head)} · query ${row} ${quote(shorten(query, 24))}`;

export const VECTORS = {
  /** @param {string} query */
  q: (query) => `q of ${quote(shorten(query, 16))}`,
  /** @param {Pick<Parts, "muted" | "gate">} parts */
  z: ({ muted, gate }) => (muted ? "z, muted" : gate === null ? "z = Σ weight · v" : "z, gated"),
  result: "z · W_O",
};

/** The ends of a scale. @param {number} reach */
export const reachInWords = (reach) => `± ${reach.toFixed(2)}`;

/** @param {ArrayLike<number>} vector */
export const lengthInWords = (vector) => `length ${decimal(norm(vector))}`;

/** A vector for screen readers. @param {string} name @param {ArrayLike<number>} vector */
export function vectorInWords(name, vector) {
  const numbers = Array.from(vector);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map((n) => minus(n.toFixed(2)));
  return `${name}: ${numbers.length} channels from ${low} to ${high}`;
}

/** The numbers of a key, in tooltips. @type {Record<NumberName, string>} */
const NUMBERS = {
  dot: "q·k",
  scaled: "scaled",
  capped: "capped",
  score: "score",
  share: "share",
  weight: "weight",
};

export const TABLE = {
  key: "key",
  /** @param {number} key */
  read: (key) => `Read the arithmetic of key ${key}`,
  sink: "sink",
  aboutSink: "a learned logit that attends to nothing",
  /** @type {Record<KeyVector, (key: string) => string>} */
  vectors: {
    k: (key) => `k of ${key}`,
    product: (key) => `q∘k of ${key}`,
    moved: (key) => `weight · v of ${key}`,
  },
  /** @param {NumberName} name @param {number} value */
  number: (name, value) => `${NUMBERS[name]}: ${exactly(value)}`,
  /** @param {number} bias @param {number} score */
  biased: (bias, score) => `bias: ${exactly(bias)}, score: ${exactly(score)}`,
};

/** What a column of the table is. @param {Name} name @param {Parts["site"]} site @param {Record<KeyVector, number>} reaches */
export function columnInWords(name, site, reaches) {
  if (name === "scaled" && site.kernel === "linear") return "of q·k";
  if (name === "scaled") return `× ${plainly(Number(site.scale.toPrecision(4)))}`;
  if (name === "capped") return `± ${plainly(site.soft_cap ?? 0)}`;
  if (name === "score") return site.has_bias ? "= score" : "no bias: score";
  if (name === "weight" && site.kernel === "product") return "no softmax";
  if (name === "weight" && site.mask_applied === "after") return "0 where blocked";
  if (name === "weight" || name === "share")
    return site.softmax_over === "query" ? "over queries" : "over keys";
  if (name === "k" || name === "product" || name === "moved") return reachInWords(reaches[name]);
  return "";
}

/** The bias before the score that it makes. @param {Parts["site"]} site @param {number} bias */
export function biasInWords({ kernel }, bias) {
  const size = weight(Math.abs(bias));
  if (kernel === "product") return `× e^${bias < 0 ? `−${size}` : size} = `;
  return `${bias < 0 ? "−" : "+"} ${size} = `;
}

/** A column in a saved picture. @param {string} label @param {number} reach */
export const scaledColumn = (label, reach) => `${label} (${reachInWords(reach)})`;

/** @param {number} shown @param {number} n */
export const keysInWords = (shown, n) => `${shown} of ${n} keys`;

/** Why a key is blocked, or that it is not. @param {Pick<Line, "bits">} line */
export const allowance = ({ bits }) => explain(bits) || "allowed";

/**
 * One sentence about a step.
 * @param {Name} name
 * @param {Parts} parts
 * @param {string} query
 */
export function stepInWords(name, { site, q, lines, z, gate, result, muted, sink, left }, query) {
  switch (name) {
    case "q":
      return `q: what ${quote(query)} looks for, as ${q.length} channels.`;
    case "k":
      return "k: what each token offers to be found by.";
    case "product":
      return "q∘k: channel by channel, q times k.";
    case "dot":
      return "q·k: the products of each key, added up to one number.";
    case "scaled":
      if (site.kernel === "linear")
        return "ln: in linear attention the weights are in proportion to q·k itself. Softmax takes e to the power of a score, so ln(q·k) is the score.";
      return Math.abs(site.scale * Math.sqrt(q.length) - 1) < 1e-6
        ? `× ${plainly(site.scale)}, which is 1/√${q.length}: the scale of this site.`
        : `× ${plainly(site.scale)}: the scale of this site.`;
    case "capped":
      return `Soft cap: ${site.soft_cap} · tanh(x / ${site.soft_cap}) keeps every score within ±${site.soft_cap}.`;
    case "score":
      if (site.kernel === "product" && site.has_bias)
        return "× e^bias: what is left of this key when it comes to the query. The product is the score.";
      return site.has_bias
        ? "+ bias: what this site adds for this pair of positions. The sum is the score."
        : "+ bias: this site has none, so this number is the score.";
    case "mask":
      return maskInWords(lines.filter(({ bits }) => bits).length, lines.length);
    case "weight":
      if (site.kernel === "product")
        return "Weight: there is no softmax. Each score is itself what v is multiplied by, with its sign, and they need not sum to 1.";
      return site.mask_applied === "after"
        ? `What is left: ${weight(left.kept)} stays and ${weight(left.lost)} is lost.`
        : softmaxInWords(site, sink !== null);
    case "share":
      return softmaxInWords(site, sink !== null);
    case "moved":
      return "× v: the value vector of each key, times its weight.";
    case "gate":
      return `× gate: ${gateInWords(gate ?? 1, query)}`;
    case "z":
      return muted
        ? "z: the head is muted, so its z is set to 0, whatever the weights say."
        : gate === null
          ? `z: the sum of these over all keys, ${z.length} channels.`
          : `z: the sum of these over all keys, times the gate: ${z.length} channels.`;
    default:
      return `z · W_O: what the head adds to the residual stream: a vector of ${result?.length} channels and length ${weight(norm(result ?? []))}.`;
  }
}

/** @param {number} gate @param {string} query */
const gateInWords = (gate, query) =>
  `for ${quote(shorten(query, 24))} this head passes on ${percent(gate)} of what it gathers, whatever its weights are.`;

/** @param {number} head @param {number} minus */
const pairInWords = (head, minus) =>
  head % 2
    ? `This is the second head of a pair: its values are −${plainly(minus)} times those of head ${head - 1}, so what it gathers is taken away.`
    : `This is the first head of a pair: ${plainly(minus)} times what head ${head + 1} gathers is taken away from it.`;

/** @param {number} blocked @param {number} n */
function maskInWords(blocked, n) {
  if (blocked === 0) return `Mask: none of the ${n} keys are struck out.`;
  return blocked === 1
    ? `Mask: 1 of the ${n} keys is struck out.`
    : `Mask: ${blocked} of the ${n} keys are struck out.`;
}

/** @param {Parts["site"]} site @param {boolean} hasSink */
function softmaxInWords(site, hasSink) {
  if (site.softmax_over === "query")
    return "Softmax over queries: e^score, divided by the sum down the key’s column. Columns sum to 1, rows need not.";
  return hasSink
    ? "Softmax: e^score, divided by the sum over the keys that are left and the sink. The shares sum to 1."
    : "Softmax: e^score, divided by the sum over the keys that are left. The shares sum to 1.";
}

/**
 * What is special about the row.
 * @param {Parts} parts
 * @param {number} nHeads of the site
 * @returns {string[]}
 */
export function remarks({ site, lines, muted, sink, gate, left }, nHeads) {
  const perGroup = nHeads / site.n_kv_heads;
  const first = Math.floor(site.heads[0] / perGroup) * perGroup;
  return [
    muted && "This head is muted: its z is set to 0 before W_O.",
    site.mask_applied === "after" &&
      `Here the masks come after the softmax: of what it shared out, ${weight(left.kept)} stays and ${weight(left.lost)} is lost.`,
    lines.every(({ bits }) => bits) && "Every key is blocked: there is no distribution, and z = 0.",
    site.softmax_over === "query" &&
      "Here the softmax runs over queries: columns sum to 1, rows need not.",
    sink && `A learned sink takes ${weight(sink.share)} of the attention.`,
    site.minus !== null && pairInWords(site.heads[0], site.minus),
    gate !== null && `The gate of this query passes on ${percent(gate)} of what the head gathers.`,
    perGroup > 1 &&
      `k and v are shared by heads ${first} to ${first + perGroup - 1} (grouped queries).`,
  ].filter((remark) => typeof remark === "string");
}

/** How far the page's sums are from the model's numbers. @param {{score: number, weight: number, z: number}} drift */
export function agreementInWords(drift) {
  const [score, share, z] = [drift.score, drift.weight, drift.z].map((off) =>
    off === 0 ? "0" : off.toExponential(0),
  );
  return `The sums of this page and the model’s own float32 numbers differ by at most ${score} in a score, ${share} in a weight and ${z} in z.`;
}

/** The readout of a strip, a cell or a row. */
export const READOUT = {
  rest: "Point at a coloured strip to read a channel, or at a row to read its sums. The arrow keys work in the table, too.",
  /** @param {string} vector @param {number} channel @param {string} value */
  vector: (vector, channel, value) => parts`${vector}, channel ${String(channel)}: ${bold(value)}`,
  /** @param {number} key @param {string} token @param {number} channel @param {Part[][]} facts */
  key: (key, token, channel, facts) =>
    facts.length > 0
      ? parts`key ${String(key)} ${nameOf(token)}, channel ${String(channel)}: ${listed(facts)}`
      : parts`key ${String(key)} ${nameOf(token)}, channel ${String(channel)}`,
  /** @param {string} k */
  k: (k) => parts`k ${bold(k)}`,
  /** @param {string} q @param {string} k @param {string} product */
  product: (q, k, product) => parts`q ${q} × k ${bold(k)} = ${bold(product)}`,
  /** @param {string} weight @param {string} v @param {string} moved */
  moved: (weight, v, moved) => parts`weight ${weight} × v ${v} = ${bold(moved)}`,
  /** @param {number} key @param {string} token @param {string[]} facts */
  row: (key, token, facts) => parts`key ${String(key)} ${nameOf(token)}: ${facts.join(", ")}`,
  /** @param {string} label @param {string} value */
  fact: (label, value) => `${label} ${value}`,
  score: "score",
  weight: "weight",
};

/** @param {string} token */
const nameOf = (token) => bold(shorten(token, 16));
