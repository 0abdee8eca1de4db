// The sums of rows and columns as bars beside a heatmap, in page pixels. Pure.

import { threeDigits } from "../words/format.js";
import { SUMS } from "../words/picture.js";
import { LABEL_SIZE } from "./axes.js";

/** @import { Paper } from "./figure.js" */
/** @import { Mark } from "./scene.js" */
/** @typedef {{place: number, from: number, size: number}} Slot the position of a row or a column on its axis */

const [LENGTH, GAP, TICK] = [34, 6, 1];
const WIDE = 26 / LABEL_SIZE; // what a number needs along the top, in sizes of the text

/** Pixels beside the cells that the sums take. @param {number} size of the text */
export const roomFor = (size) => ({
  right: Math.round(LENGTH + GAP + (36 * size) / LABEL_SIZE),
  bottom: Math.round(LENGTH + GAP + (18 * size) / LABEL_SIZE),
});

/**
 * @param {{rows: number[], columns: number[]}} sums
 * @param {{rows: Slot[], columns: Slot[], right: number, bottom: number}} edges of the cells
 * @param {{bar: string, paper: Paper}} colors
 * @param {number} [size] of the text, in pixels
 * @returns {Mark[]}
 */
export function sumsMarks(
  sums,
  { rows, columns, right, bottom },
  { bar, paper },
  size = LABEL_SIZE,
) {
  const max = Math.max(1, ...sums.rows, ...sums.columns);
  const length = (/** @type {number} */ sum) => (LENGTH * sum) / max;
  const [x, y] = [right + GAP, bottom + GAP];
  const [one, thickness] = [
    length(1),
    (/** @type {Slot} */ { size }) => Math.max(1, Math.min(14, size - 2)),
  ];
  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} fill @returns {Mark} */
  const box = (x, y, width, height, fill) => ({ mark: "rect", x, y, width, height, fill });
  /** @param {number} x @param {number} y @param {string} text @param {"start" | "middle"} anchor @returns {Mark} */
  const words = (x, y, text, anchor) => ({
    mark: "text",
    x,
    y,
    text,
    size,
    fill: paper.faint,
    anchor,
  });
  const [first, last] = [rows[0], rows[rows.length - 1]];
  const [start, end] = [columns[0], columns[columns.length - 1]];
  return [
    ...rows.flatMap((slot) => {
      const sum = sums.rows[slot.place];
      const middle = slot.from + slot.size / 2;
      const drawn = box(x, middle - thickness(slot) / 2, length(sum), thickness(slot), bar);
      return slot.size < size
        ? [drawn]
        : [drawn, words(x + LENGTH + 4, middle, short(sum), "start")];
    }),
    ...columns.flatMap((slot) => {
      const sum = sums.columns[slot.place];
      const middle = slot.from + slot.size / 2;
      const drawn = box(middle - thickness(slot) / 2, y, thickness(slot), length(sum), bar);
      return slot.size < WIDE * size
        ? [drawn]
        : [drawn, words(middle, y + LENGTH + 2 + size / 2, short(sum), "middle")];
    }),
    // lines that mark a sum of 1
    ...(first
      ? [box(x + one, first.from, TICK, last.from + last.size - first.from, paper.ink)]
      : []),
    ...(start ? [box(start.from, y + one, end.from + end.size - start.from, TICK, paper.ink)] : []),
    ...(first ? [words(x, first.from - 2 - size / 2, SUMS.row, "start")] : []),
    ...(start ? [words(right + GAP, y + LENGTH / 2, SUMS.column, "start")] : []),
  ];
}

/** @param {number} sum */
const short = (sum) => threeDigits(Number(sum.toFixed(2)));
