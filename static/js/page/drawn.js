// Sets `data-state` of a page or a figure, which tests and scripts wait for: "ready" once the current selection is drawn.

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
 * @param {() => State["status"]} status of all answers
 * @param {() => Promise<unknown>} drawn resolves once the view has drawn
 */
export function tellDrawn(root, store, status, drawn) {
  store.watch(FROM, async () => {
    const now = status();
    root.dataset.state = now === "ready" ? "loading" : now; // the view has yet to draw
    if (now !== "ready") return;
    await drawn();
    if (status() === "ready") root.dataset.state = "ready";
  });
}
