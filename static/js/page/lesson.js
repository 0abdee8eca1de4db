// The way back to the lesson from which the reader came.

import { courseUrl, lessonUrl } from "../standalone/pages.js";
import { backToLesson, LEARN } from "./words.js";

/** @import { LessonName } from "../types.d.ts" */

/**
 * The link to the course leads back to the lesson that the address names. A lesson that this server does not have is not mentioned.
 * @param {HTMLAnchorElement | null} link null: there is no course beside this page
 * @param {import("../state/store.js").Store} store
 * @param {LessonName[]} lessons
 */
export function lessonLink(link, store, lessons) {
  if (!link) return;
  store.watch(["lesson", "engine"], ({ lesson, engine }) => {
    const known = lessons.find(({ slug }) => slug === lesson);
    const query = engine === "default" ? "" : `?engine=${engine}`;
    link.href = known ? `${lessonUrl(known.slug)}${query}` : courseUrl();
    link.textContent = known ? backToLesson(known) : LEARN;
  });
}
