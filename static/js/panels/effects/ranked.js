// The effects of muting heads, ranked and as numbers. A head without a number never looks like one with an effect of 0.

/** @typedef {import("../../types.d.ts").MuteEffect} MuteEffect */

/**
 * The largest change first, whatever its sign; heads without a number at the end, in their order.
 * @param {MuteEffect[]} effects
 */
export const ranked = (effects) =>
  effects.toSorted((a, b) => size(b) - size(a) || a.layer - b.layer || a.head - b.head);

/** The value of a bar of full length; 0 if nothing changes. @param {MuteEffect[]} effects */
export const extent = (effects) =>
  effects.reduce((max, { change }) => Math.max(max, Math.abs(change ?? 0)), 0);

/**
 * A bar from the middle: its start and length, as fractions of the width.
 * @param {number} change
 * @param {number} max the value of a bar of full length
 */
export function bar(change, max) {
  const length = max > 0 ? Math.min(1, Math.abs(change) / max) / 2 : 0;
  return { start: change < 0 ? 0.5 - length : 0.5, length };
}

/** Nats without a sign, with two decimals; a tiny value never reads as 0. @param {number} value */
export function nats(value) {
  const size = Math.abs(value);
  return size >= 0.00995 ? size.toFixed(2) : String(Number(size.toPrecision(1)));
}

/** Nats with a sign (a real minus). @param {number} value */
export const signed = (value) => (value < 0 ? "−" : value > 0 ? "+" : "") + nats(value);

/** A number that fits a thumbnail: "−2.31", "+.05"; "≈0" is not 0. @param {number | null} change */
export function brief(change) {
  if (change === null) return "–";
  const size = Math.abs(change);
  if (size < 0.005) return change === 0 ? "0" : "≈0";
  return `${change < 0 ? "−" : "+"}${size.toFixed(size < 9.995 ? 2 : 1).replace(/^0/, "")}`;
}

/**
 * The index of a change on the diverging scale, 0 to 255; no change is in the middle.
 * @param {number} change
 * @param {number} max the value at the ends of the scale
 */
export const shade = (change, max) =>
  max > 0 ? Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, change / max))) : 128;

/** @param {MuteEffect} effect */
const size = ({ change }) => (change === null ? -1 : Math.abs(change));
