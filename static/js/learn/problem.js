// What went wrong in a figure, and what to do.

import { make } from "../dom/dom.js";

/** @typedef {import("../state/store.js").Store} Store */

/** The last picture stays, where there is one. @param {Store} store @param {() => void} retry */
export function problemBox(store, retry) {
  const words = make("p");
  const again = make("button", { text: "Try again" });
  again.type = "button";
  again.addEventListener("click", retry);
  const box = make("div", { class: "problem" }, [words, again]);
  box.setAttribute("role", "alert");
  store.watch(["problem"], ({ problem }) => {
    box.hidden = problem === null;
    words.textContent = problem?.message ?? "";
    again.hidden = !problem?.retry;
  });
  return box;
}
