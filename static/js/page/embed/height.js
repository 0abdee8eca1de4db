// How high a frame would have to be to show its view without scrolling. It follows from the width and the content, never from the present
// height, so that a host that follows it comes to rest at once.

import { detailOf } from "../../numbers/detail.js";

/** @import { State } from "../../types.d.ts" */

const AXES = 110; // pixels for the labels beside and above the cells
const CELL = { min: 12, max: 36 }; // pixels
const PLOT = { min: 200, max: 640 }; // pixels

/** @param {number} value @param {{min: number, max: number}} range */
const clamp = (value, { min, max }) => Math.min(max, Math.max(min, value));

/**
 * The height of a heatmap whose cells are about square.
 * @param {{rows: number, cols: number}} cells
 * @param {number} width in pixels
 */
export const plotHeight = ({ rows, cols }, width) =>
  clamp(AXES + rows * clamp((width - AXES) / cols, CELL), PLOT);

/**
 * @param {Readonly<State>} state
 * @param {{main: HTMLElement, parts: HTMLElement[], plot: HTMLElement}} elements `parts`: what main shows, or hides
 * @returns {number} in pixels
 */
export function heightOf(state, { main, parts, plot }) {
  const bottom = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
  const padding = Number.parseFloat(getComputedStyle(main).paddingBottom);
  const height = bottom - main.getBoundingClientRect().top + padding;
  const detail = state.view === "heatmap" ? detailOf(state) : null;
  if (!detail || plot.offsetHeight === 0) return Math.ceil(height);
  const { queries, keys } = detail;
  const cells = { rows: queries.length, cols: keys.length };
  return Math.ceil(height - plot.offsetHeight + plotHeight(cells, plot.offsetWidth));
}
