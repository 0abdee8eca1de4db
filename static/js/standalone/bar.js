// The address bar. A page from a server keeps the reader's choice in the query of its address; a page that is one file keeps it in the
// fragment, since a file, a sandboxed frame or a foreign web space may not change its query. `<html data-file>` marks such a page, and its
// value is the query that it opens with.

const file = globalThis.document?.documentElement.dataset.file; // no document: a test of modules that only import this

/** Whether this page is a file of its own: no server belongs to it. */
export const isFile = file !== undefined;

/** The last choice in the fragment: a link within the page, such as #main, is none and leaves it as it was. */
let last = file || "?";

/** What the address says, as a query string. */
export function readBar() {
  if (!isFile) return location.search;
  if (location.hash.includes("=")) last = `?${location.hash.slice(1)}`;
  return last;
}

/** A query string as a relative URL of this page. @param {string} query with its "?" */
export const urlOf = (query) => (isFile ? `#${query.slice(1)}` : query);

/** A query string as a link that others can open, also those who are not in this class. @param {string} query with its "?" */
export const linkTo = (query) =>
  location.href.replace(/[?#].*$/s, "").replace(/\/class\/[A-Z0-9]+$/, "/") +
  urlOf(inChosenLanguage(query));

/** With the language, if the reader has chosen one on this server: a browser's own needs no link. @param {string} query with its "?" */
export function inChosenLanguage(query) {
  const chosen = isFile ? null : /\bheadlight_language=([\w-]+)/.exec(document.cookie);
  return chosen ? `${query}${query.length > 1 ? "&" : ""}lang=${chosen[1]}` : query;
}
