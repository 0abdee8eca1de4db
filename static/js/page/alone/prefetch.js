// Fetches what the page needs to go on without the server, while there is one: its other parts, and megabytes with which it computes by itself,
// so only where they are no burden.

import { backend } from "../../api/backend.js";
import { pause } from "../../api/pauses.js";
import { PARTS } from "../../dom/coming.js";
import { idle } from "../../dom/dom.js";

const AFTER_S = 5; // so that nothing that the reader waits for is slower
const WITHIN_S = 15; // spread, so that a class does not fetch everything at once

/**
 * Once the page is at rest: in a class, whose network may break; elsewhere once megabytes may be fetched ahead.
 * @param {boolean} inClass
 */
export async function prefetch(inClass) {
  if (savesData()) return;
  await (inClass ? rested() : ahead());
  for (const part of PARTS) {
    await idle();
    await part.come().catch(() => {}); // said when it is needed
  }
  await rested();
  if (backend.couldLeave) await backend.open().catch(() => {});
}

/** Resolves later, while the picture is there. */
async function rested() {
  do await pause(AFTER_S + Math.random() * WITHIN_S);
  while (document.documentElement.dataset.state !== "ready");
}

/** Resolves once the reader has done something, where the browser says that the connection is fast; elsewhere never. */
export async function ahead() {
  if (savesData() || connection()?.effectiveType !== "4g") await new Promise(() => {});
  await used();
}

/** Whether the browser says that megabytes are a burden here. */
export const isBurdened = () => savesData() || (connection()?.effectiveType ?? "4g") !== "4g";

/** @returns {{saveData?: boolean, effectiveType?: string} | undefined} of the Network Information API, which only some browsers have */
const connection = () => /** @type {any} */ (navigator).connection;

const savesData = () => connection()?.saveData === true;

/** Resolves when the reader presses something. */
const used = () =>
  new Promise((resolve) => {
    for (const event of ["pointerdown", "keydown"]) {
      addEventListener(event, resolve, { once: true, capture: true, passive: true });
    }
  });
