// What the mute effects say: in the list, over the thumbnails and in saved files. First in percent, then in nats.

import { percent, quote } from "../../words/format.js";
import { points } from "../predict/rows.js";
import { hasNumber, nats } from "./ranked.js";

/** @import { Effect, Numbered } from "./ranked.js" */
/** @typedef {{token: string, fills: boolean, read: string}} Watched the token whose probability changes, and the token that it is predicted at or after */

const ALREADY_MUTED = "this head is muted already"; // the server's words

/** @param {{kind: string, layer: number, head: number}} place */
const headInWords = ({ kind, layer, head }) =>
  kind === "self" ? `layer ${layer} · head ${head}` : `${kind} layer ${layer} · head ${head}`;

export const NO_NUMBER = "no number";
export const COMPUTING = "Computing: the sentence runs once for every head …";
export const NO_NUMBERS = "There are no numbers for this text.";

/** A number, which may be an estimate. @param {{isEstimate?: boolean}} effect @param {string} text */
export const marked = ({ isEstimate }, text) => (isEstimate ? `≈ ${text}` : text);
/** @param {{measured: number, all: number}} heads */
export const estimatedInWords = ({ measured, all }) =>
  measured
    ? `${measured} of ${all} heads were muted; ≈ marks an estimate, which can be wrong.`
    : "≈ marks an estimate, which can be wrong: no head was muted.";
/** @param {{measured: number, agreement: number | null}} heads */
export const howInWords = ({ measured, agreement }) =>
  agreement === null
    ? "An estimate is what one gradient says of a head, as if the model were linear around this run."
    : `An estimate is what one gradient says of a head, as if the model were linear around this run. For the ${measured} heads that were muted, its order agrees with the measured one by Kendall’s τ = ${agreement.toFixed(2)} (1: the same order, 0: no relation).`;
/** @param {number} n */
export const muteAll = (n) => `Mute each of the ${n} in turn`;

/** What a head does for the token, by what the probability does without it. */
export const ROLES = { falls: "helps", rises: "hurts", stays: "" };

/**
 * What the probability does without a head, and both probabilities as text. Where one decimal shows no change, three digits may.
 * @param {Numbered} effect
 */
export function told({ before, after }) {
  const written = [percent, threeDigits]
    .map((write) => ({ from: write(before), to: write(after) }))
    .find(({ from, to }) => from !== to);
  if (!written) return { does: /** @type {const} */ ("stays"), ...same(percent(before)) };
  return {
    does: after < before ? /** @type {const} */ ("falls") : /** @type {const} */ ("rises"),
    ...written,
  };
}

/** @param {string} text */
const same = (text) => ({ from: text, to: text });

/** @param {number} p */
function threeDigits(p) {
  const value = 100 * p;
  return value !== 0 && value < 0.01
    ? `${value.toExponential(0)}%`
    : `${Number(value.toPrecision(3))}%`;
}

/**
 * The effect of one head: "Without layer 2 · head 3, “herself” falls from 72.3% to 24.3% (−1.09 nats): this head helps it."
 * @param {Effect} effect
 * @param {string} token as written on the page
 */
export function effectInWords(effect, token) {
  const head = headInWords(effect);
  if (!hasNumber(effect)) return `There is no number for ${head}: ${effect.reason}.`;
  const { does, from, to } = told(effect);
  const change = nats(effect.change);
  if (effect.isEstimate)
    return `Without ${head}, ${quote(token)} would go from ${from} to about ${to}, by an estimate (≈ ${change} nats).`;
  if (effect.change === 0) return `Without ${head}, ${quote(token)} stays at exactly ${from}.`;
  if (does === "stays")
    return `Without ${head}, ${quote(token)} stays at ${from} (${change} nats).`;
  return does === "falls"
    ? `Without ${head}, ${quote(token)} falls from ${from} to ${to} (${change} nats): this head helps it.`
    : `Without ${head}, ${quote(token)} rises from ${from} to ${to} (${change} nats): this head hurts it.`;
}

/** @param {Effect} effect */
export function lineLabel(effect) {
  const head = headInWords(effect);
  if (!hasNumber(effect)) return `${head}: ${effect.reason}`;
  const { does, from, to } = told(effect);
  const change = nats(effect.change);
  if (effect.isEstimate) return `${head}: ${from} → about ${to} without it, an estimate`;
  if (does === "stays") return `${head}: stays at ${from} (${change} nats)`;
  return does === "falls"
    ? `${head} helps: ${from} → ${to} without it (${change} nats)`
    : `${head} hurts: ${from} → ${to} without it (${change} nats)`;
}

/** What a thumbnail adds to the name of its head. @param {Numbered} effect */
export function withoutHead(effect) {
  const { does, from, to } = told(effect);
  if (effect.isEstimate) return `${from} → about ${to} without it, an estimate`;
  if (does === "stays") return `${from} without it, too`;
  return does === "falls"
    ? `helps: ${from} → ${to} without it`
    : `hurts: ${from} → ${to} without it`;
}

/** Where a head looks most. @param {{token: string, share: number}} look */
export const look = ({ token, share }) => `${token} ${Math.round(100 * share)}%`;
/** @param {string} look "" if it is not known */
export const lookLabel = (look) => look && `; it looks most at ${look}`;

/** The columns of the list. */
export const COLUMNS = {
  head: "head",
  looks: {
    text: "looks at",
    title: "The token that the head gives most of its attention here, and its weight",
  },
  before: "The probability of the token as it is now: the middle of every bar",
  after: { text: "without it", title: "The probability of the token with this head muted" },
  nats: { text: "nats", title: "The change of the token’s log-probability" },
};
/** The ends and the middle of the axis of a saved picture. @param {{before: number, extent: number}} axis */
export const axisLabels = ({ before, extent }) => [helps(extent), percent(before), hurts(extent)];
/** @param {number} extent */
export const helps = (extent) => `helps: ${points(-extent)} points`;
/** @param {number} extent */
export const hurts = (extent) => `${points(extent)}: hurts`;

/** @param {Watched} watched */
export const source = ({ token, fills, read }) =>
  fills
    ? `How likely ${quote(token)} is at ${read} with one head muted; bars are in percentage points. A head helps if the token is less likely without it.`
    : `How likely ${quote(token)} is after ${read} with one head muted; bars are in percentage points. A head helps if the token is less likely without it.`;

/** What the colours of the thumbnails mean. @param {Watched} watched */
export const legend = ({ token, fills, read }) =>
  fills
    ? `Colours: by how many percentage points ${quote(token)} at ${read} moves when each head is muted in turn.`
    : `Colours: by how many percentage points ${quote(token)} after ${read} moves when each head is muted in turn.`;

/** The title of a saved picture. @param {Watched} watched */
export const pictureTitle = ({ token, fills, read }) =>
  fills
    ? `Mute effects on ${quote(token)} at ${read}`
    : `Mute effects on ${quote(token)} after ${read}`;
/** @param {Watched} watched */
export const pictureSource = ({ token }) =>
  `How likely ${quote(token)} is with one head muted; bars are in percentage points. A head helps if the token is less likely without it.`;
export const PICTURE_COLUMNS = { name: "head", value: "without it" };
/** @param {Numbered} effect */
export const pictureValue = (effect) =>
  marked(effect, `${told(effect).to} (${nats(effect.change)} nats)`);

/**
 * The reason why no head has a number, given once instead of for every head; "" if one has.
 * @param {Effect[]} effects
 */
export function noneInWords(effects) {
  const [first] = effects;
  if (!first || effects.some(({ change }) => change !== null)) return "";
  if (effects.some(({ reason }) => reason !== first.reason)) {
    return "No head has a number: the list gives the reasons.";
  }
  return first.reason === ALREADY_MUTED
    ? "Every head is already muted."
    : `No head has a number: ${first.reason}.`;
}
