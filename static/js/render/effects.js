// What muting heads does, ranked and in words. A head without a number never looks like one whose effect is 0.

/** @typedef {import("../types.d.ts").MuteEffect} MuteEffect */
/** @typedef {import("../types.d.ts").Prediction} Prediction */

/**
 * The largest change first, whatever its sign; heads without a number at the end, in their order.
 * @param {MuteEffect[]} effects
 */
export const ranked = (effects) =>
  effects.toSorted((a, b) => size(b) - size(a) || a.layer - b.layer || a.head - b.head);

/** What a whole half of the bars stands for; 0 where nothing changes. @param {MuteEffect[]} effects */
export const extent = (effects) =>
  effects.reduce((most, { change }) => Math.max(most, Math.abs(change ?? 0)), 0);

/**
 * A bar from the middle: where it begins and how long it is, in parts of the whole width.
 * @param {number} change
 * @param {number} most
 */
export function bar(change, most) {
  const length = most > 0 ? Math.min(1, Math.abs(change) / most) / 2 : 0;
  return { start: change < 0 ? 0.5 - length : 0.5, length };
}

/** Nats without a sign: two decimals, and honest near zero. @param {number} value */
export function nats(value) {
  const size = Math.abs(value);
  return size >= 0.00995 ? size.toFixed(2) : String(Number(size.toPrecision(1)));
}

/** With its sign, and a real minus. @param {number} value */
export const signed = (value) => (value < 0 ? "−" : value > 0 ? "+" : "") + nats(value);

/** @param {{kind: string, layer: number, head: number}} place */
export const nameOf = ({ kind, layer, head }) =>
  `${kind === "self" ? "" : `${kind} `}layer ${layer} · head ${head}`;

/**
 * "without layer 1 · head 3 the log-probability of “mat” falls by 2.31 nats", and the probability before and after.
 * @param {MuteEffect} effect
 * @param {Prediction} token as it is, nothing more muted
 * @param {string} text the token as the page writes it
 */
export function sentence(effect, token, text) {
  const { change, reason } = effect;
  if (change === null) return `There is no number for ${nameOf(effect)}: ${reason}.`;
  const of = `Without ${nameOf(effect)} the log-probability of “${text}”`;
  if (change === 0) return `${of} stays exactly as it is.`;
  const moves = change < 0 ? "falls" : "rises";
  const after = token.probability * Math.exp(change);
  return `${of} ${moves} by ${nats(change)} nats, from ${share(token.probability)} to ${share(after)}.`;
}

/** A probability in words: three digits, so that two that differ look different. @param {number} p */
const share = (p) => {
  const percent = 100 * p;
  return percent !== 0 && percent < 0.01
    ? `${percent.toExponential(0)}%`
    : `${Number(percent.toPrecision(3))}%`;
};

/** @param {MuteEffect} effect */
const size = ({ change }) => (change === null ? -1 : Math.abs(change));
