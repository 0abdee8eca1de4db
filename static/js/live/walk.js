// Walks the plan of a class: what a step opens and asks, and the keys that lead from one to the next.

import { WRITTEN } from "../dom/keys.js";

/** @import { ClassApi, ClassDocument } from "./types.d.ts" */

/**
 * Go to a step of the plan; there is nothing to do if it has none there.
 * @param {ClassApi} api
 * @param {Pick<ClassDocument, "desk" | "activity">} document
 * @param {number} index
 */
export async function goTo(api, { desk, activity: shown }, index) {
  const step = desk?.plan?.steps[index];
  if (!step) return;
  const { title, state, lesson, slide, activity } = step;
  await api.patch({
    step: { index, title, ...(lesson ? { lesson } : {}), ...(slide ? { slide } : {}) },
    ...(state === undefined ? {} : { choice: state, mode: "follow" }),
  });
  if (activity) await api.start(activity.kind, activity.question);
  else if (shown) await api.putAway(shown.id);
}

/** Go some steps on, or back; not beyond either end. @param {ClassApi} api @param {ClassDocument} document @param {number} by */
export function walk(api, document, by) {
  const last = (document.desk?.plan?.steps.length ?? 0) - 1;
  return goTo(api, document, Math.min(Math.max((document.step?.index ?? -1) + by, 0), last));
}

/** The keys of a clicker. @type {Record<string, number>} */
export const CLICKER = { PageUp: -1, PageDown: 1 };

/**
 * Walk with keys, wherever the focus is, but not where they belong to a dialog, or where they move in what is written: those of a clicker do not.
 * @param {Record<string, number>} keys by how many steps each leads on
 * @param {(by: number) => void} move
 */
export function walkWith(keys, move) {
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(key in keys) || isTaken(event)) return;
    event.preventDefault(); // a radio button or a list would move, too
    move(keys[key]);
  });
}

/** @param {KeyboardEvent} event */
function isTaken({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog")) return true;
  return target.matches(WRITTEN) && !(key in CLICKER);
}
