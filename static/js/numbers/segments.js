// Two segments in one text: where the second begins, and which cells lie outside the chosen block.

/** @import { Segments, Token } from "../types.d.ts" */
/** @typedef {[number, number]} Span start (inclusive), stop (exclusive) */
/** @typedef {{queries: Span, keys: Span}} Block */
/** @typedef {{x0: number, x1: number, y0: number, y1: number}} Box in cells; the centre of the first cell is at 0 */

/** The options of the filter: the segment of the queries, and that of the keys. */
export const BLOCKS = /** @type {const} */ (["all", "AA", "AB", "BA", "BB"]);

/** The next block, wrapping around. @param {Segments} value @returns {Segments} */
export const nextBlock = (value) => BLOCKS[(BLOCKS.indexOf(value) + 1) % BLOCKS.length];

/**
 * Where the second segment begins; null if there is none. Padding belongs to neither.
 * @param {Pick<Token, "segment" | "padding">[]} tokens
 */
export function boundaryOf(tokens) {
  const first = tokens.findIndex(({ segment, padding }) => segment === 1 && !padding);
  return first < 0 ? null : first;
}

/**
 * The tokens of a segment. Segments are contiguous, with padding only at the ends.
 * @param {Pick<Token, "segment" | "padding">[]} tokens
 * @param {0 | 1} segment
 * @returns {Span}
 */
export function spanOf(tokens, segment) {
  /** @param {Pick<Token, "segment" | "padding">} token */
  const inside = (token) => !token.padding && token.segment === segment;
  const first = tokens.findIndex(inside);
  return first < 0 ? [0, 0] : [first, tokens.findLastIndex(inside) + 1];
}

/**
 * The cells that the filter selects; null: all of them, also if there is no second segment.
 * @param {Token[]} queries
 * @param {Token[]} keys
 * @param {Segments} segments
 * @returns {Block | null}
 */
export function blockOf(queries, keys, segments) {
  if (segments === "all" || boundaryOf(queries) === null) return null;
  const [from, to] = [...segments].map((name) => (name === "A" ? 0 : 1));
  return { queries: spanOf(queries, from), keys: spanOf(keys, to) };
}

/** @param {Block | null} block @param {number} query @param {number} key */
export const isOutside = (block, query, key) =>
  block !== null && !(within(block.queries, query) && within(block.keys, key));

/** @param {Span} span @param {number} place */
const within = ([start, stop], place) => place >= start && place < stop;

/**
 * Everything outside a block, as boxes that do not overlap: the rows above and below, and the cells on both sides.
 * @param {Block | null} block
 * @param {number} rows
 * @param {number} cols
 * @returns {Box[]}
 */
export function boxesOutside(block, rows, cols) {
  if (!block) return [];
  const [top, bottom] = block.queries;
  const [left, right] = block.keys;
  const boxes = [
    { x0: 0, x1: cols, y0: 0, y1: top },
    { x0: 0, x1: left, y0: top, y1: bottom },
    { x0: right, x1: cols, y0: top, y1: bottom },
    { x0: 0, x1: cols, y0: bottom, y1: rows },
  ];
  return boxes
    .filter(({ x0, x1, y0, y1 }) => x1 > x0 && y1 > y0)
    .map(({ x0, x1, y0, y1 }) => ({ x0: x0 - 0.5, x1: x1 - 0.5, y0: y0 - 0.5, y1: y1 - 0.5 }));
}

/**
 * The same block in a thumbnail: every thumbnail cell that contains a cell of the block.
 * @param {Block} block
 * @param {{rows: number, cols: number}} whole
 * @param {{rows: number, cols: number}} small
 * @returns {Block}
 */
export const shrunk = ({ queries, keys }, whole, small) => ({
  queries: pooled(queries, whole.rows, small.rows),
  keys: pooled(keys, whole.cols, small.cols),
});

/** @param {Span} span @param {number} n @param {number} few @returns {Span} */
const pooled = ([start, stop], n, few) => [
  Math.floor((start * few) / n),
  Math.ceil((stop * few) / n),
];

/**
 * The boundary on both axes, as lines across the matrix.
 * @param {Token[]} queries
 * @param {Token[]} keys
 * @returns {Box[]}
 */
export function boundaryLines(queries, keys) {
  const [row, col] = [boundaryOf(queries), boundaryOf(keys)];
  const [rows, cols] = [queries.length, keys.length];
  const lines = [];
  if (col !== null) lines.push({ x0: col - 0.5, x1: col - 0.5, y0: -0.5, y1: rows - 0.5 });
  if (row !== null) lines.push({ x0: -0.5, x1: cols - 0.5, y0: row - 0.5, y1: row - 0.5 });
  return lines;
}
