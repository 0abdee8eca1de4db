// plotly without disturbing the reader. It is 4.8 MB, and its start blocks the page for most of a second on a slow laptop: so it is
// fetched where that is no burden, in the background, and started when the page is idle and nobody is typing.

import { idle, scripted } from "../../dom/dom.js";

export const CONFIG = {
  doubleClick: false,
  displayModeBar: false,
  responsive: false,
  typesetMath: false,
}; // we watch the size ourselves
const LIMIT = 128; // tokens: with more, plotly takes over a tenth of a second per picture
const QUIET = 2000; // ms without a key or a press: after a shorter break the reader may be about to go on typing

/**
 * @param {string} url
 * @param {HTMLElement} place the element to draw in: a reader who points at it need not wait until the page is idle
 * @param {Promise<unknown>} ahead resolves once megabytes may be fetched before they are needed
 * @returns {Promise<any>} null if it could not be loaded
 */
export async function loadPlotly(url, place, ahead) {
  const quiet = typing(QUIET);
  await Promise.race([ahead.then(idle), reached(place)]);
  await fetched(url, "prefetch"); // into the browser's cache, while the network is idle
  await quiet();
  await fetched(url, "preload"); // into memory: from there it starts at once
  await quiet();
  return scripted(url).then(
    () => /** @type {any} */ (globalThis).Plotly,
    () => null,
  );
}

/** Whether plotly would take too long. @param {{queries: unknown[], keys: unknown[]}} detail */
export const isLarge = ({ queries, keys }) => Math.max(queries.length, keys.length) > LIMIT;

/** Resolves when the pointer or the focus enters the element. @param {HTMLElement} place */
const reached = (place) =>
  new Promise((resolve) => {
    for (const event of ["pointerover", "focusin"]) {
      place.addEventListener(event, resolve, { once: true });
    }
  });

/** Resolves when it is fetched, or has failed. @param {string} url @param {"prefetch" | "preload"} how */
const fetched = (url, how) =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    if (!link.relList.supports(how)) return resolve(null); // the script fetches it later
    link.rel = how;
    link.as = "script";
    link.href = url;
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
    document.head.append(link);
  });

/**
 * Watch for typing, presses, and focus on the text.
 * @param {number} quiet ms
 * @returns {() => Promise<void>} resolves after that long without any
 */
function typing(quiet) {
  let last = Number.NEGATIVE_INFINITY;
  /** @param {Event} event */
  const note = ({ type, target }) => {
    if (type === "focusin" && !(target instanceof HTMLTextAreaElement)) return;
    last = performance.now();
  };
  for (const event of ["keydown", "input", "pointerdown", "focusin"]) {
    addEventListener(event, note, { capture: true, passive: true });
  }
  return async () => {
    for (let left = 0; left >= 0; left = last + quiet - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  };
}
