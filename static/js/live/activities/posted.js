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

/** Whether all see what somebody has written. @param {{text?: string, sentence?: string}[]} all @param {Own} mine */
export const isPosted = (all, mine) =>
  Object.values(mine).some(({ text, sentence }) => {
    const written = text ?? sentence;
    return written && all.some((one) => (one.text ?? one.sentence) === written);
  });

/** One's own answers that hold a text, each with a button that takes it back. @param {Own} mine @param {(answer: Answer) => string | null | undefined} textOf @param {Send} send */
export const written = (mine, textOf, send) =>
  Object.entries(mine).flatMap(([item, answer]) => {
    const text = textOf(answer);
    if (!text) return [];
    const back = named(words.TAKE_BACK, words.takeBackOf(text), () => send(item, null));
    return [make("li", {}, [make("span", { text, verbatim: true }), back])];
  });
