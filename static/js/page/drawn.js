// Sets `data-state` of a page or a figure, which tests and scripts wait for: "ready" once the current selection is drawn.

/** @import { Store } from "../state/store.js" */
/** @import { State } from "../types.d.ts" */

const FROM = /** @type {const} */ ([
  "status",
  "view",
  "matrix",
  "shown",
  "scheme",
  "scale",
  "steps",
]);

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {{slots: readonly (keyof State)[], status: () => State["status"]}} asking where the answers are stored, and the status of all of them
 * @param {() => Promise<unknown>} drawn resolves once the view has drawn
 */
export function tellDrawn(root, store, { slots, status }, drawn) {
  let latest = 0;
  store.watch([...FROM, ...slots], async () => {
    const turn = ++latest;
    const now = status();
    root.dataset.state = now === "ready" ? "loading" : now; // the view has yet to draw
    if (now !== "ready") return;
    await drawn();
    // what was drawn for an earlier selection says nothing of this one
    if (turn === latest && status() === "ready") root.dataset.state = "ready";
  });
}
