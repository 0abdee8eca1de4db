// Slides: the arrow keys go from one to the next. And the button that prints a sheet.

const STEPS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

/** @param {HTMLElement[]} all the slides, in order @param {{scrollTo: (slide: HTMLElement) => void}} page */
export function slides(all, { scrollTo }) {
  if (all.length === 0) return;
  let current = -1; // none yet: the first key goes to the first slide

  /** @param {number} place */
  const go = (place) => {
    current = Math.max(0, Math.min(all.length - 1, place));
    all[current].focus({ preventScroll: true });
    scrollTo(all[current]);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const place = { Home: 0, End: all.length - 1 }[event.key] ?? (step && current + step);
    if (place === undefined) return;
    event.preventDefault();
    go(place);
  });
  // a reader may also scroll, or follow a link to one
  document.addEventListener("focusin", ({ target }) => {
    const held = all.findIndex((slide) => target instanceof Node && slide.contains(target));
    if (held >= 0) current = held;
  });
  const named = all.findIndex(({ id }) => `#${id}` === location.hash);
  if (named >= 0) current = named;
}

/** Show the buttons that print, which need this script. @param {Iterable<HTMLElement>} buttons */
export function printers(buttons) {
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}
