// Predict, then reveal: the reader chooses an answer, and the figure shows which one is right.

import { make, need } from "../dom/dom.js";
import { answering } from "./answering.js";
import { CHOOSE_FIRST, INCOMPLETE, RIGHT, WRONG } from "./words.js";

/**
 * @param {HTMLElement} root one question
 * @param {import("./answering.js").Right} asked what is right
 * @param {object} on
 * @param {(verdict: string, right: string, from: HTMLElement) => void} on.reveal called to show the figure; `from` has the focus
 * @param {() => void} on.right called when the answer is right
 * @param {() => void} on.clear called when another answer is chosen
 */
export function question(root, asked, on) {
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

  const given = answering(root, asked);
  root.addEventListener("change", () => {
    if (!root.dataset.said) return;
    delete root.dataset.said;
    verdict.replaceChildren();
    given.mark(false);
    on.clear();
  });
  reveal.addEventListener("click", () => {
    if (!given.isGiven()) {
      verdict.textContent = CHOOSE_FIRST;
      return;
    }
    const isRight = given.isRight();
    const words = isRight ? RIGHT : WRONG;
    if (isRight) on.right();
    root.dataset.said = isRight ? "right" : "wrong";
    given.mark(true);
    const because = [...why.childNodes].map((node) => node.cloneNode(true));
    const reason = isRight ? "" : given.reason();
    verdict.replaceChildren(words, " ", ...(reason ? [reason, make("br")] : []), ...because);
    on.reveal(words, need("b", HTMLElement, details).textContent ?? "", reveal);
  });
}
