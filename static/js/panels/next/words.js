// What the page suggests to do next.

import { percent, quote } from "../../words/format.js";

/** @typedef {{text: string, button: string}} Suggestion `button`: "" for none */
/** @typedef {{n: number, all: number} | null} Among how many heads were tried; null: all */
/** @typedef {{token: string, from: number, to: number}} Move how an edit moved the probability of a token */

/** @type {Suggestion} */
export const MUTE = {
  text: "Next: mute this head, and watch the prediction.",
  button: "Mute this head",
};
/** @type {Suggestion} */
export const WATCH = {
  text: "Next: see how such heads come about, step by step in training.",
  button: "Watch it learn",
};
/** @type {Suggestion} */
export const COMPARE = {
  text: "Next: see this head before and after your edit.",
  button: "Compare",
};
/** @type {Suggestion} */
export const UNDO = { text: "Next: undo your last edit.", button: "Undo" };
/** @type {Suggestion} */
export const CLEAR = {
  text: "Next: see the model without masks and mutes.",
  button: "Remove the edits",
};

const FIND = "Find a head";
/** After a mute: what it did, and what to look for. @param {Move} move @returns {Suggestion} */
export function find({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  if (before === now)
    return {
      text: `${quote(token)} stays at ${now}. Next: find a head that it does need.`,
      button: FIND,
    };
  return to < from
    ? {
        text: `${quote(token)} fell from ${before} to ${now}. Next: find another head that helps it.`,
        button: FIND,
      }
    : {
        text: `${quote(token)} rose from ${before} to ${now}. Next: find a head that helps it.`,
        button: FIND,
      };
}
/** The selected head does not matter for the prediction. @param {Move} move @returns {Suggestion} */
export function idle({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  const moves = before === now ? `stays at ${now}` : `goes from ${before} to ${now}`;
  return {
    text: `Without this head, ${quote(token)} ${moves}. Next: find a head that matters more.`,
    button: FIND,
  };
}
/** While heads are muted: all of them, or, of many, some. @param {boolean} many @returns {Suggestion} */
export const finding = (many) => ({
  text: many ? "Muting the heads that may matter most …" : "Muting each head in turn …",
  button: "",
});
/** The head that was found. @param {{head: string, token: string, to: number, isMore: boolean, among: Among}} found `isMore`: besides a muted one @returns {Suggestion} */
export const show = ({ head, token, to, isMore, among }) => ({
  text: [
    among ? `${among.n} of ${among.all} heads were muted in turn.` : "",
    isMore
      ? `Without ${head}, too, ${quote(token)} would fall to ${percent(to)}.`
      : `Without ${head}, ${quote(token)} would fall to ${percent(to)}.`,
    "Next: look at that head.",
  ]
    .filter(Boolean)
    .join(" "),
  button: "Show it",
});
/** The head that was found is selected. @param {{token: string, to: number, among: Among}} found @returns {Suggestion} */
export const needed = ({ token, to, among }) => ({
  text:
    among === null
      ? `${quote(token)} needs this head most: without it, ${percent(to)}. Next: mute it.`
      : `Of ${among.n} heads (of ${among.all}) that were tried, ${quote(token)} needs this one most: without it, ${percent(to)}. Next: mute it.`,
  button: "Mute this head",
});
/** Another head looks at the token, where it stands in the text already. @param {{token: string, to: number, head: string, share: number}} found `to`: without the selected one @returns {Suggestion} */
export const looksAt = ({ token, to, head, share }) => ({
  text: `Without this head, ${quote(token)} is at ${percent(to)}. But ${head} looks at ${quote(token)} itself (${percent(share)}). Next: look at that head.`,
  button: "Show it",
});
/** It is selected. @param {{token: string, share: number, to: number}} found @returns {Suggestion} */
export const looks = ({ token, share, to }) => ({
  text: `This head looks at ${quote(token)} (${percent(share)}) and helps it: without it, ${percent(to)}. Next: mute it.`,
  button: "Mute this head",
});
/** @type {Suggestion} */
export const MUTE_TOO = {
  text: "Next: mute this head, too, and watch the prediction.",
  button: "Mute this head",
};

/** @param {string} title of an example @returns {Suggestion} */
export const another = (title) => ({ text: "Next: try another example.", button: title });
/** There is no sentence. @param {string} title of an example @returns {Suggestion} */
export const empty = (title) => ({
  text: title ? "Next: type a sentence, or try an example." : "Next: type a sentence.",
  button: title,
});
