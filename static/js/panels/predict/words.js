// What the predictions say.

import { isolated, percent, quote } from "../../words/format.js";

/** @import { Listed, Nucleus } from "../../types.d.ts" */

export const COMPARED = "± compared with the model without your masks and mutes";
export const COLUMNS = {
  watched: { text: "◎", title: "The token whose log-probability the mute effects show" },
  change: {
    text: "± edits",
    title: "± compared with the model without your masks and mutes, in percentage points",
  },
};
export const UNDO = "Undo";
export const MUTE_EACH = "Mute each head in turn";
export const MUTE_EACH_TITLE = "How much the watched token loses or gains without each head";

export const WRITE = "Let it write";
export const STOP = "Stop";
export const WRITE_TITLE =
  "The model adds one token after another, while you watch where each looks";
export const WRITE_COMMAND = "the model adds one token after another";
export const LENGTH = {
  title: "How far the model writes",
  sentence: "a sentence",
  /** @param {number} n */
  tokens: (n) => `${n} tokens`,
};
export const DRAWN = {
  text: "random",
  title:
    "Draw each token from those listed, by their probabilities; otherwise the likeliest is taken",
};
/** @param {number} n */
export const wrote = (n) => (n === 1 ? "The model wrote 1 token." : `The model wrote ${n} tokens.`);
/** @param {Named} named */
export const endsAt = ({ token }) => `The model ends here: ${quote(token)} is what it would add.`;

/** Where a token is predicted. @param {{fills: boolean, token: string}} position */
export const predictedAt = ({ fills, token }) => (fills ? `at ${token}` : `after ${token}`);

/** What a click on a token does. */
export const HINTS = {
  fill: "Click a token to insert it; ◎ watches it.",
  cut: "Click a token to continue with it from there: the text after it is removed. ◎ watches it.",
  end: "Click a token to append it; ◎ watches it.",
};
/** @param {string} reason a sentence without its full stop */
export const noInsertion = (reason) => `No token can be inserted: ${reason}.`;

/** Why a token cannot be inserted: sentences without their full stop. */
export const SPECIAL = "it is a special token, which cannot be typed";
export const OF_CLASSES = "these are classes, not tokens";
export const NOTHING_TO_REPLACE = "there is no typed text that it could replace";

/** @typedef {{token: string}} Named */
/** @typedef {Named & {reason: string}} Refused */

/** @param {Refused} refused */
export const cannotInsert = ({ token, reason }) => `${quote(token)} cannot be inserted: ${reason}.`;
/** @param {Refused} refused */
export const cannotAppend = ({ token, reason }) => `${quote(token)} cannot be appended: ${reason}.`;
/** @param {Refused} refused */
export const appendFailed = ({ token, reason }) =>
  `${quote(token)} could not be appended: ${reason}`;
/** @param {Named} named */
export const partOfCharacter = ({ token }) =>
  `${quote(token)} is a part of a character and cannot be typed alone.`;

/** What was done; `misread`: the model reads the new text as other tokens. */
export const INSERTED = {
  /** @param {Named} named */
  fill: ({ token }) => `${quote(token)} was inserted.`,
  /** @param {Named} named */
  end: ({ token }) => `${quote(token)} was appended.`,
  /** @param {Named} named */
  cut: ({ token }) => `${quote(token)} was appended there, and the text after it was removed.`,
  misread: {
    /** @param {Named} named */
    fill: ({ token }) => `${quote(token)} was inserted, but it is read as other tokens there.`,
    /** @param {Named} named */
    end: ({ token }) => `${quote(token)} was appended, but it is read as other tokens there.`,
    /** @param {Named} named */
    cut: ({ token }) =>
      `${quote(token)} was appended there, and the text after it was removed, but it is read as other tokens there.`,
  },
};

/**
 * The tooltip of a token.
 * @param {Listed} token
 * @param {string} reason why it cannot be appended; "" if it can
 */
export function tokenTitle({ text, id, probability }, reason) {
  const [quoted, p] = [isolated(JSON.stringify(text)), probability.toPrecision(4)];
  return reason
    ? `${quoted}, id ${id}, probability ${p}; cannot be appended: ${reason}`
    : `${quoted}, id ${id}, probability ${p}`;
}

/** @param {Named} named */
export const watchLabel = ({ token }) => `Watch ${quote(token)}`;
export const WATCH = "Watch this token: mute effects will show it";
export const WATCHED = "Watched: mute effects show this token";
/** @param {string} probability */
export const unedited = (probability) => `${probability} without your masks and mutes`;

/**
 * How much of the probability the listed tokens have together: "These 10 add up to 87.3%."
 * @param {Listed[]} likeliest
 * @param {Nucleus | undefined} nucleus
 */
export function held(likeliest, nucleus) {
  const n = likeliest.length;
  const sum = percent(likeliest.reduce((total, { probability }) => total + probability, 0));
  if (!nucleus) return n === 1 ? `This one has ${sum}.` : `These ${n} add up to ${sum}.`;
  if (nucleus.tokens === n) {
    return n === 1
      ? `This one has ${sum}, which is the whole nucleus.`
      : `These ${n} add up to ${sum}, which is the whole nucleus.`;
  }
  const [all, share] = [nucleus.tokens.toLocaleString("en"), percent(nucleus.share)];
  return n === 1
    ? `This one has ${sum}; all ${all} of the nucleus add up to ${share}.`
    : `These ${n} add up to ${sum}; all ${all} of the nucleus add up to ${share}.`;
}

export const SAMPLING = {
  label: "How predictions are listed",
  temperature: {
    text: "temp.",
    label: "temperature",
    title: "Temperature: below 1 favours the most likely tokens, above 1 the others",
  },
  topK: { text: "top-k", title: "The maximum number of tokens" },
  topP: {
    text: "top-p",
    label: "top-p",
    title: "The smallest set of most likely tokens with this total probability",
  },
  off: "off",
  reset: { label: "Reset how predictions are listed", title: "Temperature 1, 10 tokens, no top-p" },
};
