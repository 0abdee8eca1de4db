// Predict, then reveal: choose an answer, and the figure shows which one it is.

import { make, need } from "../views/dom.js";

/**
 * @param {HTMLElement} root one question
 * @param {number} answer the right option
 * @param {() => void} show its figure
 */
export function question(root, answer, show) {
  const reveal = need("[data-reveal]", HTMLButtonElement, root);
  const details = need("details", HTMLDetailsElement, root);
  const said = make("p", { class: "verdict" });
  said.setAttribute("role", "status");
  reveal.hidden = false;
  details.hidden = true; // without a script, and on paper, it stands there
  reveal.after(said);

  const inputs = [...root.querySelectorAll("input")];
  reveal.addEventListener("click", () => {
    const chosen = inputs.findIndex((input) => input.checked);
    if (chosen < 0) {
      said.textContent = "Choose an answer first: a guess is enough.";
      return;
    }
    const right = chosen === answer;
    root.dataset.said = right ? "right" : "wrong";
    inputs.forEach((input, place) => {
      input.closest("label")?.classList.toggle("right", place === answer);
    });
    const why = [...need("p", HTMLElement, details).childNodes].map((node) => node.cloneNode(true));
    said.replaceChildren(right ? "Right. " : "Not that one. ", ...why);
    show();
  });
}
