// The effects of muting heads, ranked and as numbers. A head without a number never looks like one with an effect of 0.

import { fixed, MINUS, PLUS } from "../../language/language.js";
import { signedBriefly } from "../../words/format.js";

/** @import { Muted, Mutes } from "../../types.d.ts" */
/**
 * An effect with the token's probability before and after; null where it has no number. Of an estimated one, both are.
 * @typedef {Muted & {before: number, after: number | null, isEstimate: boolean}} Effect
 */
/** @typedef {Effect & {change: number, after: number}} Numbered */

/** Whether an effect has a number. @param {Effect} effect @returns {effect is Numbered} */
export const hasNumber = (effect) => effect.change !== null && effect.after !== null;

/** The effects as probabilities: a change of ln p by n nats multiplies p by eⁿ. @param {Mutes} answer @returns {Effect[]} */
export const withProbabilities = ({ effects, token: { probability: before } }) =>
  effects.map((effect) => {
    const change = effect.change ?? effect.estimate ?? null;
    const after = change === null ? null : Math.min(1, before * Math.exp(change));
    return {
      ...effect,
      change,
      before,
      after,
      isEstimate: effect.change === null && change !== null,
    };
  });

/** How far the probability moves without the head. @param {Numbered} effect */
export const moved = ({ before, after }) => after - before;

/**
 * The largest change of the probability first, whatever its sign; below what was measured what was estimated; heads without a number at the
 * end, in their order.
 * @template {Effect} E
 * @param {E[]} effects
 */
export const ranked = (effects) =>
  effects.toSorted(
    (a, b) =>
      Number(a.isEstimate) - Number(b.isEstimate) ||
      size(b) - size(a) ||
      a.layer - b.layer ||
      a.head - b.head,
  );

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
  return `${change < 0 ? MINUS : PLUS}${fixed(size, size < 9.95 ? 1 : 0)}`;
}

/** @param {Effect} effect */
const size = (effect) => (hasNumber(effect) ? Math.abs(moved(effect)) : -1);
