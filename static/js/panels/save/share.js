// Share: copies a link at once, and then offers to put the view into another page.

import { need } from "../../dom/dom.js";
import { besideButton } from "./place.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} more a popover
 * @param {Store} store
 * @param {import("./link.js").Copier} copier
 */
export function share(button, more, store, copier) {
  const name = button.textContent;
  need("button", HTMLButtonElement, more).addEventListener("click", () => {
    more.hidePopover();
    copier.embed();
  });
  button.addEventListener("click", async () => {
    const isCopied = (await copier.link(store.state)) === words.LINK.copied;
    button.textContent = isCopied ? words.LINK_COPIED : name;
    setTimeout(() => {
      button.textContent = name;
    }, 2000);
    if (!isCopied) return;
    more.showPopover();
    besideButton(more, button);
  });
}
