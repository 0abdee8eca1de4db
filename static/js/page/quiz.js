// A quiz: the root element says that there is one, and the style sheet hides what is marked with `data-tells`. The logo is then no link, since
// the plain page has labels. One button ends it, and then a line says what was done to the model, in every depth of the page that has the button.

import { need, write } from "../dom/dom.js";
import { sourceOf } from "../sources/sources.js";
import { keysOf } from "../state/address.js";
import { tells } from "../state/quiz.js";
import { editsInWords } from "../words/picture.js";
import { CLOSED, revealed } from "./words.js";

/** @import { State } from "../types.d.ts" */

/** @param {Document} page @param {import("../state/store.js").Store} store */
export function quiz({ documentElement: root }, store) {
  const line = need("#quiz", HTMLElement);
  const said = need("span", HTMLElement, line);
  const reveal = need("#reveal", HTMLButtonElement);
  const inQuiz = said.textContent;
  const logos = root.querySelectorAll("a.brand[href]"); // none in a page that is a file of its own
  const show = (/** @type {string} */ answer) => {
    const { closed } = store.state;
    const isQuiz = !tells(store.state);
    root.toggleAttribute("data-quiz", isQuiz);
    for (const logo of logos) {
      if (isQuiz) logo.removeAttribute("href");
      else logo.setAttribute("href", "/");
    }
    reveal.hidden = !isQuiz || closed;
    write(said, isQuiz ? (closed ? CLOSED : inQuiz) : answer);
    line.hidden = !isQuiz && answer === "";
    line.classList.toggle("revealed", !isQuiz);
  };
  // the answer stays until the reader changes the text or the model, since then it may be wrong
  store.watch(["quiz", "closed", ...keysOf("input", "edit")], () => show(""));
  reveal.addEventListener("click", () => {
    store.update({ quiz: false });
    show(answerIn(store.state));
    need('#grid [tabindex="0"]', HTMLElement).focus();
  });
}

/** What was done to the model; "" for a model whose heads were asked about. @param {Readonly<State>} state */
function answerIn(state) {
  const source = sourceOf(state.model);
  const changes = [source?.changes(state[source.name]), editsInWords(state)].flatMap(
    (words) => words || [],
  );
  return source || changes.length > 0 ? revealed(changes) : "";
}
