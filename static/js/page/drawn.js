// `data-state` of a page or a figure says what a test or a script may wait for: the picture of what is selected now.

import { SLOTS } from "../views/questions.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */

const FROM = /** @type {(keyof State)[]} */ ([
  ...["status", "view", "matrix", "shown", "scheme", "scale", "log"],
  ...SLOTS,
]);

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {() => State["status"]} status of all that is asked for
 * @param {() => Promise<unknown>} drawn resolves when what is there has been drawn
 */
export function tellDrawn(root, store, status, drawn) {
  store.watch([...FROM], async () => {
    const now = status();
    root.dataset.state = now === "ready" ? "loading" : now; // another view is still to be drawn
    if (now !== "ready") return;
    await drawn();
    if (status() === "ready") root.dataset.state = "ready";
  });
}
