// The effects of muting heads, ranked and as numbers. A head without a number never looks like one with an effect of 0.

import { signedBriefly } from "../../words/format.js";

/** @import { MuteEffect, MuteEffects } from "../../types.d.ts" */
/**
 * An effect with the token's probability before and after; null where it has no number.
 * @typedef {MuteEffect & {before: number, after: number | null}} Effect
 */
/** @typedef {Effect & {change: number, after: number}} Numbered */

/** Whether an effect has a number. @param {Effect} effect @returns {effect is Numbered} */
export const hasNumber = (effect) => effect.change !== null && effect.after !== null;

/** The effects as probabilities: a change of ln p by n nats multiplies p by eⁿ. @param {MuteEffects} answer @returns {Effect[]} */
export const withProbabilities = ({ effects, token: { probability: before } }) =>
  effects.map((effect) => ({
    ...effect,
    before,
    after: effect.change === null ? null : Math.min(1, before * Math.exp(effect.change)),
  }));

/** How far the probability moves without the head. @param {Numbered} effect */
export const moved = ({ before, after }) => after - before;

/**
 * The largest change of the probability first, whatever its sign; heads without a number at the end, in their order.
 * @template {Effect} E
 * @param {E[]} effects
 */
export const ranked = (effects) =>
  effects.toSorted((a, b) => size(b) - size(a) || a.layer - b.layer || a.head - b.head);

/** The value of a bar of full length; 0 if nothing changes. @param {Effect[]} effects */
export const extent = (effects) =>
  Math.max(0, ...effects.filter(hasNumber).map((effect) => Math.abs(moved(effect))));

/**
 * A bar from the middle: its start and length, as fractions of the width.
 * @param {number} change
 * @param {number} max the value of a bar of full length
 */
export function bar(change, max) {
  const length = max > 0 ? Math.min(1, Math.abs(change) / max) / 2 : 0;
  return { start: change < 0 ? 0.5 - length : 0.5, length };
}

/** A change in nats. */
export const nats = signedBriefly;

/** Percentage points that fit a thumbnail: "−48", "+3.2"; "≈0" is not 0. @param {number | null} change */
export function brief(change) {
  if (change === null) return "–";
  const size = Math.abs(100 * change);
  if (size < 0.05) return change === 0 ? "0" : "≈0";
  return `${change < 0 ? "−" : "+"}${size.toFixed(size < 9.95 ? 1 : 0)}`;
}

/** @param {Effect} effect */
const size = (effect) => (hasNumber(effect) ? Math.abs(moved(effect)) : -1);
