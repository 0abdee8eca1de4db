// "Eyes up": while the teacher pauses the screens, the page is dim and takes no input. It comes back by itself.

import { make } from "../../dom/dom.js";
import { PAUSED, PAUSED_MORE } from "../words.js";

/** @param {HTMLElement[]} parts what takes no input meanwhile */
export function veil(parts) {
  const title = make("p", { class: "class-veil-title", text: PAUSED });
  const root = make("div", { class: "class-veil" }, [title, make("p", { text: PAUSED_MORE })]);
  root.setAttribute("role", "status");
  root.hidden = true;
  document.body.append(root);
  /** @type {Element | null} */
  let had = null;
  return (/** @type {boolean} */ on) => {
    if (on === !root.hidden) return;
    if (on) had = document.activeElement;
    root.hidden = !on;
    for (const part of parts) part.inert = on;
    if (!on && had instanceof HTMLElement) had.focus({ preventScroll: true });
  };
}
