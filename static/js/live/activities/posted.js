// What people have put on a wall or a board: taken back by themselves, hidden by the desk.

import { button, make } from "../../dom/dom.js";
import * as words from "./words.js";

/** @import { Answer, Own, Send } from "./types.d.ts" */

/** A button whose name says which of many it is. @param {string} text @param {string} name @param {() => void} act */
export function named(text, name, act) {
  const element = button(text, act, { class: "quiet" });
  element.setAttribute("aria-label", name);
  return element;
}

/** Hides something, or shows it again. @param {boolean} hidden @param {string} text @param {() => void} act */
export const hider = (hidden, text, act) =>
  named(
    hidden ? words.SHOW_AGAIN : words.HIDE,
    hidden ? words.showOf(text) : words.hideOf(text),
    act,
  );

/** Whether all see everything that somebody has written. @param {{text?: string, sentence?: string}[]} all @param {Own} mine */
export function isPosted(all, mine) {
  const seen = all.map(({ text, sentence }) => text ?? sentence);
  const written = Object.values(mine).flatMap(({ text, sentence }) => text ?? sentence ?? []);
  return written.length > 0 && written.every((one) => seen.includes(one));
}

/** One's own answers that hold a text, each with a button that takes it back. @param {Own} mine @param {(answer: Answer) => string | null | undefined} textOf @param {Send} send */
export const written = (mine, textOf, send) =>
  Object.entries(mine).flatMap(([item, answer]) => {
    const text = textOf(answer);
    if (!text) return [];
    const back = named(words.TAKE_BACK, words.takeBackOf(text), () => send(item, null));
    return [make("li", {}, [make("span", { text, verbatim: true }), back])];
  });
