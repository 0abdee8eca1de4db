// Predict, then reveal: the reader chooses an answer, and the figure shows which one is right.

import { make, need } from "../dom/dom.js";
import { CHOOSE_FIRST, INCOMPLETE, RIGHT, WRONG } from "./words.js";

const NONE = -1; // no answer

/**
 * @param {HTMLElement} root one question
 * @param {number} answer the right option
 * @param {object} on
 * @param {(verdict: string, right: string, from: HTMLElement) => void} on.reveal called to show the figure; `from` has the focus
 * @param {() => void} on.right called when the answer is right
 * @param {() => void} on.clear called when another answer is chosen
 */
export function question(root, answer, on) {
  const reveal = root.querySelector("[data-reveal]");
  const details = root.querySelector("details");
  const why = details?.querySelector("p");
  if (!(reveal instanceof HTMLButtonElement) || !details || !why) {
    root.append(make("p", { class: "problem", text: INCOMPLETE }));
    root.dataset.state = "error";
    return;
  }
  const verdict = make("p", { class: "verdict" });
  verdict.setAttribute("role", "status");
  reveal.hidden = false;
  details.hidden = true; // it holds the answer for a page without scripts, and for paper
  reveal.after(verdict);

  const inputs = [...root.querySelectorAll("input")];
  /** Mark an answer as the right one. @param {number} place */
  const mark = (place) =>
    inputs.forEach((input, at) => {
      input.closest("label")?.classList.toggle("right", at === place);
    });
  root.addEventListener("change", () => {
    if (!root.dataset.said) return;
    delete root.dataset.said;
    verdict.replaceChildren();
    mark(NONE);
    on.clear();
  });
  reveal.addEventListener("click", () => {
    const chosen = inputs.findIndex((input) => input.checked);
    if (chosen === NONE) {
      verdict.textContent = CHOOSE_FIRST;
      return;
    }
    const words = chosen === answer ? RIGHT : WRONG;
    if (chosen === answer) on.right();
    root.dataset.said = chosen === answer ? "right" : "wrong";
    mark(answer);
    const because = [...why.childNodes].map((node) => node.cloneNode(true));
    verdict.replaceChildren(words, " ", ...because);
    on.reveal(words, need("b", HTMLElement, details).textContent ?? "", reveal);
  });
}
