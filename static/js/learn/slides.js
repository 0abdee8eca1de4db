// Slides: keys, a clicker and swipes go from one to the next, and F fills the screen. And the buttons of what a teacher prints.

import { keyOf } from "../dom/keys.js";

const STEPS = {
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  " ": 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
};
const SWIPE = 50; // pixels to the side; and twice as far as up or down

/**
 * @param {HTMLElement[]} all the slides, in order
 * @param {object} page
 * @param {(slide: HTMLElement) => void} page.scrollTo
 * @param {(slide: HTMLElement) => boolean} page.isShown whether the window shows this slide rather than another
 */
export function slides(all, { scrollTo, isShown }) {
  if (all.length === 0) return;
  let current = -1; // none yet: the first key goes to the first slide

  /** @param {number} place */
  const go = (place) => {
    current = Math.max(0, Math.min(all.length - 1, place));
    all[current].focus({ preventScroll: true });
    scrollTo(all[current]);
  };
  /** @param {number} by */
  const step = (by) => {
    // a reader may have scrolled
    if (current < 0 || !isShown(all[current])) current = all.findIndex(isShown);
    go(current + by);
  };
  document.addEventListener("keydown", (event) => {
    const { key, shiftKey, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || (shiftKey && key !== " ")) return;
    if (key === " " && target instanceof Element && target.closest("a, button")) return; // it presses them
    if (keyOf(event).toLowerCase() === "f") return fillScreen();
    const by = STEPS[/** @type {keyof typeof STEPS} */ (key)];
    const end = { Home: 0, End: all.length - 1 }[key];
    if (by === undefined && end === undefined) return;
    event.preventDefault();
    if (end === undefined) step(shiftKey ? -by : by);
    else go(end);
  });

  /** Where a finger touched. @type {{x: number, y: number} | null} */
  let touched = null;
  document.addEventListener("pointerdown", ({ pointerType, isPrimary, clientX: x, clientY: y }) => {
    touched = pointerType === "touch" && isPrimary ? { x, y } : null;
  });
  document.addEventListener("pointercancel", () => {
    touched = null; // the browser scrolls or zooms
  });
  document.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!touched) return;
    const [x, y] = [clientX - touched.x, clientY - touched.y];
    touched = null;
    if (Math.abs(x) >= SWIPE && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1);
  });

  // a reader may also follow a link to one
  document.addEventListener("focusin", ({ target }) => {
    const held = all.findIndex((slide) => target instanceof Node && slide.contains(target));
    if (held >= 0) current = held;
  });
  const named = all.findIndex(({ id }) => `#${id}` === location.hash);
  if (named >= 0) current = named;
  // every slide has another size now
  document.addEventListener("fullscreenchange", () => go(current));
}

/** Fill the screen with the page, or stop. */
async function fillScreen() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen?.();
  } catch {
    // the browser refuses it: the slides fill the window
  }
}

/**
 * Show the buttons that print or fill the screen, which need this script, and a browser that can.
 * @param {Iterable<HTMLElement>} print
 * @param {Iterable<HTMLElement>} fill
 */
export function buttons(print, fill) {
  for (const button of print) {
    button.hidden = false;
    button.addEventListener("click", () => globalThis.print());
  }
  for (const button of fill) {
    button.hidden = !document.fullscreenEnabled;
    button.addEventListener("click", fillScreen);
  }
}
