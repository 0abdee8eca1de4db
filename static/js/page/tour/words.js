// What the tour says: a step is one thing to do, and how to do it with the keyboard. What the reader then sees is said with the numbers of the page.

import { percent, quote } from "../../words/format.js";

/** @typedef {{text: string, keys: string}} Said */
/** @typedef {{token: string, from: number, to: number}} Move how the probability of a token moved */

/** @type {(word: string | null) => Said} */
export const type = (word) => ({
  text:
    word === null
      ? "Type a word at the end of the sentence."
      : `Type ${quote(word)} at the end of the sentence.`,
  keys: "",
});
/** @param {{text: string}} wanted */
export const otherText = ({ text }) => `The sentence should read ${quote(text)}.`;
/** @param {{after: string, token: string, probability: number}} prediction */
export const expects = ({ after, token, probability }) =>
  `After ${after} the model expects ${quote(token)}, with ${percent(probability)}.`;

/** @type {(token: string) => Said} */
export const row = (token) => ({
  text: `Choose ${quote(token)}, to see what it looks at.`,
  keys: "Enter, then ]",
});
/** @param {{token: string, wanted: string}} row */
export const otherRow = ({ token, wanted }) =>
  `This is what ${quote(token)} looks at. Choose ${quote(wanted)}.`;

/** @type {(head: string, keys: string) => Said} */
export const head = (head, keys) => ({
  text: `Each small picture is a head. Choose ${head}.`,
  keys,
});
/** @type {Said} */
export const ANY_HEAD = {
  text: "Each small picture is a head. Choose another one.",
  keys: "↑ ↓ ← →",
};
/** @param {{label: string, wanted: string}} head `label`: of the head that was chosen; "" if it has none */
export const otherHead = ({ label, wanted }) =>
  label
    ? `Not quite: this is ${quote(label)}. Look for ${wanted}.`
    : `Not quite. Look for ${wanted}.`;
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };
/** The keys that lead from one head to another. @param {{down: number, right: number}} way */
export const arrows = ({ down, right }) =>
  [
    ...Array(Math.abs(down)).fill(down < 0 ? ARROWS.up : ARROWS.down),
    ...Array(Math.abs(right)).fill(right < 0 ? ARROWS.left : ARROWS.right),
  ].join(" ");

/** @type {Said} */
export const MUTE = {
  text: "Mute this head: the model then has to do without it.",
  keys: "m",
};
export const UNMUTED = "You unmuted the head. Mute it again.";
/** @param {Move} move */
export function muted({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  if (before === now) return `Without this head, ${quote(token)} stays at ${now}.`;
  return to < from
    ? `Without this head, ${quote(token)} fell from ${before} to ${now}.`
    : `Without this head, ${quote(token)} rose from ${before} to ${now}.`;
}

/** @type {Said} */
export const WATCH = {
  text: "Which token gained the most? Choose it in the prediction.",
  keys: "Tab, then Enter",
};
/** @type {Said} */
export const WATCH_ANY = { text: "Choose a token of the prediction.", keys: "Tab, then Enter" };
/** A token that did not gain the most. @param {Move} move */
export function otherToken({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  if (before === now) return `${quote(token)} stayed at ${now}. Try another one.`;
  return to < from
    ? `${quote(token)} fell, from ${before} to ${now}. Which one rose?`
    : `${quote(token)} rose, too, from ${before} to ${now}. Another one gained more.`;
}
/** @param {Move} move */
export const gained = ({ token, from, to }) =>
  `Right: ${quote(token)} rose from ${percent(from)} to ${percent(to)}.`;

/** @type {Said} */
export const UNDO = { text: "Now undo it: press “Unmute”.", keys: "Ctrl Z" };
/** @param {Move} move `from`: before the head was muted; `to`: now */
export const back = ({ token, from, to }) =>
  percent(from) === percent(to)
    ? `${quote(token)} is back at ${percent(to)}.`
    : `${quote(token)} is at ${percent(to)} now.`;
/** @type {Said} */
export const END = {
  text: "That is all you need: type, choose a row and a head, mute it, and watch the prediction.",
  keys: "",
};

/** @param {{n: number, of: number}} step */
export const count = ({ n, of }) => `Step ${n} of ${of}`;
export const LABEL = "Tour";
export const KEYS = "or press";
export const SKIP = "Skip the tour";
export const CLOSE = "Close";
/** The key of both, where there are keys. */
export const LEAVES = "Esc";
export const LEARN = "Continue to the lessons";
