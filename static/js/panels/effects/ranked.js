// The effects of muting heads, ranked and in words. A head without a number never looks like one with an effect of 0.

/** @typedef {import("../../types.d.ts").MuteEffect} MuteEffect */
/** @typedef {import("../../types.d.ts").Prediction} Prediction */

const MUTED = "this head is muted already"; // the server's words

/**
 * The largest change first, whatever its sign; heads without a number at the end, in their order.
 * @param {MuteEffect[]} effects
 */
export const ranked = (effects) =>
  effects.toSorted((a, b) => size(b) - size(a) || a.layer - b.layer || a.head - b.head);

/** The value of a bar of full length; 0 if nothing changes. @param {MuteEffect[]} effects */
export const extent = (effects) =>
  effects.reduce((most, { change }) => Math.max(most, Math.abs(change ?? 0)), 0);

/**
 * A bar from the middle: its start and length, as fractions of the width.
 * @param {number} change
 * @param {number} most
 */
export function bar(change, most) {
  const length = most > 0 ? Math.min(1, Math.abs(change) / most) / 2 : 0;
  return { start: change < 0 ? 0.5 - length : 0.5, length };
}

/** Nats without a sign, with two decimals; a tiny value never reads as 0. @param {number} value */
export function nats(value) {
  const size = Math.abs(value);
  return size >= 0.00995 ? size.toFixed(2) : String(Number(size.toPrecision(1)));
}

/** Nats with a sign (a real minus). @param {number} value */
export const signed = (value) => (value < 0 ? "−" : value > 0 ? "+" : "") + nats(value);

/** @param {{kind: string, layer: number, head: number}} place */
export const nameOf = ({ kind, layer, head }) =>
  `${kind === "self" ? "" : `${kind} `}layer ${layer} · head ${head}`;

/**
 * "without layer 1 · head 3 the log-probability of “mat” falls by 2.31 nats", and the probability before and after.
 * @param {MuteEffect} effect
 * @param {Prediction} token with no further head muted
 * @param {string} text the token as written on the page
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

/** A probability with three digits, so that similar ones look different. @param {number} p */
const share = (p) => {
  const percent = 100 * p;
  return percent !== 0 && percent < 0.01
    ? `${percent.toExponential(0)}%`
    : `${Number(percent.toPrecision(3))}%`;
};

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
 * @param {number} most
 */
export const shade = (change, most) =>
  most > 0 ? Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, change / most))) : 128;

/**
 * The reason why no head has a number, given once instead of for every head.
 * @param {MuteEffect[]} effects
 */
export function noneOf(effects) {
  const [first] = effects;
  if (!first || effects.some(({ change }) => change !== null)) return "";
  const same = effects.every(({ reason }) => reason === first.reason);
  if (same && first.reason === MUTED) return "Every head is already muted.";
  return `No head has a number: ${same ? first.reason : "the list gives the reasons"}.`;
}

/** @param {MuteEffect} effect */
const size = ({ change }) => (change === null ? -1 : Math.abs(change));
