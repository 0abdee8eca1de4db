// A button to hold: while it is held, A stands in the place of B.

import { button, make } from "../../dom/dom.js";
import { FLIP } from "./words.js";

/** @import { Store } from "../../state/store.js" */

const PRESSES = [" ", "Enter"]; // keys that press a button

/**
 * @param {Store} store
 * @param {string | null} shortcut the key that does the same, where the page listens to keys
 */
export function flipButton(store, shortcut) {
  const hint = shortcut ? [document.createTextNode(" "), make("kbd", { text: shortcut })] : [];
  const element = button(FLIP.name, null, { class: "compare-flip", title: FLIP.about }, hint);
  if (shortcut) element.setAttribute("aria-keyshortcuts", shortcut);
  const set = (/** @type {boolean} */ flipped) => store.update({ flipped });

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId); // it may be released anywhere
    set(true);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "keyup", "blur"])
    element.addEventListener(end, () => set(false));
  element.addEventListener("keydown", (event) => {
    if (!PRESSES.includes(event.key)) return;
    event.preventDefault(); // no click follows
    set(true);
  });
  // a click without a pointer or a key comes from an assistive tool, which cannot hold
  element.addEventListener("click", ({ detail }) => detail === 0 && set(!store.state.flipped));
  element.addEventListener("contextmenu", (event) => event.preventDefault()); // of a finger that is held

  store.watch(["flipped"], ({ flipped }) => element.setAttribute("aria-pressed", String(flipped)));
  store.watch(["view", "against"], ({ view, against, flipped }) => {
    if (flipped && (view !== "compare" || !against)) set(false);
  });
  return element;
}
