// plotly, loaded when that disturbs nobody. It is 4.8 MB, and while it starts the page answers nothing, for most of a second on
// a slow laptop: so it is fetched aside, and started when the page is idle and nobody types.

const QUIET = 2000; // ms without a key or a press: whoever typed a moment ago goes on, and whoever went to the text begins

/**
 * @param {string} url
 * @param {HTMLElement} place that it will draw in: whoever comes there need not wait until the page is idle
 * @returns {Promise<any>} null when it could not be loaded
 */
export async function loadPlotly(url, place) {
  const quiet = typing(QUIET);
  await Promise.race([idle(), reached(place)]);
  await fetched(url, "prefetch"); // into the browser's cache, when the network has nothing better to do
  await quiet();
  await fetched(url, "preload"); // into memory: from there it starts at once, before somebody comes back to the keys
  await quiet();
  return started(url);
}

/** When the page has nothing to do. */
const idle = () =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 200); // Safari
  });

/** When the pointer or the keyboard comes to it. @param {HTMLElement} place */
const reached = (place) =>
  new Promise((resolve) => {
    for (const event of ["pointerover", "focusin"]) {
      place.addEventListener(event, resolve, { once: true });
    }
  });

/** When it is there, or cannot be. @param {string} url @param {"prefetch" | "preload"} how */
const fetched = (url, how) =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    if (!link.relList.supports(how)) return resolve(null); // it is fetched later
    link.rel = how;
    link.as = "script";
    link.href = url;
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
    document.head.append(link);
  });

/**
 * Listens from now on to whoever types, presses, or comes to the text.
 * @param {number} quiet ms
 * @returns {() => Promise<void>} waits until nobody did for so long
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

/** @param {string} url @returns {Promise<any>} */
const started = (url) =>
  new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => resolve(/** @type {any} */ (globalThis).Plotly));
    script.addEventListener("error", () => resolve(null));
    document.head.append(script);
  });
