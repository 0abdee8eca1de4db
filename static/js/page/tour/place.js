// Where the card of the tour stands: near what the step is about, and never over it. Pure.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in pixels of the window */
/** @typedef {{width: number, height: number}} Size */

const GAP = 10; // pixels between the card and what it points at, and to the edge of the window
const NEVER = 1000; // how much worse it is to cover what the step is about than what stands beside it

/** @param {Box} a @param {Box} b */
const overlap = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/**
 * The place that covers the least, the nearest first.
 * @param {Size} card
 * @param {Size} window
 * @param {Box} about what the step is about
 * @param {Box[]} beside what the reader looks at meanwhile
 * @returns {{x: number, y: number}}
 */
export function placed({ width, height }, window, about, beside) {
  const [right, bottom] = [window.width - width - GAP, window.height - height - GAP];
  const [above, below] = [about.top - GAP - height, about.bottom + GAP];
  const places = [
    ...[about.left, about.right - width].flatMap((x) => [
      [x, below],
      [x, above],
    ]),
    [about.right + GAP, about.top],
    [about.left - GAP - width, about.top],
    ...[bottom, GAP].flatMap((y) => [
      [GAP, y],
      [right, y],
    ]),
  ].map(([x, y]) => ({
    x: Math.max(GAP, Math.min(x, right)),
    y: Math.max(GAP, Math.min(y, bottom)),
  }));
  const covers = places.map(({ x, y }) => {
    const box = { left: x, top: y, right: x + width, bottom: y + height };
    const others = beside.reduce((sum, other) => sum + overlap(box, other), 0);
    return NEVER * overlap(box, about) + others;
  });
  return places[covers.indexOf(Math.min(...covers))];
}

/**
 * How far to scroll, so that the card has room below what the step is about: with what stands beside it, if both fit.
 * @param {number} card its height
 * @param {number} bottom of the window, or the top of what stays at its foot
 * @param {Box} about
 * @param {Box[]} beside
 */
export function scrolled(card, bottom, about, beside) {
  const room = bottom - card - 2 * GAP;
  const all = beside.reduce(
    (sum, { top, bottom }) => ({
      top: Math.min(sum.top, top),
      bottom: Math.max(sum.bottom, bottom),
    }),
    /** @type {{top: number, bottom: number}} */ (about),
  );
  const shown = all.bottom - all.top <= room - GAP ? all : about;
  if (shown.top < GAP) return shown.top - GAP;
  // what is too tall begins at the top of the window
  return shown.bottom > room ? Math.min(shown.bottom - room, shown.top - GAP) : 0;
}
