// What the tour says: a step is one thing to do, and how to do it with the keyboard. What the reader then sees is said with the numbers of the page.

import { gettext } from "../../language/gettext.js";
import { percent, quote } from "../../words/format.js";

/** @typedef {{text: string, keys: string}} Said */
/** @typedef {{token: string, from: number, to: number}} Move how the probability of a token moved */

/** @type {(word: string | null) => Said} */
export const type = (word) => ({
  text:
    word === null
      ? gettext("Type a word at the end of the sentence.")
      : gettext("Type {word} at the end of the sentence.", { word: quote(word) }),
  keys: "",
});
/** @param {{text: string}} wanted */
export const otherText = ({ text }) =>
  gettext("The sentence should read {text}.", { text: quote(text) });
/** @param {{after: string, token: string, probability: number}} prediction */
export const expects = ({ after, token, probability }) =>
  gettext("After {after} the model expects {token}, with {probability}.", {
    after,
    token: quote(token),
    probability: percent(probability),
  });

/** @type {(token: string) => Said} */
export const row = (token) => ({
  text: gettext("Choose {token}, to see what it looks at.", { token: quote(token) }),
  keys: gettext("Enter, then ]"),
});
/** @param {{token: string, wanted: string}} row */
export const otherRow = ({ token, wanted }) =>
  gettext("This is what {token} looks at. Choose {wanted}.", {
    token: quote(token),
    wanted: quote(wanted),
  });

/** @type {(head: string, keys: string) => Said} */
export const head = (head, keys) => ({
  text: gettext("Each small picture is a head. Choose {head}.", { head }),
  keys,
});
/** @type {Said} */
export const ANY_HEAD = {
  text: gettext("Each small picture is a head. Choose another one."),
  keys: "↑ ↓ ← →",
};
/** @param {{label: string, wanted: string}} head `label`: of the head that was chosen; "" if it has none */
export const otherHead = ({ label, wanted }) =>
  label
    ? gettext("Not quite: this is {label}. Look for {wanted}.", { label: quote(label), wanted })
    : gettext("Not quite. Look for {wanted}.", { wanted });
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };
/** The keys that lead from one head to another. @param {{down: number, right: number}} way */
export const arrows = ({ down, right }) =>
  [
    ...Array(Math.abs(down)).fill(down < 0 ? ARROWS.up : ARROWS.down),
    ...Array(Math.abs(right)).fill(right < 0 ? ARROWS.left : ARROWS.right),
  ].join(" ");

/** @type {Said} */
export const MUTE = {
  text: gettext("Mute this head: the model then has to do without it."),
  keys: "m",
};
export const UNMUTED = gettext("You unmuted the head. Mute it again.");
/** @param {Move} move */
export function muted({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  if (before === now)
    return gettext("Without this head, {token} stays at {now}.", { token: quote(token), now });
  return to < from
    ? gettext("Without this head, {token} fell from {before} to {now}.", {
        token: quote(token),
        before,
        now,
      })
    : gettext("Without this head, {token} rose from {before} to {now}.", {
        token: quote(token),
        before,
        now,
      });
}

/** @type {Said} */
export const WATCH = {
  text: gettext("Which token gained the most? Choose it in the prediction."),
  keys: gettext("Tab, then Enter"),
};
/** @type {Said} */
export const WATCH_ANY = {
  text: gettext("Choose a token of the prediction."),
  keys: gettext("Tab, then Enter"),
};
/** A token that did not gain the most. @param {Move} move */
export function otherToken({ token, from, to }) {
  const [before, now] = [percent(from), percent(to)];
  if (before === now)
    return gettext("{token} stayed at {now}. Try another one.", { token: quote(token), now });
  return to < from
    ? gettext("{token} fell, from {before} to {now}. Which one rose?", {
        token: quote(token),
        before,
        now,
      })
    : gettext("{token} rose, too, from {before} to {now}. Another one gained more.", {
        token: quote(token),
        before,
        now,
      });
}
/** @param {Move} move */
export const gained = ({ token, from, to }) =>
  gettext("Right: {token} rose from {from} to {to}.", {
    token: quote(token),
    from: percent(from),
    to: percent(to),
  });

/** @type {Said} */
export const UNDO = { text: gettext("Now undo it: press “Unmute”."), keys: gettext("Ctrl Z") };
/** @param {Move} move `from`: before the head was muted; `to`: now */
export const back = ({ token, from, to }) =>
  percent(from) === percent(to)
    ? gettext("{token} is back at {to}.", { token: quote(token), to: percent(to) })
    : gettext("{token} is at {to} now.", { token: quote(token), to: percent(to) });
/** @type {Said} */
export const END = {
  text: gettext(
    "That is all you need: type, choose a row and a head, mute it, and watch the prediction.",
  ),
  keys: "",
};

/** @param {{n: number, of: number}} step */
export const count = ({ n, of }) => gettext("Step {n} of {of}", { n, of });
export const LABEL = gettext("Tour");
export const KEYS = gettext("or press");
export const SKIP = gettext("Skip the tour");
export const CLOSE = gettext("Close");
/** The key of both, where there are keys. */
export const LEAVES = gettext("Esc");
export const LEARN = gettext("Continue to the lessons");
