// Opens the command palette: everything by its name. One can type at once; its answers come with the first opening.

import { coming, once } from "../../dom/coming.js";
import { need } from "../../dom/dom.js";
import { NOT_LOADED } from "../../words/problem.js";

/** @import { Boot } from "../../types.d.ts" */
/** @import { Store } from "../../state/store.js" */

const ANSWERS = coming(() => import("./commands.js"));

/**
 * @param {HTMLDialogElement} dialog
 * @param {Store} store
 * @param {Boot} boot
 */
export function palette(dialog, store, boot) {
  const box = need("input", HTMLInputElement, dialog);
  const list = need("[role=listbox]", HTMLElement, dialog);
  const status = need("[role=status]", HTMLElement, dialog);
  const made = once(async () => (await ANSWERS.come()).commands(dialog, store, boot));

  let isMade = false;
  let isEntered = false; // before there were answers
  box.addEventListener("keydown", (event) => {
    if (isMade || event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    isEntered = true;
  });

  const open = async () => {
    isEntered = false;
    box.value = "";
    dialog.showModal();
    box.focus();
    list.setAttribute("aria-busy", String(!isMade));
    try {
      const answer = await made();
      isMade = true;
      if (dialog.open) answer(isEntered);
    } catch (error) {
      console.error(error);
      status.textContent = NOT_LOADED;
      status.classList.remove("unseen");
    }
    list.removeAttribute("aria-busy");
  };
  need("#commands-open", HTMLButtonElement).addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isPalette =
      (event.ctrlKey || event.metaKey) &&
      !event.shiftKey &&
      !event.altKey &&
      event.key.toLowerCase() === "k";
    if (!isPalette || store.state.depth === "embed" || store.state.missing) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else if (!document.querySelector("dialog[open]")) open();
  });
}
