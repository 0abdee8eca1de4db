// The examples: a dialog with all of them as cards, and the line above the head that says what to see.

import { button, make, need, write } from "../../dom/dom.js";
import { AFTER } from "../../language/gettext.js";
import { isMuted } from "../../state/choice.js";
import { around, entriesOf, shownOf, stateOf } from "../../state/examples.js";
import { exampleCount, exampleLine, exampleNext, SHOWN_NOW, shortcut } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Choice, Entry } from "../../types.d.ts" */

const NO_EXAMPLES = { count: () => 0, at: () => ({}), last: () => 0, following: () => null };

/** What determines which example the page shows. @type {readonly (keyof Choice)[]} */
const KEYS = /** @type {const} */ ([
  "model",
  "texts",
  "layer",
  "head",
  "query",
  "shown",
  "masks",
  "muted",
  "view",
  "matrix",
  "key",
  "right",
  "against",
]);

/**
 * @param {{strip: HTMLElement, dialog: HTMLDialogElement, line: HTMLElement}} elements `strip`: with the button that opens the dialog; `line`: above the head
 * @param {Store} store
 * @param {Entry[]} all
 * @param {string} first the model of those that name none
 */
export function gallery({ strip, dialog, line }, store, all, first) {
  if (all.length === 0) return NO_EXAMPLES;
  /** Those of the model on show; where it has none, those of the first. */
  let entries = entriesOf(all, store.state.model, first);
  const open = need("#gallery-open", HTMLButtonElement, strip);
  const cards = need(".cards", HTMLElement, dialog);
  const words = need("p", HTMLElement, line);
  const count = need(".look-walk .faint", HTMLElement, line);
  const back = need(".look-back", HTMLButtonElement, line);

  let last = -1; // none was shown yet, so none is preferred
  /** What choosing an example changes. @param {number} place */
  const at = (place) => stateOf(entries[place], first);
  /** @param {number} place */
  const show = (place) => {
    last = place;
    store.update(at(place));
  };

  const deal = () =>
    cards.replaceChildren(
      ...entries.map((entry, index) =>
        card(entry, index, () => {
          show(index);
          dialog.close(); // which returns the focus to the button that opened it
        }),
      ),
    );
  deal();
  const following = () => around(last, 1, entries.length);
  strip.hidden = false;
  open.addEventListener("click", () => {
    dialog.showModal();
    const current = cards.querySelector("[aria-current=true]");
    if (current instanceof HTMLElement) current.focus();
  });
  back.addEventListener("click", () => show(last));
  for (const button of line.querySelectorAll("[data-by]")) {
    const by = Number(button.getAttribute("data-by"));
    button.addEventListener("click", () => show(around(last, by, entries.length)));
  }

  store.watch(KEYS, (state) => {
    const own = entriesOf(all, state.model, first);
    if (own[0] !== entries[0]) {
      entries = own;
      last = -1;
      deal();
    }
    const match = shownOf(state, entries, first, last);
    line.hidden = match === null;
    cards.querySelectorAll("button").forEach((button, index) => {
      if (index === match?.place) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    if (match) last = match.place;
    if (!match) return;
    const entry = entries[match.place];
    write(words, exampleLine(entry, match.how));
    const isSilent = isMuted(state.muted, state.kind, entry.layer, entry.head);
    const isDone = entry.tries === "mute" && match.how === "edited" && isSilent;
    const tip = exampleNext(entry, match.how, isDone);
    const step = make("span", { text: tip });
    if (tip && entry.shortcut && !isDone)
      step.append(make("span", { text: shortcut(entry.shortcut), class: "by-key" }));
    step.dataset.only = "full"; // elsewhere the foot of the page says what to do next
    words.append(AFTER, step);
    count.textContent = exampleCount({ n: match.place + 1, of: entries.length });
    back.hidden = match.how === "exact";
  });

  return {
    count: () => entries.length,
    at,
    last: () => Math.max(0, last),
    /** The example after the one shown last. */
    following: () => {
      const place = following();
      return { title: entries[place].title, show: () => show(place) };
    },
  };
}

/** @param {Entry} entry @param {number} place @param {() => void} choose */
function card({ title, texts, look }, place, choose) {
  const name = make("b", { text: title });
  name.dataset.shown = SHOWN_NOW;
  const parts = [
    name,
    ...texts.map((text) => make("q", { text })),
    make("span", { text: look, class: "faint" }),
  ];
  parts.forEach((part, i) => {
    part.id = `card-${place}-${i}`;
  });
  const element = button("", choose, { class: "card" }, parts);
  element.setAttribute("aria-labelledby", parts[0].id);
  const rest = parts.slice(1).map(({ id }) => id);
  element.setAttribute("aria-describedby", rest.join(" "));
  return make("li", {}, [element]);
}
