// The numbers of the activities: the levels of a drawing, the colours of weights, and the thumbnail of a picture. Pure.

import { shrink } from "../../numbers/matrix.js";

/** @import { Rows } from "./types.d.ts" */

export const MAX_LEVEL = 3; // the strongest level of a cell
export const THUMB = 24; // cells per side

/** An empty drawing. @param {number} n tokens @returns {Rows} */
export const empty = (n) => Array.from({ length: n }, () => Array.from({ length: n }, () => 0));

/** @param {boolean} causal @param {number} query @param {number} key */
export const isBlocked = (causal, query, key) => causal && key > query;

/**
 * A drawing with one cell changed.
 * @param {Rows} cells
 * @param {number} query
 * @param {number} key
 * @param {number} level
 */
export const painted = (cells, query, key, level) =>
  cells.map((row, i) => (i === query ? row.map((old, j) => (j === key ? level : old)) : row));

/** The next level of a cell that is tapped: after the strongest it is empty again. @param {number} level */
export const nextLevel = (level) => (level + 1) % (MAX_LEVEL + 1);

/**
 * The cell to go to by an arrow key, Home or End; the same one at an edge. Blocked cells are skipped.
 * @param {[query: number, key: number]} from
 * @param {string} pressed
 * @param {{n: number, causal: boolean}} grid
 * @returns {[query: number, key: number] | null} null: another key was pressed
 */
export function cellAfter([query, key], pressed, { n, causal }) {
  const last = causal ? query : n - 1;
  /** @type {Record<string, [number, number]>} */
  const places = {
    ArrowLeft: [query, Math.max(0, key - 1)],
    ArrowRight: [query, Math.min(last, key + 1)],
    ArrowUp: isBlocked(causal, query - 1, key) ? [query, key] : [Math.max(0, query - 1), key],
    ArrowDown: [Math.min(n - 1, query + 1), key],
    Home: [query, 0],
    End: [query, last],
  };
  return places[pressed] ?? null;
}

/** How the numbers in coloured cells are read: in which colour schemes the cell is light. @typedef {"pale" | "middle" | "deep"} Depth */

const STEPS = 5; // of the sequential scale: --seq-0 to --seq-5
/** From here on a cell is light in the dark scheme, and from there on dark in the light one. */
const TURNS = { sequential: [0.46, 0.58], diverging: [0.54, 0.72] };

/** @param {number} share @param {readonly number[]} turns @returns {Depth} */
const depthOf = (share, [inDark, inLight]) =>
  share < inDark ? "pale" : share < inLight ? "middle" : "deep";

/**
 * The colour of a weight, between two tokens of the scale, so that it follows the colour scheme.
 * @param {number} value 0 to 1
 */
export function weightColour(value) {
  const share = Math.min(1, Math.max(0, value));
  const low = Math.min(STEPS - 1, Math.floor(share * STEPS));
  return {
    from: `--seq-${low}`,
    to: `--seq-${low + 1}`,
    share: share * STEPS - low,
    depth: depthOf(share, TURNS.sequential),
  };
}

/**
 * The colour of a difference of two weights.
 * @param {number} value −1 to 1
 */
export function differenceColour(value) {
  const share = Math.min(1, Math.abs(value));
  const side = value < 0 ? "low" : "high";
  const depth = depthOf(share, TURNS.diverging);
  return share < 0.5
    ? { from: "--div-zero", to: `--div-${side}-1`, share: 2 * share, depth }
    : { from: `--div-${side}-1`, to: `--div-${side}-2`, share: 2 * share - 1, depth };
}

/**
 * A pattern as bytes, pooled so that it fits a thumbnail; a single strong cell never vanishes.
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} pattern
 * @returns {Rows}
 */
export function thumbOf(pattern) {
  const { rows, cols, data } = shrink(pattern, THUMB);
  const most = pattern.data instanceof Uint8Array ? 1 : 255;
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray(row * cols, (row + 1) * cols), (value) =>
      Math.min(255, Math.max(0, Math.round(most * value))),
    ),
  );
}
