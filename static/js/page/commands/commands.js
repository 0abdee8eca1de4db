// What the command palette answers. It follows the pattern of a combobox with a list (WAI-ARIA authoring practices): the focus stays in
// the box, the arrow keys move through the list, Enter opens what is marked.

import { make, need } from "../../dom/dom.js";
import { commandsIn, headCommand } from "./entries.js";
import { headNamed, matched } from "./match.js";
import { found, GROUPS, nothing } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Command } from "./entries.js" */

const MAX_SHOWN = 60;

/**
 * @param {HTMLDialogElement} dialog
 * @param {Store} store
 * @param {Parameters<typeof commandsIn>[1]} boot
 * @returns {(isEntered: boolean) => void} answers what stands in the box, for the page as it is now; `isEntered`: and runs the best answer
 */
export function commands(dialog, store, boot) {
  const box = need("input", HTMLInputElement, dialog);
  const list = need("[role=listbox]", HTMLElement, dialog);
  const status = need("[role=status]", HTMLElement, dialog);
  /** @type {Command[]} */
  let all = [];
  /** @type {Command[]} */
  let shown = [];
  let marked = 0;

  /** @param {number} at */
  const mark = (at) => {
    marked = at;
    [...list.children].forEach((option, place) => {
      option.setAttribute("aria-selected", String(place === at));
      if (place === at) option.scrollIntoView({ block: "nearest" });
    });
    box.setAttribute("aria-activedescendant", shown.length ? `command-${at}` : "");
  };

  const show = () => {
    shown = answersTo(box.value);
    list.replaceChildren(...shown.map(optionOf));
    box.setAttribute("aria-expanded", String(shown.length > 0));
    status.textContent = shown.length ? found(shown.length) : nothing(box.value);
    status.classList.toggle("unseen", shown.length > 0);
    mark(0);
  };

  /** @param {string} typed */
  const answersTo = (typed) => {
    const named = headNamed(typed);
    const place =
      named &&
      all.find(
        ({ group, changes }) =>
          group === "heads" && changes?.layer === named.layer && changes.head === named.head,
      );
    if (place && named) return [headCommand(store.state, named)];
    if (!typed.trim())
      return all.filter(({ group }) => group !== "heads" && group !== "help").slice(0, MAX_SHOWN);
    return all
      .map((command) => ({
        command,
        worth: matched(typed, { ...command, group: kindOf(command) }),
      }))
      .filter(({ worth }) => worth > 0)
      .sort((a, b) => b.worth - a.worth)
      .slice(0, MAX_SHOWN)
      .map(({ command }) => command);
  };

  /** @param {Command} command */
  const run = ({ changes, goes, press, href }) => {
    dialog.close(); // which gives the focus back
    if (href) location.assign(href);
    else if (press) press.click();
    else if (changes) store.update(changes);
    if (goes) reveal(need(goes, HTMLElement));
  };

  box.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    const last = shown.length - 1;
    /** @type {Record<string, number>} */
    const to = {
      ArrowDown: marked === last ? 0 : marked + 1,
      ArrowUp: marked ? marked - 1 : last,
      PageDown: Math.min(last, marked + 8),
      PageUp: Math.max(0, marked - 8),
    };
    if (event.key in to && last >= 0) {
      event.preventDefault();
      mark(to[event.key]);
    }
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      if (shown[marked]) run(shown[marked]);
    }
  });
  list.addEventListener("click", ({ target }) => {
    const option = target instanceof Element ? target.closest("[role=option]") : null;
    const command = option && shown[[...list.children].indexOf(option)];
    if (command) run(command);
  });
  return (isEntered) => {
    all = commandsIn(store.state, boot);
    show();
    if (isEntered && shown[marked]) run(shown[marked]);
  };
}

/** @param {Command} command */
const kindOf = ({ group }) => (group === "heads" ? "" : GROUPS[group]);

/** @param {HTMLElement} control which may be in a menu */
function reveal(control) {
  const menu = control.closest("details");
  if (menu) menu.open = true;
  control.focus();
}

/** @param {Command} command @param {number} at */
function optionOf({ group, name, about, key }, at) {
  const option = make("li", {}, [
    make("b", { text: name }),
    make("span", { class: "faint", text: about }),
    make("span", { class: "faint", text: GROUPS[group] }),
    ...(key ? [make("kbd", { text: key.replaceAll("Control", "Ctrl").replaceAll("+", " ") })] : []),
  ]);
  option.id = `command-${at}`;
  option.setAttribute("role", "option");
  return option;
}
