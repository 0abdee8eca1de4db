// The keyboard on the cells: arrows walk from cell to cell, Enter reads a row, Escape leaves.

import { ROLE } from "./words.js";

/** @typedef {[query: number, key: number]} Cell */

/**
 * @param {HTMLElement} plot
 * @param {object} picture
 * @param {() => {rows: number, cols: number, row: number} | null} picture.size and the current row; null while there is no picture
 * @param {() => Cell | null} picture.cell where the reader is
 * @param {(cell: Cell | null) => void} picture.go
 * @param {(cell: Cell) => void} picture.choose
 */
export function walking(plot, { size, cell, go, choose }) {
  plot.tabIndex = 0;
  plot.setAttribute("role", "application");
  plot.setAttribute("aria-roledescription", ROLE);

  /** The first step only enters the current row, at its first key. @param {number} down @param {number} right */
  const step = (down, right) => {
    const now = size();
    if (!now) return;
    const { rows, cols, row } = now;
    const here = cell();
    if (here) go([clamp(here[0] + down, rows), clamp(here[1] + right, cols)]);
    else go([clamp(row, rows), right === Number.POSITIVE_INFINITY ? cols - 1 : 0]);
  };
  const read = () => {
    const here = cell();
    if (here) choose(here);
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowUp: () => step(-1, 0),
    ArrowDown: () => step(1, 0),
    ArrowLeft: () => step(0, -1),
    ArrowRight: () => step(0, 1),
    Home: () => step(0, Number.NEGATIVE_INFINITY),
    End: () => step(0, Number.POSITIVE_INFINITY),
    Enter: read,
    " ": read,
    Escape: () => go(null),
  };
  plot.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (event.key === "Escape" && !cell()) return; // there is nothing to leave: the page may have a use for it
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault(); // the page would scroll, or submit a form
    event.stopPropagation(); // the arrows of the page walk the heads
    act();
  });
  plot.addEventListener("blur", () => go(null));
}

/** @param {number} place @param {number} n */
const clamp = (place, n) => Math.max(0, Math.min(n - 1, place));
