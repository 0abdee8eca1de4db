// A, B and B − A as numbers, on the axes that align them. Pure.

/** @import { Pair } from "./align.js" */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Numbers */
/** @typedef {{rows: number, cols: number, data: Uint8Array}} Blocked */
/** @typedef {{matrix: Numbers, blocked: Blocked, queries: string[], keys: string[], ids: {queries: number[], keys: number[]}}} Side a head's matrix with the labels and ids of its tokens */

/** The kinds of cells in the difference. */
export const CELL = /** @type {const} */ ({
  /** A number: the difference of two weights. */
  both: 0,
  /** A number: the cell is blocked in one of the two. */
  one: 1,
  /** No number: the cell is blocked in both. */
  blocked: 2,
  /** No number: one of the two has no such token. */
  alone: 3,
});

/** @typedef {ReturnType<typeof compared>} Compared */

/**
 * @param {Side} a
 * @param {Side} b
 * @param {{queries: Pair[], keys: Pair[]}} pairs
 */
export function compared(a, b, pairs) {
  const { queries, keys } = pairs;
  const [rows, cols] = [queries.length, keys.length];
  const difference = new Float32Array(rows * cols); // 0 also stands for "no number": see `cells`
  const cells = new Uint8Array(rows * cols);
  const blocked = new Uint8Array(rows * cols); // the reasons, for cells that are blocked in both
  for (let row = 0; row < rows; row += 1) {
    const [fromA, fromB] = [queries[row].a, queries[row].b];
    for (let col = 0; col < cols; col += 1) {
      const [toA, toB] = [keys[col].a, keys[col].b];
      const at = row * cols + col;
      if (fromA === null || fromB === null || toA === null || toB === null) {
        cells[at] = CELL.alone;
        continue;
      }
      const [placeA, placeB] = [fromA * a.matrix.cols + toA, fromB * b.matrix.cols + toB];
      const [bitsA, bitsB] = [a.blocked.data[placeA], b.blocked.data[placeB]];
      if (bitsA && bitsB) {
        cells[at] = CELL.blocked;
        blocked[at] = bitsA & bitsB || bitsB;
        continue;
      }
      if (bitsA || bitsB) cells[at] = CELL.one;
      difference[at] = b.matrix.data[placeB] - a.matrix.data[placeA];
    }
  }
  return {
    pairs,
    matrix: { rows, cols, data: difference },
    blocked: { rows, cols, data: blocked },
    cells,
    queries: names(queries, a.queries, b.queries),
    keys: names(keys, a.keys, b.keys),
  };
}

/**
 * The labels of the common axis: "−" marks a token of A alone, "+" one of B alone.
 * @param {Pair[]} pairs
 * @param {string[]} a
 * @param {string[]} b
 */
export const names = (pairs, a, b) =>
  pairs.map((pair) => {
    if (pair.a === null) return `+ ${b[pair.b ?? 0]}`;
    if (pair.b === null) return `− ${a[pair.a]}`;
    return a[pair.a] === b[pair.b] ? b[pair.b] : `${a[pair.a]} | ${b[pair.b]}`;
  });

/** Whether a cell has a number. @param {Compared} compared @param {number} at */
export const hasNumber = ({ cells }, at) => cells[at] === CELL.both || cells[at] === CELL.one;

/**
 * The cells with the largest differences, the largest first, as indices into the difference.
 * @param {Compared} compared
 * @param {number} most
 */
export function largest({ matrix }, most) {
  const { data } = matrix;
  /** @type {number[]} */
  const found = [];
  let least = 0; // the smallest difference in the list
  for (let at = 0; at < data.length; at += 1) {
    const size = Math.abs(data[at]);
    if (size <= least) continue;
    const place = found.findIndex((other) => Math.abs(data[other]) < size);
    found.splice(place < 0 ? found.length : place, 0, at);
    if (found.length > most) found.pop();
    if (found.length === most) least = Math.abs(data[found[most - 1]]);
  }
  return found;
}

/**
 * The values of both sides in a cell of the difference; null: that side has no such token.
 * @param {Compared} compared
 * @param {Side} a
 * @param {Side} b
 * @param {number} at
 */
export function cellAt({ pairs, matrix }, a, b, at) {
  const [query, key] = [pairs.queries[Math.floor(at / matrix.cols)], pairs.keys[at % matrix.cols]];
  return { query, key, a: one(a, query.a, key.a), b: one(b, query.b, key.b) };
}

/** @param {Side} side @param {number | null} query @param {number | null} key */
function one({ matrix, blocked }, query, key) {
  if (query === null || key === null) return null;
  const at = query * matrix.cols + key;
  return { value: matrix.data[at], blocked: blocked.data[at] };
}

/**
 * The index in the difference of a cell of A, of B, or of the difference itself.
 * @param {Compared} compared
 * @param {number} panel 0 is A, 1 is B, 2 is the difference
 * @param {number} row
 * @param {number} col
 * @returns {number | null} its index in the difference, if it has one
 */
export function unionOf({ pairs, matrix }, panel, row, col) {
  if (panel === 2) return row * matrix.cols + col;
  const side = panel === 0 ? "a" : "b";
  const [query, key] = [
    pairs.queries.findIndex((pair) => pair[side] === row),
    pairs.keys.findIndex((pair) => pair[side] === col),
  ];
  return query < 0 || key < 0 ? null : query * matrix.cols + key;
}
