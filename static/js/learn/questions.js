// Predict, then reveal: choose an answer, and the figure shows which one it is.

import { make, need } from "../dom/dom.js";

/**
 * @param {HTMLElement} root one question
 * @param {number} answer the right option
 * @param {object} on
 * @param {(verdict: string, right: string, back: HTMLElement) => void} on.reveal show its figure; `back`: where the reader was
 * @param {() => void} on.clear another answer is chosen
 */
export function question(root, answer, { reveal: show, clear }) {
  const reveal = root.querySelector("[data-reveal]");
  const details = root.querySelector("details");
  const why = details?.querySelector("p");
  if (!(reveal instanceof HTMLButtonElement) || !details || !why) {
    root.append(make("p", { class: "problem", text: "This question lacks some of its parts." }));
    root.dataset.state = "error";
    return;
  }
  const said = make("p", { class: "verdict" });
  said.setAttribute("role", "status");
  reveal.hidden = false;
  details.hidden = true; // without a script, and on paper, it stands there
  reveal.after(said);

  const inputs = [...root.querySelectorAll("input")];
  /** @param {number} place none: −1 */
  const mark = (place) =>
    inputs.forEach((input, at) => {
      input.closest("label")?.classList.toggle("right", at === place);
    });
  root.addEventListener("change", () => {
    if (!root.dataset.said) return;
    delete root.dataset.said;
    said.replaceChildren();
    mark(-1);
    clear();
  });
  reveal.addEventListener("click", () => {
    const chosen = inputs.findIndex((input) => input.checked);
    if (chosen < 0) {
      said.textContent = "Choose an answer first: a guess is enough.";
      return;
    }
    const verdict = chosen === answer ? "Right." : "Not that one.";
    root.dataset.said = chosen === answer ? "right" : "wrong";
    mark(answer);
    const words = [...why.childNodes].map((node) => node.cloneNode(true));
    said.replaceChildren(`${verdict} `, ...words);
    show(verdict, need("b", HTMLElement, details).textContent ?? "", reveal);
  });
}
