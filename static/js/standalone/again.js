// A page that is a file saves itself again: as it came, but opened with another view. It is copied before anything on it changes, so this
// module must be loaded with the page.

import { isFile } from "./bar.js";
import { isInCourse } from "./pages.js";

const whole = isFile && !isInCourse ? copyOf(document.documentElement) : null;

/** @param {HTMLElement} root */
function copyOf(root) {
  const copy = /** @type {HTMLElement} */ (root.cloneNode(true));
  for (const name of ["scheme", "depth"]) delete copy.dataset[name]; // set by the scripts that ran first
  return copy;
}

/** The page as a file that opens with a query string; null if it is no file. @param {string} query with its "?" */
export function pageAgain(query) {
  if (!whole) return null;
  const copy = /** @type {HTMLElement} */ (whole.cloneNode(false));
  copy.dataset.file = query;
  const start = copy.outerHTML.slice(0, -"</html>".length);
  return new Blob(["<!doctype html>\n", start, whole.innerHTML, "</html>\n"], {
    type: "text/html",
  });
}
