// While a picture is pressed it keeps its place, its size and its content, so that a click, a stroke or a drag ends among the cells that it
// began among, whatever arrives meanwhile: an answer, another line of an explanation, plotly in place of the canvas.

import { enlarged } from "./canvas.js";

const CLICK = 50; // ms: by then the click of a finger that was lifted has come

/**
 * @param {HTMLElement} picture
 * @param {HTMLElement} [around] holds the picture and what lies over it: a press may begin on either, and both stay in place
 */
export function steady(picture, around = picture) {
  /** Where it was pressed, and how far `around` was moved since. @type {{left: number, top: number, by: [x: number, y: number]} | null} */
  let held = null;
  /** What waits for the end of the press. @type {Set<() => void>} */
  const waiting = new Set();
  let ended = Promise.resolve();
  let press = new AbortController();

  /** @param {PointerEvent} event */
  const hold = ({ clientX, clientY, pointerId, button }) => {
    const { left, top, right, bottom, width, height } = picture.getBoundingClientRect();
    const isOn = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    if (held || !isOn || button !== 0) return; // a menu that another button opens may keep the release to itself
    held = { left, top, by: [0, 0] };
    pin(width / enlarged(picture), height / enlarged(picture));
    ended = new Promise((resolve) => waiting.add(resolve));
    requestAnimationFrame(eachFrame);
    press = new AbortController();
    /** @param {string[]} events @param {(event: any) => void} act @param {boolean} [first] before all other listeners */
    const on = (events, act, first = true) => {
      for (const event of events)
        addEventListener(event, act, { capture: first, signal: press.signal });
    };
    on(["pointermove", "pointerup", "mousemove", "mouseup", "click"], keep);
    on(["pointerup"], (event) => event.pointerId === pointerId && setTimeout(release, CLICK));
    on(["click"], () => setTimeout(release)); // after its other listeners
    on(["pointercancel", "contextmenu"], release);
    on(["blur"], ({ target }) => target === window && release());
    on(["wheel"], ({ defaultPrevented }) => defaultPrevented || release(), false); // the reader scrolls the page
  };

  /** @param {number | null} width pixels; null: free again @param {number | null} height */
  const pin = (width, height) => {
    const [wide, high] = [width, height].map((size) => (size === null ? "" : `${size}px`));
    Object.assign(picture.style, { minWidth: wide, maxWidth: wide });
    Object.assign(picture.style, { minHeight: high, maxHeight: high });
  };

  /** Move it back to its place: before each frame, and before an event reads a place in it. */
  const keep = () => {
    if (!held) return;
    const { left, top, width } = picture.getBoundingClientRect();
    if (width === 0) return release(); // another view is open
    const [x, y] = [held.left - left, held.top - top];
    if (x === 0 && y === 0) return;
    held.by = [held.by[0] + x, held.by[1] + y];
    around.style.translate = held.by.map((far) => `${far / enlarged(around)}px`).join(" ");
  };
  const eachFrame = () => {
    keep();
    if (held) requestAnimationFrame(eachFrame);
  };

  const release = () => {
    if (!held) return;
    held = null;
    press.abort();
    pin(null, null);
    around.style.translate = "";
    const acts = [...waiting];
    waiting.clear();
    for (const act of acts) act();
  };

  around.addEventListener("pointerdown", hold, true);
  return {
    /** Whether it is pressed. */
    isHeld: () => held !== null,
    /** Change the picture: now, or once it is released. @param {() => void} act done once, however often it was asked for */
    whenFree: (act) => {
      if (held) waiting.add(act);
      else act();
    },
    /** Resolves once it is released. */
    released: () => ended,
  };
}
