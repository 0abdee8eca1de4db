// The tools of the brush: the heads that it paints, undo, redo and clear, the counters beside the masks, and the status line.

import { check, need } from "../dom/dom.js";
import { redo, undo } from "../state/history.js";
import { isOfHead } from "../state/matrices.js";
import { cleared, paintedIn, whyNot } from "./stroke.js";
import * as words from "./words.js";

/** @typedef {import("../state/store.js").Store} Store */

const BRUSHES = /** @type {const} */ (["head", "layer", "all"]);

/**
 * What lies outside the toolbar.
 * @typedef {object} Elements
 * @property {HTMLElement} status reports what was done, also to screen readers
 * @property {HTMLElement} notice reports painted cells that were removed because their tokens are gone
 * @property {HTMLElement} masks the controls of the masks
 * @property {HTMLButtonElement} painted counts the painted cells and clears them
 * @property {HTMLButtonElement} muted counts the muted heads and unmutes them
 */

/**
 * The toolbar above the picture, and the counters beside the masks.
 * @param {HTMLElement} toolbar
 * @param {Store} store
 * @param {Elements} elements
 */
export function paintTools(toolbar, store, { status, notice, masks, painted, muted }) {
  const brush = need("fieldset", HTMLFieldSetElement, toolbar);
  const why = need(".faint", HTMLElement, toolbar);
  const [undoButton, redoButton, clear] = ["undo", "redo", "clear"].map((name) =>
    need(`[data-act="${name}"]`, HTMLButtonElement, toolbar),
  );

  /** @param {string} message */
  const say = (message) => {
    status.textContent = message;
  };
  /** @param {string} message */
  const note = (message) => {
    notice.textContent = message;
  };

  /** @param {typeof undo} act */
  const step = (act) => {
    const changes = act(store.state);
    if (!changes) return;
    note("");
    say(act === undo ? words.UNDONE : words.REDONE);
    store.update(changes);
  };
  const clearAll = () => {
    const n = paintedIn(store.state);
    if (n === 0) return;
    say(words.cleared(n));
    store.update(cleared(store.state));
  };
  const focusMasks = () => {
    const first = masks.querySelector("input:checked:enabled");
    if (first instanceof HTMLElement) first.focus();
  };

  brush.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    store.update({ brush: BRUSHES.find((name) => name === target.value) ?? null });
  });
  undoButton.addEventListener("click", () => step(undo));
  redoButton.addEventListener("click", () => step(redo));
  clear.addEventListener("click", clearAll);
  painted.addEventListener("click", () => {
    clearAll();
    focusMasks(); // the button disappears, and the focus must not be lost
  });
  muted.addEventListener("click", () => {
    store.update({ muted: [] });
    focusMasks();
  });

  store.watch(["brush", "matrix", "models", "model"], (state) => {
    const reason = whyNot(state);
    check("brush", state.brush ?? "off", brush);
    why.textContent = state.brush || isOfHead(state.matrix) ? reason : "";
    brush.disabled = reason !== "";
    brush.title = reason;
  });
  store.watch(["past", "future", "masks", "muted"], (state) => {
    const n = paintedIn(state);
    setAvailable(undoButton, state.past.length > 0);
    setAvailable(redoButton, state.future.length > 0);
    setAvailable(clear, n > 0);
    clear.textContent = words.clearText(n);
    clear.setAttribute("aria-label", words.clearLabel(n));
    painted.hidden = n === 0;
    painted.textContent = words.clearText(n);
    muted.hidden = state.muted.length === 0;
    muted.textContent = words.unmuteText(state.muted.length);
  });

  return {
    say,
    note,
    /** Apply an edit and report it. @param {import("./stroke.js").Edit} edit */
    perform: ({ changes, words: message }) => {
      if (message) say(message);
      if (changes) store.update(changes);
    },
    /**
     * The usual shortcuts for undo and redo. In a text box they apply to its text.
     * @param {KeyboardEvent} event
     * @returns {boolean} whether the key was one of them
     */
    undoKey: ({ key, ctrlKey, metaKey, shiftKey, altKey, target }) => {
      if (!(ctrlKey || metaKey) || altKey) return false;
      if (
        target instanceof Element &&
        target.matches("textarea, input[type=text], input[type=number]")
      )
        return false;
      const letter = key.toLowerCase();
      if (letter === "z") step(shiftKey ? redo : undo);
      else if (letter === "y" && !shiftKey) step(redo);
      else return false;
      return true;
    },
  };
}

/** Disabling a button would lose the focus. @param {HTMLButtonElement} button @param {boolean} available */
const setAvailable = (button, available) =>
  button.setAttribute("aria-disabled", String(!available));
