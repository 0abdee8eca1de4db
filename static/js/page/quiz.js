// A quiz: the root element says that there is one, and the style sheet hides what is marked with `data-tells`. One button ends it.

import { need } from "../dom/dom.js";
import { tells } from "../state/quiz.js";

/** @param {Document} page @param {import("../state/store.js").Store} store */
export function quiz({ documentElement: root }, store) {
  const line = need("#quiz", HTMLElement);
  store.watch(["quiz"], (state) => {
    root.toggleAttribute("data-quiz", !tells(state));
    line.hidden = tells(state);
  });
  need("#reveal", HTMLButtonElement).addEventListener("click", () => {
    store.update({ quiz: false });
    need('#grid [tabindex="0"]', HTMLElement).focus();
  });
}
