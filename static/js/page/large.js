// The panel on the right in the place of the picture: what it lists has most of the window.

import { LARGE } from "./words.js";

/** @import { Store } from "../state/store.js" */

/** @param {HTMLButtonElement} button of the panel @param {HTMLElement} main @param {Store} store */
export function largePanel(button, main, store) {
  /** @param {boolean} large */
  const set = (large) => {
    main.toggleAttribute("data-large", large);
    const { text, label, title } = large ? LARGE.leave : LARGE.enter;
    button.textContent = text;
    button.ariaLabel = label;
    button.title = title;
  };
  button.addEventListener("click", () => set(!main.hasAttribute("data-large")));
  button.parentElement?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !main.hasAttribute("data-large"))
      return;
    event.preventDefault();
    set(false);
    button.focus();
  });
  store.watch(["view", "depth"], () => set(false)); // who chooses a picture wants to see it
}
