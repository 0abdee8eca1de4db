// A table of signed numbers that arrow keys walk: the colour of a cell says how large its number is, and of which sign.

import { colourAt, isLight } from "../draw/color.js";
import { make } from "./dom.js";
import { mark } from "./grid.js";

/** @typedef {{text: string, class?: string, title?: string}} Column */
/** @typedef {{text: string, value: number | null, class?: string, label?: string}} SignedCell `value`: null if there is none; `label`: instead of the text, for screen readers */

/**
 * @param {object} what
 * @param {string} what.label
 * @param {Column[]} what.columns
 * @param {{name: string, cells: SignedCell[]}[]} what.rows
 * @param {number} what.reach the size of the darkest number
 * @param {Uint8ClampedArray} what.diverging the colours
 * @param {number} [what.from] the place of the first row among all maps
 */
export function signedMap({ label, columns, rows, reach, diverging, from = 0 }) {
  const heads = columns.map(({ text, title, ...column }) => {
    const head = make("th", { class: column.class, title }, [make("span", { text })]);
    head.scope = "col";
    return head;
  });
  const body = rows.map(({ name, cells }, row) => {
    const head = make("th", { class: "patch-layer", text: name });
    head.scope = "row";
    return make("tr", {}, [head, ...cells.map((cell, at) => entry(cell, from + row, at))]);
  });
  const made = make("table", { class: "patch-map" }, [
    make("thead", {}, [make("tr", { class: "patch-top" }, [make("td"), ...heads])]),
    make("tbody", {}, body),
  ]);
  made.setAttribute("role", "grid");
  made.setAttribute("aria-label", label);
  return made;

  /** @param {SignedCell} cell @param {number} row @param {number} column */
  function entry(cell, row, column) {
    const made = make("td", { text: cell.text, class: cell.class });
    mark(made, row, column);
    if (cell.label) made.setAttribute("aria-label", cell.label);
    if (cell.value === null) {
      made.classList.add("unrun");
      return made;
    }
    const colour = colourAt(diverging, reach === 0 ? 0 : cell.value / reach);
    made.style.background = `rgb(${colour.join(" ")})`;
    made.style.color = isLight(colour) ? "var(--on-light)" : "var(--on-dark)";
    return made;
  }
}
