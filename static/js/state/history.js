// Undo and redo for edits of the model: masks, painted cells, mutes, and the settings of a source.

import { keysOf } from "./address.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("../types.d.ts").Edit} Edit */
/** @typedef {import("../types.d.ts").Masks} Masks */
/** @typedef {import("../types.d.ts").State} State */

const MAX_STEPS = 200; // steps kept for undo
const EDITS = /** @type {(keyof Omit<Edit, "texts">)[]} */ (keysOf("edit"));
/** @type {WeakSet<Masks>} */
const moved = new WeakSet();

/**
 * Mark masks whose painted cells only followed their tokens, so that the change is not a step of its own.
 * @param {Masks} masks
 */
export function untracked(masks) {
  moved.add(masks);
  return masks;
}

/** Remember every change of the edits that is not an undo or a redo. @param {Store} store */
export function history(store) {
  let last = editOf(store.state);
  let texts = textsOf(store.state);
  store.watch([...EDITS, "texts", "targets", "pairs"], (state) => {
    const followed = last.masks !== state.masks && moved.has(state.masks);
    const before = followed ? { ...last, masks: state.masks } : last;
    const beforeTexts = texts;
    last = editOf(state);
    texts = textsOf(state);
    if (same(last, before)) return;
    const { past, future } = state;
    if (same(before, past.at(-1)) || same(before, future[0])) return; // undo and redo update the lists themselves
    // a change that also replaced the texts is undone together with them
    const step = sameTexts(texts, beforeTexts) ? before : { ...before, texts: beforeTexts };
    store.update({ past: [...past, step].slice(-MAX_STEPS), future: [] });
  });
  // another model has other heads: start a new history
  store.watch(["model"], () => store.update({ past: [], future: [] }));
}

/** @param {Readonly<State>} state @returns {Partial<State> | null} null: there is nothing to undo */
export function undo(state) {
  const { past, future } = state;
  const before = past.at(-1);
  if (!before) return null;
  return {
    ...restored(before, state),
    past: past.slice(0, -1),
    future: [leaving(state, before), ...future],
  };
}

/** @param {Readonly<State>} state @returns {Partial<State> | null} */
export function redo(state) {
  const { past, future } = state;
  const [after, ...rest] = future;
  if (!after) return null;
  return { ...restored(after, state), past: [...past, leaving(state, after)], future: rest };
}

/** @param {Edit} edit @param {Readonly<State>} state @returns {Partial<State>} */
function restored({ texts, ...edits }, { shown }) {
  if (!texts) return edits;
  return {
    ...edits,
    ...texts,
    shown: Math.min(shown, texts.texts.length - 1),
    query: null,
  };
}

/** The current edit, with its texts if the other step replaces the texts. @param {Readonly<State>} state @param {Edit} other */
const leaving = (state, { texts }) =>
  texts ? { ...editOf(state), texts: textsOf(state) } : editOf(state);

/** @param {Readonly<State>} state @returns {Edit} */
export const editOf = (state) =>
  /** @type {any} */ (Object.fromEntries(EDITS.map((key) => [key, state[key]])));

/** @param {Readonly<State>} state @returns {NonNullable<Edit["texts"]>} */
export const textsOf = ({ texts, targets, pairs }) => ({ texts, targets, pairs });

/** @param {Edit | undefined} a @param {Edit | undefined} b */
const same = (a, b) =>
  a !== undefined && b !== undefined && EDITS.every((key) => a[key] === b[key]);

/** @param {NonNullable<Edit["texts"]>} a @param {NonNullable<Edit["texts"]>} b */
const sameTexts = (a, b) => a.texts === b.texts && a.targets === b.targets && a.pairs === b.pairs;
