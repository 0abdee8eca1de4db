// What was done to the model: masks, painted cells and mutes. Each change can be undone, and done again.

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").Edit} Edit */
/** @typedef {import("./types.d.ts").State} State */

const MOST = 200; // steps that are remembered

/** Remember every change of the edits that is not an undo or a redo. @param {Store} store */
export function history(store) {
  let last = editOf(store.state);
  store.watch(["masks", "muted"], (state) => {
    const now = editOf(state);
    if (same(now, last)) return;
    const { past, future } = state;
    const before = last;
    last = now;
    if (same(before, past.at(-1)) || same(before, future[0])) return; // a redo or an undo has moved it already
    store.update({ past: [...past, before].slice(-MOST), future: [] });
  });
  // another model has other heads: its steps begin anew
  store.watch(["model"], () => store.update({ past: [], future: [] }));
}

/** @param {Readonly<State>} state @returns {Partial<State> | null} null: there is nothing to undo */
export function undo({ past, future, masks, muted }) {
  const before = past.at(-1);
  return before
    ? { ...before, past: past.slice(0, -1), future: [{ masks, muted }, ...future] }
    : null;
}

/** @param {Readonly<State>} state @returns {Partial<State> | null} */
export function redo({ past, future, masks, muted }) {
  const [after, ...rest] = future;
  return after ? { ...after, past: [...past, { masks, muted }], future: rest } : null;
}

/** @param {Readonly<State>} state @returns {Edit} */
const editOf = ({ masks, muted }) => ({ masks, muted });

/** @param {Edit | undefined} a @param {Edit | undefined} b */
const same = (a, b) =>
  a !== undefined && b !== undefined && a.masks === b.masks && a.muted === b.muted;
