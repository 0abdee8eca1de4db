// What the reader got right in each lesson. It stays in this browser, and nowhere else.

import { write } from "../dom/dom.js";
import { progressWords } from "./words.js";

/** @param {string} slug */
const keyOf = (slug) => `lesson/${slug}`;

/** Keep that a question or an exercise of a lesson was got right. @param {string} slug @param {string} task */
export function mark(slug, task) {
  try {
    localStorage.setItem(keyOf(slug), JSON.stringify([...new Set([...rightIn(slug), task])]));
  } catch {
    // storage is blocked or full
  }
}

/** The tasks of a lesson that were got right. @param {string} slug @returns {string[]} */
export function rightIn(slug) {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(slug)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((task) => typeof task === "string") : [];
  } catch {
    return [];
  }
}

/** Say beside each lesson of the list how much of it is right, once something is. @param {HTMLElement[]} places */
export function listProgress(places) {
  for (const place of places) {
    const tasks = place.dataset.tasks?.split(",").filter(Boolean) ?? [];
    const right = rightIn(place.dataset.lesson ?? "");
    const n = tasks.filter((task) => right.includes(task)).length;
    write(place, n ? progressWords({ n, all: tasks.length }) : "");
  }
}
