// What is predicted, as rows: how likely each token is, and how that moved against the unedited run. And in words.

import { percent } from "../../words/format.js";

/** @typedef {import("../../types.d.ts").Listed} Listed */
/** @typedef {import("../../types.d.ts").Nucleus} Nucleus */

/** What the page has until somebody turns a knob. */
export const USUAL = Object.freeze({ temperature: 1, top_k: 10, top_p: 1 });

const STEPS = 20; // of the temperature's slider, for a factor of 10
const [COOLEST, HOTTEST] = [0.05, 5]; // on the slider; a link may name a hotter one
export const TEMPERATURE_STEPS = { min: stepOf(COOLEST), max: stepOf(HOTTEST) };

/**
 * @typedef {object} Row
 * @property {Listed} token
 * @property {number | null} change probability less that of the unedited run; null where nothing is edited
 * @property {number} both the part of the bar that both runs have
 * @property {number} most the longer of the two bars
 * @property {boolean} other whether it is listed although others are likelier: it fell, or it is watched
 */

/**
 * @param {Listed[]} predictions
 * @param {number} n how many of them are the likeliest
 * @returns {Row[]}
 */
export const rowsOf = (predictions, n) =>
  predictions.map((token, place) => {
    const { probability, unedited } = token;
    const before = unedited ?? probability;
    return {
      token,
      change: unedited === null ? null : probability - unedited,
      both: Math.min(1, probability, before),
      most: Math.min(1, Math.max(probability, before)),
      other: place >= n,
    };
  });

/**
 * How many of the predictions are the likeliest: the others are there to be compared.
 * @param {Listed[]} predictions
 * @param {number} top_k
 * @param {Nucleus | undefined} nucleus
 */
export const listedOf = (predictions, top_k, nucleus) =>
  Math.min(predictions.length, top_k, nucleus?.tokens ?? Number.POSITIVE_INFINITY);

/**
 * "These 10 hold 87.3%."
 * @param {Listed[]} likeliest
 * @param {Nucleus | undefined} nucleus
 */
export function held(likeliest, nucleus) {
  const n = likeliest.length;
  const sum = percent(likeliest.reduce((share, { probability }) => share + probability, 0));
  const these = n === 1 ? "This one holds" : `These ${n} hold`;
  if (!nucleus) return `${these} ${sum}.`;
  if (nucleus.tokens === n) return `${these} ${sum}: the nucleus.`;
  return `${these} ${sum}, of ${nucleus.tokens.toLocaleString("en")} that hold ${percent(nucleus.share)}.`;
}

/** A change in percentage points: one decimal, and honest near zero. @param {number} change */
export function points(change) {
  if (change === 0) return "0";
  const size = Math.abs(100 * change);
  return `${change < 0 ? "−" : "+"}${size < 0.05 ? "<0.1" : size.toFixed(1)}`;
}

/** The temperature at a step of the slider. @param {number} step */
export const temperatureAt = (step) =>
  Math.min(HOTTEST, Math.max(COOLEST, Number((10 ** (step / STEPS)).toPrecision(2))));

/** The step that is nearest to a temperature. @param {number} temperature */
export function stepOf(temperature) {
  return Math.round(STEPS * Math.log10(temperature));
}

/** What a token is, for a tooltip. @param {Listed} token */
export const describeToken = ({ text, id, probability }) =>
  `${JSON.stringify(text)}, id ${id}, probability ${probability.toPrecision(4)}`;
