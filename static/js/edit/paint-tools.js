// The tools of the brush: the heads that it paints, undo, redo and clear, the counters beside the masks, and the status line.

import { check, need } from "../dom/dom.js";
import { redo, undo } from "../state/history.js";
import { isOfHead } from "../state/matrices.js";
import { cleared, paintedIn, whyNot } from "./stroke.js";

/** @typedef {import("../state/store.js").Store} Store */

const BRUSHES = /** @type {const} */ (["head", "layer", "all"]);

/** Report what was done, also to screen readers. @param {string} words */
export function sayPainted(words) {
  need("#paint-said", HTMLElement).textContent = words;
}

/** Report what happened to painted cells without the reader's doing. @param {string} words */
export function notePainted(words) {
  need("#paint-notice", HTMLElement).textContent = words;
}

/** @param {Store} store @param {import("./stroke.js").Edit} deed */
export function perform(store, { changes, words }) {
  if (words) sayPainted(words);
  if (changes) store.update(changes);
}

/** The toolbar above the picture, and the counters beside the masks. @param {Store} store */
export function paintTools(store) {
  const brush = need("#brush", HTMLFieldSetElement);
  const why = need("#paint-why", HTMLElement);
  const counts = {
    painted: need("#painted", HTMLButtonElement),
    muted: need("#muted", HTMLButtonElement),
  };
  const steps = { undo: need("#undo", HTMLButtonElement), redo: need("#redo", HTMLButtonElement) };
  const clear = need("#paint-clear", HTMLButtonElement);

  brush.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    store.update({ brush: BRUSHES.find((name) => name === target.value) ?? null });
  });
  steps.undo.addEventListener("click", () => step(store, undo));
  steps.redo.addEventListener("click", () => step(store, redo));
  const clearAll = () => {
    if (paintedIn(store.state) === 0) return;
    sayPainted(`cleared ${paintedIn(store.state)} painted`);
    store.update(cleared(store.state));
  };
  clear.addEventListener("click", clearAll);
  counts.painted.addEventListener("click", () => {
    clearAll();
    focusMasks(); // the button disappears, and the focus must not be lost
  });
  counts.muted.addEventListener("click", () => {
    store.update({ muted: [] });
    focusMasks();
  });

  store.watch(["brush", "matrix", "models", "model"], (state) => {
    check("brush", state.brush ?? "off", brush);
    why.textContent = state.brush || isOfHead(state.matrix) ? whyNot(state) : "";
    brush.disabled = whyNot(state) !== "";
    brush.title = whyNot(state);
  });
  store.watch(["past", "future", "masks", "muted"], (state) => {
    const n = paintedIn(state);
    hold(steps.undo, state.past.length === 0);
    hold(steps.redo, state.future.length === 0);
    hold(clear, n === 0);
    clear.textContent = n > 0 ? `painted: ${n} ✕` : "painted: 0";
    clear.setAttribute("aria-label", `Clear painted: ${n}`);
    counts.painted.hidden = n === 0;
    counts.painted.textContent = `painted: ${n} ✕`;
    counts.muted.hidden = state.muted.length === 0;
    counts.muted.textContent = `muted: ${state.muted.length} ✕`;
  });
}

/** Mark a button as unavailable without `disabled`, which would lose the focus. @param {HTMLButtonElement} button @param {boolean} idle */
const hold = (button, idle) => button.setAttribute("aria-disabled", String(idle));

function focusMasks() {
  const first = need("#masks", HTMLFormElement).querySelector("input:checked:enabled");
  if (first instanceof HTMLElement) first.focus();
}

/** @param {Store} store @param {typeof undo} act */
function step(store, act) {
  const changes = act(store.state);
  if (!changes) return;
  notePainted("");
  sayPainted(act === undo ? "undone" : "redone");
  store.update(changes);
}

/**
 * The usual shortcuts for undo and redo. In a text box they apply to its text.
 * @param {Store} store
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was one of them
 */
export function stepped(store, { key, ctrlKey, metaKey, shiftKey, altKey, target }) {
  if (!(ctrlKey || metaKey) || altKey) return false;
  if (target instanceof Element && target.matches("textarea, input[type=text], input[type=number]"))
    return false;
  const letter = key.toLowerCase();
  if (letter === "z") step(store, shiftKey ? redo : undo);
  else if (letter === "y" && !shiftKey) step(store, redo);
  else return false;
  return true;
}
