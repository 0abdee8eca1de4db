// How tall the part of the page is that stays at the foot of the window: what scrolls, and what floats, keeps clear of it.

import { need } from "../dom/dom.js";

/** @param {HTMLElement} root gets the height as --foot @param {HTMLElement} main is marked while the strip has a token that is only watched, and so a line more */
export function foot(root, main) {
  // on a narrow screen only the strip stays there, and the foot has no box of its own
  const parts = [need(".foot", HTMLElement), need("#forecast", HTMLElement)];
  const observer = new ResizeObserver(() => {
    const height = Math.max(...parts.map(({ offsetHeight }) => offsetHeight));
    root.style.setProperty("--foot", `${height}px`);
    main.toggleAttribute("data-apart", main.querySelector(".forecast .apart") !== null);
  });
  for (const part of parts) observer.observe(part);
}
