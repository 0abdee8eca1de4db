// A page that is a file saves itself again: as it came, but opened with another view, or with more inside. It is copied before anything
// on it changes, so this module must be loaded with the page.

import { isFile } from "./bar.js";
import { isInCourse } from "./pages.js";

const whole = isFile && !isInCourse ? copyOf(document.documentElement) : null;

/** @param {HTMLElement} root */
function copyOf(root) {
  const copy = /** @type {HTMLElement} */ (root.cloneNode(true));
  for (const name of ["scheme", "depth"]) delete copy.dataset[name]; // set by the scripts that ran first
  for (const one of copy.querySelectorAll("[data-started]")) one.remove(); // what runs this, and the style sheet: both are also inside
  return copy;
}

/** The page as it came, to be changed and written; null if it is not a file. */
export const pageAgain = () => /** @type {HTMLElement | null} */ (whole?.cloneNode(true) ?? null);
