// What the mute effects say: in the list, over the thumbnails and in saved files.

import { nats, signed } from "./ranked.js";

/** @typedef {import("../../types.d.ts").MuteEffect} MuteEffect */
/** @typedef {import("../../types.d.ts").Prediction} Prediction */
/** @typedef {{token: string, fills: boolean, read: string}} Watched the token whose probability changes, and the token that it is predicted at or after */

const ALREADY_MUTED = "this head is muted already"; // the server's words

/** @param {{kind: string, layer: number, head: number}} place */
const headInWords = ({ kind, layer, head }) =>
  kind === "self" ? `layer ${layer} · head ${head}` : `${kind} layer ${layer} · head ${head}`;

export const NO_NUMBER = "no number";
export const COMPUTING = "Computing: the sentence runs once for every head …";
export const NO_NUMBERS = "There are no numbers for this text.";

/**
 * The effect of one head: "Without layer 1 · head 3 the log-probability of “mat” falls by 2.31 nats, from 50% to 4.96%."
 * @param {MuteEffect} effect
 * @param {Prediction} token with no further head muted
 * @param {string} text the token as written on the page
 */
export function effectInWords(effect, token, text) {
  const { change, reason } = effect;
  const head = headInWords(effect);
  if (change === null) return `There is no number for ${head}: ${reason}.`;
  if (change === 0)
    return `Without ${head} the log-probability of “${text}” stays exactly as it is.`;
  const size = nats(change);
  const [from, to] = [token.probability, token.probability * Math.exp(change)].map(percent);
  return change < 0
    ? `Without ${head} the log-probability of “${text}” falls by ${size} nats, from ${from} to ${to}.`
    : `Without ${head} the log-probability of “${text}” rises by ${size} nats, from ${from} to ${to}.`;
}

/** With three digits, so that similar probabilities look different. @param {number} p */
function percent(p) {
  const value = 100 * p;
  return value !== 0 && value < 0.01
    ? `${value.toExponential(0)}%`
    : `${Number(value.toPrecision(3))}%`;
}

/** @param {MuteEffect} effect */
export const lineLabel = (effect) =>
  `${headInWords(effect)}: ${effect.change === null ? effect.reason : signed(effect.change)}`;

/** The ends of the axis of a list. @param {number} extent */
export const axisLabels = (extent) => [`−${nats(extent)}`, "0", `+${nats(extent)} nats`];

/** @param {Watched} watched */
export const source = ({ token, fills, read }) =>
  fills
    ? `Change of ln p(“${token}”) at “${read}” with one head muted. To the left: the head helps.`
    : `Change of ln p(“${token}”) after “${read}” with one head muted. To the left: the head helps.`;

/** What the colours of the thumbnails mean. @param {Watched} watched */
export const legend = ({ token, fills, read }) =>
  fills
    ? `Colours: how much ln p(“${token}”) at “${read}” changes when each head is muted in turn.`
    : `Colours: how much ln p(“${token}”) after “${read}” changes when each head is muted in turn.`;
/** @param {string} size */
export const helps = (size) => `helps −${size}`;
/** @param {string} size */
export const hinders = (size) => `+${size} hinders`;
/** @param {number} change */
export const withoutHead = (change) => `without it ${signed(change)} nats`;

/** The title of a saved picture. @param {Watched} watched */
export const pictureTitle = ({ token, fills, read }) =>
  fills ? `Mute effects on “${token}” at “${read}”` : `Mute effects on “${token}” after “${read}”`;
/** @param {Watched} watched */
export const pictureSource = ({ token }) =>
  `Change of ln p(“${token}”), in nats, with one head muted. To the left: the head helps.`;
export const PICTURE_COLUMNS = { name: "head", value: "nats" };

/**
 * The reason why no head has a number, given once instead of for every head; "" if one has.
 * @param {MuteEffect[]} effects
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
