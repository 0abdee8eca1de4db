// The tools of the brush: the heads that it paints, clear, the counters beside the masks, and the status line.

import { check, need } from "../dom/dom.js";
import { isOfHead } from "../state/matrices.js";
import { brushFor, cleared, paintedIn, whyNot } from "./stroke.js";
import * as words from "./words.js";

/** @import { Store } from "../state/store.js" */

const BRUSHES = /** @type {const} */ (["head", "layer", "all", "picture"]);

/**
 * What lies outside the toolbar.
 * @typedef {object} Elements
 * @property {HTMLElement} status reports what was done, also to screen readers
 * @property {HTMLElement} notice reports painted cells that were removed because their tokens are gone
 * @property {HTMLElement} said names what the brush paints, on the button that opens the tools
 * @property {HTMLElement} masks the button that opens the masks
 * @property {HTMLButtonElement} painted counts the painted cells and clears them
 * @property {HTMLButtonElement} muted counts the muted heads and unmutes them
 */

/**
 * The toolbar above the picture, and the counters beside the masks.
 * @param {HTMLElement} toolbar
 * @param {Store} store
 * @param {Elements} elements
 */
export function paintTools(toolbar, store, { status, notice, said, masks, painted, muted }) {
  const brush = need("fieldset", HTMLFieldSetElement, toolbar);
  const why = need(".faint", HTMLElement, toolbar);
  const clear = need("[data-act=clear]", HTMLButtonElement, toolbar);

  /** @param {string} message */
  const say = (message) => {
    status.textContent = message;
  };
  /** @param {string} message */
  const note = (message) => {
    notice.textContent = message;
  };

  /** @param {number} n cells @param {Partial<import("../types.d.ts").State>} changes */
  const wipe = (n, changes) => {
    if (n === 0) return;
    store.update(changes);
    say(words.cleared(n));
  };
  const clearAll = () => wipe(paintedIn(store.state), cleared(store.state));

  brush.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const chosen = BRUSHES.find((name) => name === target.value) ?? null;
    store.update(brushFor(store.state, chosen));
  });
  clear.addEventListener("click", () => {
    const { brush, picture } = store.state;
    if (brush === "picture") wipe(picture.length, { picture: [] });
    else clearAll();
  });
  painted.addEventListener("click", () => {
    clearAll();
    masks.focus(); // the button disappears, and the focus must not be lost
  });
  muted.addEventListener("click", () => {
    store.update({ muted: [] });
    masks.focus();
  });

  // what was reported does not hold once a step is undone or redone
  store.watch(["future"], () => {
    note("");
    say("");
  });
  store.watch(["brush", "matrix", "models", "model", "units", "detail"], (state) => {
    const reason = whyNot(state);
    check("brush", state.brush ?? "off", brush);
    said.textContent = brush.querySelector("input:checked + span")?.textContent ?? "";
    why.textContent = state.brush || isOfHead(state.matrix) ? reason : "";
    brush.disabled = reason !== "";
    brush.title = reason;
  });
  // what the brush has painted: a picture, or else masks
  store.watch(["masks", "brush", "picture"], (state) => {
    const n = state.brush === "picture" ? state.picture.length : paintedIn(state);
    clear.setAttribute("aria-disabled", String(n === 0)); // disabling it would lose the focus
    clear.textContent = words.clearText(n);
    clear.setAttribute("aria-label", words.clearLabel(n));
  });
  store.watch(["masks", "muted"], (state) => {
    const n = paintedIn(state);
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
      if (changes) store.update(changes);
      if (message) say(message);
    },
  };
}
