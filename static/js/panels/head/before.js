// A button to compare with the state before the last change.

import { beforeOf, comparing, shows } from "../../state/against.js";

/**
 * @param {HTMLButtonElement} button
 * @param {import("../../state/store.js").Store} store
 * @param {HTMLElement} views the choice of the view, which gets the focus when the button disappears
 */
export function compareWithBefore(button, store, views) {
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
    const view = views.querySelector("input:checked");
    if (view instanceof HTMLElement) view.focus();
  });
}
