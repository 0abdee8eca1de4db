// The predictions as rows: the probability of each token and its change compared with the unedited run.

import { fixed, LESS, MINUS, PLUS } from "../../language/language.js";

/** @import { Listed } from "../../types.d.ts" */

/** The defaults of the sampling controls. */
export const DEFAULTS = Object.freeze({ temperature: 1, top_k: 10, top_p: 1 });

const STEPS = 20; // steps of the temperature slider per factor of 10
const [COOLEST, HOTTEST] = [0.05, 5]; // the ends of the slider; a link may set a higher temperature
export const TEMPERATURE_STEPS = { min: stepOf(COOLEST), max: stepOf(HOTTEST) };

/**
 * @typedef {object} Row
 * @property {Listed} token
 * @property {number | null} change the probability minus that of the unedited run; null if nothing is edited
 * @property {number} shared the part of the bar that both runs share
 * @property {number} longer the longer of the two bars
 * @property {boolean} other whether it is not among the most likely: it is listed because it fell, or because it is watched
 */

/**
 * @param {Listed[]} predictions
 * @param {number} n how many of them are among the most likely
 * @returns {Row[]}
 */
export const rowsOf = (predictions, n) =>
  predictions.map((token, index) => {
    const { probability, unedited } = token;
    const before = unedited ?? probability;
    return {
      token,
      change: unedited === null ? null : probability - unedited,
      shared: Math.min(1, probability, before),
      longer: Math.min(1, Math.max(probability, before)),
      other: index >= n,
    };
  });

/** A change in percentage points, with one decimal; a tiny change never reads as 0. @param {number} change */
export function points(change) {
  if (change === 0) return "0";
  const size = Math.abs(100 * change);
  return `${change < 0 ? MINUS : PLUS}${size < 0.05 ? `${LESS}${fixed(0.1, 1)}` : fixed(size, 1)}`;
}

/** The temperature at a step of the slider. @param {number} step */
export const temperatureAt = (step) =>
  Math.min(HOTTEST, Math.max(COOLEST, Number((10 ** (step / STEPS)).toPrecision(2))));

/** The step closest to a temperature. @param {number} temperature */
export function stepOf(temperature) {
  return Math.round(STEPS * Math.log10(temperature));
}
