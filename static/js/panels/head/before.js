// A button to compare with the state before the last change.

import { need } from "../../dom/dom.js";
import { beforeOf, comparing, shows } from "../../state/against.js";

/** @param {import("../../state/store.js").Store} store */
export function compareWithBefore(store) {
  const button = need("#compare-before", HTMLButtonElement);
  const keys = /** @type {const} */ ([
    ...["view", "against", "past", "models", "model", "scratch", "texts", "targets", "pairs"],
    ...["masks", "muted", "kind", "layer", "head", "shown"],
  ]);
  store.watch([...keys], (state) => {
    const before = beforeOf(state);
    button.hidden = !before || shows(state, before);
  });
  button.addEventListener("click", () => {
    const before = beforeOf(store.state);
    if (before) store.update(comparing(before));
    need("#view input:checked", HTMLInputElement).focus(); // the button has disappeared
  });
}
