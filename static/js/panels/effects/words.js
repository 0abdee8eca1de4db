// What the mute effects say: in the list, over the thumbnails and in saved files. First in percent, then in nats.

import { gettext } from "../../language/gettext.js";
import { fixed, percentage, pointed } from "../../language/language.js";
import { percent, quote } from "../../words/format.js";
import { points } from "../predict/rows.js";
import { hasNumber, nats } from "./ranked.js";

/** @import { Effect, Numbered } from "./ranked.js" */
/** @typedef {{token: string, fills: boolean, read: string}} Watched the token whose probability changes, and the token that it is predicted at or after */

const ALREADY_MUTED = gettext("this head is muted already"); // the server's words

/** @param {{kind: string, layer: number, head: number}} place */
const headInWords = ({ kind, layer, head }) =>
  kind === "self"
    ? gettext("layer {layer} · head {head}", { layer, head })
    : gettext("{kind} layer {layer} · head {head}", { kind, layer, head });

export const NO_NUMBER = gettext("no number");
export const COMPUTING = gettext("Computing: the sentence runs once for every head …");
export const NO_NUMBERS = gettext("There are no numbers for this text.");

/** A number, which may be an estimate. @param {{isEstimate?: boolean}} effect @param {string} text */
export const marked = ({ isEstimate }, text) => (isEstimate ? `≈ ${text}` : text);
/** @param {{measured: number, all: number}} heads */
export const estimatedInWords = ({ measured, all }) =>
  measured
    ? gettext("{measured} of {all} heads were muted; ≈ marks an estimate, which can be wrong.", {
        measured,
        all,
      })
    : gettext("≈ marks an estimate, which can be wrong: no head was muted.");
/** @param {{measured: number, agreement: number | null}} heads */
export const howInWords = ({ measured, agreement }) =>
  agreement === null
    ? gettext(
        "An estimate is what one gradient says of a head, as if the model were linear around this run.",
      )
    : gettext(
        "An estimate is what one gradient says of a head, as if the model were linear around this run. For the {measured} heads that were muted, its order agrees with the measured one by Kendall’s τ = {agreement} (1: the same order, 0: no relation).",
        { measured, agreement: fixed(agreement, 2) },
      );
/** @param {number} n */
export const muteAll = (n) => gettext("Mute each of the {n} in turn", { n });

/** What a head does for the token, by what the probability does without it. */
export const ROLES = { falls: gettext("helps"), rises: gettext("hurts"), stays: "" };

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
  const text =
    value !== 0 && value < 0.01 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
  return percentage(pointed(text));
}

/**
 * The effect of one head: "Without layer 2 · head 3, “herself” falls from 72.3% to 24.3% (−1.09 nats): this head helps it."
 * @param {Effect} effect
 * @param {string} token as written on the page
 */
export function effectInWords(effect, token) {
  const head = headInWords(effect);
  if (!hasNumber(effect))
    return gettext("There is no number for {head}: {reason}.", {
      head,
      reason: effect.reason ?? "",
    });
  const { does, from, to } = told(effect);
  const change = nats(effect.change);
  if (effect.isEstimate)
    return gettext(
      "Without {head}, {token} would go from {from} to about {to}, by an estimate (≈ {change} nats).",
      { head, token: quote(token), from, to, change },
    );
  if (effect.change === 0)
    return gettext("Without {head}, {token} stays at exactly {from}.", {
      head,
      token: quote(token),
      from,
    });
  if (does === "stays")
    return gettext("Without {head}, {token} stays at {from} ({change} nats).", {
      head,
      token: quote(token),
      from,
      change,
    });
  return does === "falls"
    ? gettext(
        "Without {head}, {token} falls from {from} to {to} ({change} nats): this head helps it.",
        { head, token: quote(token), from, to, change },
      )
    : gettext(
        "Without {head}, {token} rises from {from} to {to} ({change} nats): this head hurts it.",
        { head, token: quote(token), from, to, change },
      );
}

/** @param {Effect} effect */
export function lineLabel(effect) {
  const head = headInWords(effect);
  if (!hasNumber(effect)) return `${head}: ${effect.reason}`;
  const { does, from, to } = told(effect);
  const change = nats(effect.change);
  if (effect.isEstimate)
    return gettext("{head}: {from} → about {to} without it, an estimate", { head, from, to });
  if (does === "stays")
    return gettext("{head}: stays at {from} ({change} nats)", { head, from, change });
  return does === "falls"
    ? gettext("{head} helps: {from} → {to} without it ({change} nats)", { head, from, to, change })
    : gettext("{head} hurts: {from} → {to} without it ({change} nats)", { head, from, to, change });
}

/** What a thumbnail adds to the name of its head. @param {Numbered} effect */
export function withoutHead(effect) {
  const { does, from, to } = told(effect);
  if (effect.isEstimate)
    return gettext("{from} → about {to} without it, an estimate", { from, to });
  if (does === "stays") return gettext("{from} without it, too", { from });
  return does === "falls"
    ? gettext("helps: {from} → {to} without it", { from, to })
    : gettext("hurts: {from} → {to} without it", { from, to });
}

/** Where a head looks most. @param {{token: string, share: number}} look */
export const look = ({ token, share }) => `${token} ${percentage(fixed(100 * share, 0))}`;
/** The name of a line. @param {string} line @param {string} look "" if it is not known */
export const withLook = (line, look) =>
  look ? gettext("{line}; it looks most at {look}", { line, look }) : line;

/** The columns of the list. */
export const COLUMNS = {
  head: gettext("head"),
  looks: {
    text: gettext("looks at"),
    title: gettext("The token that the head gives most of its attention here, and its weight"),
  },
  before: gettext("The probability of the token as it is now: the middle of every bar"),
  after: {
    text: gettext("without it"),
    title: gettext("The probability of the token with this head muted"),
  },
  nats: { text: gettext("nats"), title: gettext("The change of the token’s log-probability") },
};
/** The ends and the middle of the axis of a saved picture. @param {{before: number, extent: number}} axis */
export const axisLabels = ({ before, extent }) => [helps(extent), percent(before), hurts(extent)];
/** @param {number} extent */
export const helps = (extent) => gettext("helps: {points} points", { points: points(-extent) });
/** @param {number} extent */
export const hurts = (extent) => gettext("{points}: hurts", { points: points(extent) });

/** @param {Watched} watched */
export const source = ({ token, fills, read }) =>
  fills
    ? gettext(
        "How likely {token} is at {read} with one head muted; bars are in percentage points. A head helps if the token is less likely without it.",
        { token: quote(token), read },
      )
    : gettext(
        "How likely {token} is after {read} with one head muted; bars are in percentage points. A head helps if the token is less likely without it.",
        { token: quote(token), read },
      );

/** What the colours of the thumbnails mean. @param {Watched} watched */
export const legend = ({ token, fills, read }) =>
  fills
    ? gettext(
        "Colours: by how many percentage points {token} at {read} moves when each head is muted in turn.",
        { token: quote(token), read },
      )
    : gettext(
        "Colours: by how many percentage points {token} after {read} moves when each head is muted in turn.",
        { token: quote(token), read },
      );

/** The title of a saved picture. @param {Watched} watched */
export const pictureTitle = ({ token, fills, read }) =>
  fills
    ? gettext("Mute effects on {token} at {read}", { token: quote(token), read })
    : gettext("Mute effects on {token} after {read}", { token: quote(token), read });
/** @param {Watched} watched */
export const pictureSource = ({ token }) =>
  gettext(
    "How likely {token} is with one head muted; bars are in percentage points. A head helps if the token is less likely without it.",
    { token: quote(token) },
  );
export const PICTURE_COLUMNS = { name: gettext("head"), value: gettext("without it") };
/** @param {Numbered} effect */
export const pictureValue = (effect) =>
  marked(effect, gettext("{to} ({nats} nats)", { to: told(effect).to, nats: nats(effect.change) }));

/**
 * The reason why no head has a number, given once instead of for every head; "" if one has.
 * @param {Effect[]} effects
 */
export function noneInWords(effects) {
  const [first] = effects;
  if (!first || effects.some(({ change }) => change !== null)) return "";
  if (effects.some(({ reason }) => reason !== first.reason)) {
    return gettext("No head has a number: the list gives the reasons.");
  }
  return first.reason === ALREADY_MUTED
    ? gettext("Every head is already muted.")
    : gettext("No head has a number: {reason}.", { reason: first.reason ?? "" });
}
