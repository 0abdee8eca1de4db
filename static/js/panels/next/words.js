// What the page suggests to do next.

import { gettext, sentences } from "../../language/gettext.js";
import { percent, quote } from "../../words/format.js";

/** @typedef {{text: string, button: string}} Suggestion `button`: "" for none */
/** @typedef {{n: number, all: number} | null} Among how many heads were tried; null: all */
/** @typedef {{token: string, from: number, to: number}} Move how an edit moved the probability of a token */

/** @type {Suggestion} */
export const MUTE = {
  text: gettext("Next: mute this head, and watch the prediction."),
  button: gettext("Mute this head"),
};
/** @type {Suggestion} */
export const WATCH = {
  text: gettext("Next: see how such heads come about, step by step in training."),
  button: gettext("Watch it learn"),
};
/** @type {Suggestion} */
export const COMPARE = {
  text: gettext("Next: see this head before and after your edit."),
  button: gettext("Compare"),
};
/** @type {Suggestion} */
export const UNDO = { text: gettext("Next: undo your last edit."), button: gettext("Undo") };
/** @type {Suggestion} */
export const CLEAR = {
  text: gettext("Next: see the model without masks and mutes."),
  button: gettext("Remove the edits"),
};

const FIND = gettext("Find a head");
/** After a mute: what it did, and what to look for. @param {Move} move @returns {Suggestion} */
export function find({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  if (before === now)
    return {
      text: gettext("{token} stays at {now}. Next: find a head that it does need.", {
        token: quote(token),
        now,
      }),
      button: FIND,
    };
  return to < from
    ? {
        text: gettext(
          "{token} fell from {before} to {now}. Next: find another head that helps it.",
          { token: quote(token), before, now },
        ),
        button: FIND,
      }
    : {
        text: gettext("{token} rose from {before} to {now}. Next: find a head that helps it.", {
          token: quote(token),
          before,
          now,
        }),
        button: FIND,
      };
}
/** The selected head does not matter for the prediction. @param {Move} move @returns {Suggestion} */
export function idle({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  const moves =
    before === now
      ? gettext("stays at {now}", { now })
      : gettext("goes from {before} to {now}", { before, now });
  return {
    text: gettext("Without this head, {token} {moves}. Next: find a head that matters more.", {
      token: quote(token),
      moves,
    }),
    button: FIND,
  };
}
/** While heads are muted: all of them, or, of many, some. @param {boolean} many @returns {Suggestion} */
export const finding = (many) => ({
  text: many
    ? gettext("Muting the heads that may matter most …")
    : gettext("Muting each head in turn …"),
  button: "",
});
/** The head that was found. @param {{head: string, token: string, to: number, isMore: boolean, among: Among}} found `isMore`: besides a muted one @returns {Suggestion} */
export const show = ({ head, token, to, isMore, among }) => ({
  text: sentences([
    among ? gettext("{n} of {all} heads were muted in turn.", { n: among.n, all: among.all }) : "",
    isMore
      ? gettext("Without {head}, too, {token} would fall to {to}.", {
          head,
          token: quote(token),
          to: percent(to),
        })
      : gettext("Without {head}, {token} would fall to {to}.", {
          head,
          token: quote(token),
          to: percent(to),
        }),
    gettext("Next: look at that head."),
  ]),
  button: gettext("Show it"),
});
/** The head that was found is selected. @param {{token: string, to: number, among: Among}} found @returns {Suggestion} */
export const needed = ({ token, to, among }) => ({
  text:
    among === null
      ? gettext("{token} needs this head most: without it, {to}. Next: mute it.", {
          token: quote(token),
          to: percent(to),
        })
      : gettext(
          "Of {n} heads (of {all}) that were tried, {token} needs this one most: without it, {to}. Next: mute it.",
          { n: among.n, all: among.all, token: quote(token), to: percent(to) },
        ),
  button: gettext("Mute this head"),
});
/** Another head looks at the token, where it stands in the text already. @param {{token: string, to: number, head: string, share: number}} found `to`: without the selected one @returns {Suggestion} */
export const looksAt = ({ token, to, head, share }) => ({
  text: gettext(
    "Without this head, {token} is at {to}. But {head} looks at {token} itself ({share}). Next: look at that head.",
    { token: quote(token), to: percent(to), head, share: percent(share) },
  ),
  button: gettext("Show it"),
});
/** It is selected. @param {{token: string, share: number, to: number}} found @returns {Suggestion} */
export const looks = ({ token, share, to }) => ({
  text: gettext(
    "This head looks at {token} ({share}) and helps it: without it, {to}. Next: mute it.",
    { token: quote(token), share: percent(share), to: percent(to) },
  ),
  button: gettext("Mute this head"),
});
/** @type {Suggestion} */
export const MUTE_TOO = {
  text: gettext("Next: mute this head, too, and watch the prediction."),
  button: gettext("Mute this head"),
};

/** @param {string} title of an example @returns {Suggestion} */
export const another = (title) => ({ text: gettext("Next: try another example."), button: title });
/** There is no sentence. @param {string} title of an example @returns {Suggestion} */
export const empty = (title) => ({
  text: title
    ? gettext("Next: type a sentence, or try an example.")
    : gettext("Next: type a sentence."),
  button: title,
});
