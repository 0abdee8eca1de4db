// Undo and Redo: their buttons and keys, and a word on what they did.

import { keyOf, WRITTEN } from "../../dom/keys.js";
import { redo, undo, undoEdit } from "../../state/history.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const ACTS = {
  undo: {
    act: undo,
    stepIn: (/** @type {Readonly<State>} */ { past }) => past.at(-1),
    words: words.undid,
    nothing: words.NOTHING_TO_UNDO,
  },
  redo: {
    act: redo,
    stepIn: (/** @type {Readonly<State>} */ { future }) => future[0],
    words: words.redid,
    nothing: words.NOTHING_TO_REDO,
  },
};
/** @typedef {keyof typeof ACTS} Name */
const NAMES = /** @type {Name[]} */ (Object.keys(ACTS));

/**
 * @param {Record<Name, HTMLButtonElement>} buttons
 * @param {Store} store
 * @param {(words: string) => void} say
 */
export function undoing(buttons, store, say) {
  /** @param {Name} name */
  const go = (name) => {
    const step = ACTS[name].stepIn(store.state);
    store.update(ACTS[name].act(store.state) ?? {});
    say(step ? ACTS[name].words(step) : ACTS[name].nothing);
  };
  for (const name of NAMES) buttons[name].addEventListener("click", () => go(name));
  store.watch(["past", "future"], (state) => {
    // not really disabled, so that keyboard users keep their focus
    for (const name of NAMES)
      buttons[name].setAttribute("aria-disabled", String(!ACTS[name].stepIn(state)));
  });
  return {
    /** Undo the last edit with what was done to look at it, and say so. @param {Partial<State>} also what changes with it */
    edit: (also) => {
      const after = store.state;
      store.update({ ...undoEdit(after), ...also });
      say(words.undid({ before: store.state, after, edits: true }));
    },
    takeBack: () => go("undo"),
    /**
     * The usual shortcuts. In a text box they are the browser's own, which take back what was typed there, letter by letter, as
     * everywhere else; each of these changes is typing to the page, so its own steps stay right.
     * @param {KeyboardEvent} event
     * @returns {boolean} whether the key was one of them
     */
    key: (event) => {
      const { ctrlKey, metaKey, shiftKey, altKey, target } = event;
      if (!(ctrlKey || metaKey) || altKey) return false;
      if (target instanceof Element && target.matches(WRITTEN)) return false;
      const letter = keyOf(event).toLowerCase();
      if (letter === "z") go(shiftKey ? "redo" : "undo");
      else if (letter === "y" && !shiftKey) go("redo");
      else return false;
      return true;
    },
  };
}
