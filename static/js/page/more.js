// Tools of the bar that its window has no room for stand in a menu behind the others.

import { need } from "../dom/dom.js";

/** @param {HTMLElement} menu in the bar's tools, a popover */
export function moreTools(menu) {
  const tools = need(".bar-tools", HTMLElement);
  const fit = () => {
    if (menu.matches(":popover-open")) return;
    tools.removeAttribute("data-narrow");
    tools.toggleAttribute("data-narrow", tools.scrollWidth > tools.clientWidth);
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(need(".bar", HTMLElement));
  sizes.observe(need("#depth", HTMLElement)); // whose words change with the controls
  menu.addEventListener("toggle", fit);
  // before what was pressed opens something that gives the focus back to where it was
  menu.addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button && !button.popoverTargetElement && menu.matches(":popover-open"))
        menu.hidePopover();
    },
    { capture: true },
  );
}
