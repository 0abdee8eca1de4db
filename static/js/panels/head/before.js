// A button to compare with the state before the last change.

import { beforeOf, comparing, SIDE_KEYS, shows } from "../../state/against.js";

/**
 * @param {HTMLButtonElement} button
 * @param {import("../../state/store.js").Store} store
 * @param {HTMLElement} views the choice of the view, which gets the focus when the button disappears
 */
export function compareWithBefore(button, store, views) {
  store.watch(["view", "against", "past", "models", ...SIDE_KEYS], (state) => {
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
