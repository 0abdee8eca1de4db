// A page that is a file saves itself again: as it came, but opened with another view. It is copied before anything on it changes, so this
// module must be loaded with the page.

import { isFile } from "./bar.js";
import { isInCourse } from "./pages.js";

const TOO_OLD =
  "This browser cannot write a page as a file. Use one from 2024 or later, or copy the file that you opened.";

const whole = isFile && !isInCourse ? copyOf(document.documentElement) : null;

/** @param {HTMLElement} root */
function copyOf(root) {
  const copy = /** @type {HTMLElement} */ (root.cloneNode(true));
  for (const name of ["scheme", "depth"]) delete copy.dataset[name]; // set by the scripts that ran first
  copy.querySelector("script[data-started]")?.remove(); // the script that runs this; it is also inside
  return copy;
}

/**
 * The page as a file that opens with a query string; null if it is no file.
 * @param {string} query with its "?"
 * @throws {Error} in a browser from before 2024, which cannot write a page
 */
export function pageAgain(query) {
  if (!whole) return null;
  const holder = document.createElement("div");
  if (!("getHTML" in holder)) throw new Error(TOO_OLD);
  whole.dataset.file = query;
  holder.append(whole);
  return new Blob(["<!doctype html>\n", holder.getHTML(), "\n"], { type: "text/html" });
}
