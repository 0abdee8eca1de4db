// Which heatmap stands in which place of the picture, and where a cell is in each of them. Pure.

import { cellIn } from "../../draw/viewport.js";
import { rowsOf } from "./comparison.js";
import { cellAt, unionOf } from "./difference.js";
import { frameOf } from "./triptych.js";

/** @import { Picture } from "./comparison.js" */

/** The heatmap in each place: 0 is A, 1 is B, 2 is B − A. @param {boolean} flipped whether A stands in the place of B */
const shownIn = (flipped) => [0, flipped ? 0 : 1, 2];

/** The size of the heatmap in each place. @param {Picture} picture @param {boolean} flipped */
export const sizesOf = ({ a, b, compared }, flipped) =>
  shownIn(flipped).map((panel) => [a.matrix, b.matrix, compared.matrix][panel]);

/**
 * What to highlight in each place.
 * @param {Picture} picture
 * @param {{row: number, lit: number | null, flipped: boolean}} what `row` of B; `lit`: a cell of the difference
 */
export function highlightsOf(picture, { row, lit, flipped }) {
  const { a, b, compared } = picture;
  const { cols } = compared.matrix;
  const at = lit === null ? null : cellAt(compared, a, b, lit);
  /** @param {number | null} query @param {number | null} key @returns {[number, number] | null} */
  const cell = (query, key) => (query === null || key === null ? null : [query, key]);
  const cells =
    at && lit !== null
      ? [
          cell(at.query.a, at.key.a),
          cell(at.query.b, at.key.b),
          cell(Math.floor(lit / cols), lit % cols),
        ]
      : [null, null, null];
  const rows = rowsOf(picture, row);
  return shownIn(flipped).map((panel) => ({ row: rows[panel], cell: cells[panel] }));
}

/**
 * The cell of the difference at a point of the picture; null if there is none.
 * @param {Picture} picture
 * @param {import("../../draw/axes.js").Place[]} plots
 * @param {boolean} flipped
 * @param {{x: number, y: number}} point
 */
export function cellUnder(picture, plots, flipped, { x, y }) {
  const sizes = sizesOf(picture, flipped);
  for (const [place, plot] of plots.entries()) {
    const cell = cellIn(frameOf(plot, sizes[place]), x, y);
    if (cell) return unionOf(picture.compared, shownIn(flipped)[place], ...cell);
  }
  return null;
}
