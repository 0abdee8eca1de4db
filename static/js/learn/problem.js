// What went wrong in a figure, and what to do.

import { make } from "../views/dom.js";

/** @typedef {import("../store.js").Store} Store */

const BELOW = " The picture below is the last one it sent."; // of api.js: not true of every place in a figure

/** @param {string} message */
export const unpictured = (message) => message.replace(BELOW, "");

/** The last picture stays, where there is one. @param {Store} store @param {() => void} retry */
export function problemBox(store, retry) {
  const words = make("p");
  const again = make("button", { text: "Try again" });
  again.type = "button";
  again.addEventListener("click", retry);
  const box = make("div", { class: "problem" }, [words, again]);
  box.setAttribute("role", "alert");
  store.watch(["problem"], ({ problem, detail }) => {
    const message = problem?.message ?? "";
    box.hidden = problem === null;
    words.textContent = detail ? message : unpictured(message);
    again.hidden = !problem?.retry;
  });
  return box;
}
