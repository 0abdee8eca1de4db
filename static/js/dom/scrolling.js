// A region that scrolls sideways where it is narrower than its content, also with the keyboard.

import { make } from "./dom.js";

/** @param {string} label @param {HTMLElement} content */
export function scrolling(label, content) {
  const root = make("div", { class: "scrolling" }, [content]);
  root.tabIndex = 0;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", label);
  return root;
}
