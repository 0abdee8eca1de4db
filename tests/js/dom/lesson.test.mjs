import assert from "node:assert/strict";
import test from "node:test";
import { lessonLink } from "../../../static/js/page/lesson.js";
import { Store } from "../../../static/js/state/store.js";
import { document } from "./dom.mjs";

const LESSONS = [
  { slug: "masks", number: 5 },
  { slug: "she-or-he", number: null },
];

test("the link to the course leads back to the lesson from which the reader came", () => {
  const link = /** @type {any} */ (document.createElement("a"));
  const store = new Store(/** @type {any} */ ({ lesson: "masks", engine: "default" }));
  lessonLink(link, store, LESSONS);
  const shown = () => [link.textContent, link.getAttribute("href")];
  assert.deepEqual(shown(), ["Back to lesson 5", "/learn/masks"]);
  store.update({ engine: "page" });
  assert.deepEqual(shown(), ["Back to lesson 5", "/learn/masks?engine=page"]);
  store.update({ lesson: "she-or-he", engine: "default" });
  assert.deepEqual(shown(), ["Back to the lesson", "/learn/she-or-he"]);
  for (const lesson of ["gone", null]) {
    store.update({ lesson });
    assert.deepEqual(shown(), ["Learn", "/learn"]);
  }
});
