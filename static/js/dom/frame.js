// Waits until what the page has drawn is on the screen.

const HIDDEN = 100; // ms to wait for a frame that may never come

/** Resolves after the next frame; in a hidden window, after a moment. */
export const afterFrame = () =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise((resolve) => setTimeout(resolve, HIDDEN)),
  ]);
