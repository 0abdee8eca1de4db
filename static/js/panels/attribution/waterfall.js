// The summands of a logit as a waterfall: each bar starts where the last one ended, from 0 to the logit. Pure.

/** @import { Attribution, Part } from "../../types.d.ts" */
/** @typedef {{part: Part, value: number}} Summand */

/**
 * @typedef {object} Row
 * @property {"part" | "smaller" | "cap" | "remainder" | "logit"} kind "smaller": the small parts together; "logit": all of them
 * @property {Part | null} part
 * @property {number} n how many parts it stands for
 * @property {number} value
 * @property {number} from what the rows before it sum to
 * @property {number} to
 */

const MAX_PARTS = 12; // parts that are listed before the others are folded
const SMALL = 0.02; // of the largest part

/** @param {{value: number}} summand */
const size = ({ value }) => Math.abs(value);

/** The largest part, whatever its sign. @template {{value: number}} S @param {readonly S[]} summands @returns {S | undefined} */
export const largestOf = (summands) => summands.toSorted((a, b) => size(b) - size(a))[0];

/** The parts that are not folded: the largest few, unless they are small beside the largest. @param {readonly Summand[]} parts */
function largeOf(parts) {
  const bySize = parts.toSorted((a, b) => size(b) - size(a));
  const large = bySize.slice(0, MAX_PARTS).filter((one) => size(one) >= SMALL * size(bySize[0]));
  return new Set(parts.length - large.length < 2 ? parts : large); // one part alone needs no fold
}

/**
 * @param {Pick<Attribution, "contributions" | "soft_cap" | "remainder" | "logit">} attribution
 * @param {object} look
 * @param {"written" | "size"} look.order in which the parts were written, or the largest first
 * @param {boolean} look.open whether the smaller parts are listed one by one
 * @returns {Row[]} the remainder and the logit are always the last two
 */
export function waterfallOf({ contributions, soft_cap, remainder, logit }, { order, open }) {
  const large = largeOf(contributions);
  const listed = contributions.filter((one) => open || large.has(one));
  const small = contributions.filter((one) => !large.has(one));
  if (order === "size") listed.sort((a, b) => size(b) - size(a));
  const folded = { kind: "smaller", part: null, n: small.length, value: sumOf(small) };
  const rows = [
    ...listed.map(({ part, value }) => ({ kind: "part", part, n: 1, value })),
    ...(open || small.length === 0 ? [] : [folded]),
    ...(soft_cap === null ? [] : [{ kind: "cap", part: null, n: 1, value: soft_cap }]),
    { kind: "remainder", part: null, n: 1, value: remainder },
  ];
  let sum = 0;
  const running = rows.map((row) => {
    const from = sum;
    sum += row.value;
    return { ...row, from, to: sum };
  });
  return /** @type {Row[]} */ ([
    ...running,
    { kind: "logit", part: null, n: contributions.length, value: logit, from: 0, to: logit },
  ]);
}

/** How many parts are folded. @param {Pick<Attribution, "contributions">} attribution */
export const smallIn = ({ contributions }) => contributions.length - largeOf(contributions).size;

/** The ends of the axis: it holds 0 and every end of a bar. @param {readonly Row[]} rows */
export function axisOf(rows) {
  const ends = rows.flatMap(({ from, to }) => [from, to]);
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}

/**
 * A bar on an axis, as fractions of its width.
 * @param {Pick<Row, "from" | "to">} row
 * @param {{low: number, high: number}} axis
 */
export function barOn({ from, to }, { low, high }) {
  const at = (/** @type {number} */ value) => (high > low ? (value - low) / (high - low) : 0);
  return { start: at(Math.min(from, to)), length: at(Math.max(from, to)) - at(Math.min(from, to)) };
}

/** @param {readonly {value: number}[]} summands */
const sumOf = (summands) => summands.reduce((sum, { value }) => sum + value, 0);
