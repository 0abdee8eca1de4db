// The cells of a table that the reader walks with the arrow keys: each says its place, and one at a time is reached by Tab.

/** @typedef {[row: number, column: number]} At */

/** @param {HTMLElement} element @param {number} row @param {number} column */
export function mark(element, row, column) {
  element.dataset.row = String(row);
  element.dataset.column = String(column);
  element.tabIndex = -1;
}

/** The place of an element of the grid. @param {EventTarget | null} target @returns {At | null} */
export function placeOf(target) {
  const found = target instanceof Element ? target.closest("[data-row]") : null;
  if (!(found instanceof HTMLElement)) return null;
  return [Number(found.dataset.row), Number(found.dataset.column)];
}

/** @param {ParentNode} root @param {At} at */
export const elementAt = (root, [row, column]) =>
  /** @type {HTMLElement | null} */ (
    root.querySelector(`[data-row="${row}"][data-column="${column}"]`)
  );

const MOVES = /** @type {Record<string, At>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

/**
 * Where an arrow key leads, within bounds.
 * @param {At} at
 * @param {string} key
 * @param {{from: At, to: At}} bounds the first and the last place
 * @returns {At | null} null for another key
 */
export function stepped([row, column], key, { from, to }) {
  const by = MOVES[key];
  if (!by) return null;
  return [
    Math.max(from[0], Math.min(to[0], row + by[0])),
    Math.max(from[1], Math.min(to[1], column + by[1])),
  ];
}
