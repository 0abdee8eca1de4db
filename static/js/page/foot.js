// How tall the part of the page is that stays at the foot of the window: what scrolls, and what floats, keeps clear of it.

import { need } from "../dom/dom.js";

/** @param {HTMLElement} root gets the height as --foot @param {HTMLElement} main is marked while the strip has a token that is only watched, and so a line more */
export function foot(root, main) {
  // on a narrow screen the prediction and the heads stay there
  const parts = [need("#forecast", HTMLElement), need("#grid", HTMLElement)];
  const measure = () => {
    const staying = parts.filter((part) => getComputedStyle(part).position === "sticky");
    const height = staying.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
    root.style.setProperty("--foot", `${height}px`);
    main.toggleAttribute("data-apart", main.querySelector(".forecast .apart") !== null);
  };
  const observer = new ResizeObserver(measure);
  for (const part of parts) observer.observe(part);
  addEventListener("resize", measure); // in a low window nothing stays
}
