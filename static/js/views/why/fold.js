// The table of parts, with its smaller parts folded into one row and one column. Pure.

/** @import { CellTable, Part } from "../../types.d.ts" */
/**
 * A row or a column of the table.
 * @typedef {object} Group
 * @property {number[]} places of its parts among all; several if it is folded
 * @property {boolean} folded
 * @property {number} sum of all its entries
 */
/** @typedef {{rows: Group[], columns: Group[], values: number[][], reach: number}} Folded `reach`: the largest entry, without its sign */

export const MAX_PARTS = 10; // parts that are shown when the others are folded, at most
const MIN_PARTS = 4;
const [NAME, COLUMN] = [190, 47]; // pixels of a row's name, and of a column
const MAX_OPEN = 48; // parts that are shown at most: a large model has many hundreds

/**
 * The places of an axis in groups: all parts alone, or the largest alone and the rest in one.
 * @param {number[]} sizes how much each part matters
 * @param {number} most
 * @param {(place: number) => boolean} kept whether a part is never folded
 * @returns {number[][]}
 */
export function grouped(sizes, most, kept) {
  if (sizes.length <= most + 1) return sizes.map((_, index) => [index]);
  const ranked = sizes.map((_, index) => index).sort((a, b) => sizes[b] - sizes[a]);
  const alone = new Set(ranked.slice(0, most));
  const shown = sizes.flatMap((_, index) => (alone.has(index) || kept(index) ? [[index]] : []));
  const rest = sizes.flatMap((_, index) => (alone.has(index) || kept(index) ? [] : [index]));
  return rest.length > 0 ? [...shown, rest] : shown;
}

/** How many columns of parts fit beside the names, the smaller parts and the sum. @param {number} width pixels */
export const fitting = (width) =>
  Math.max(MIN_PARTS, Math.min(MAX_PARTS, Math.floor((width - NAME) / COLUMN) - 2));

/**
 * @param {Pick<CellTable, "values" | "query_parts" | "key_parts">} table
 * @param {{open: boolean, columns?: number, kept: (side: "query" | "key", part: Part) => boolean}} how `columns`: of parts, at most
 * @returns {Folded}
 */
export function folded(
  { values, query_parts, key_parts },
  { open, columns: fits = MAX_PARTS, kept },
) {
  const most = (/** @type {number} */ few) => (open ? MAX_OPEN : few);
  const rowSizes = values.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0));
  const columnSizes = key_parts.map((_, at) =>
    values.reduce((sum, row) => sum + Math.abs(row[at]), 0),
  );
  const rows = grouped(rowSizes, most(MAX_PARTS), (place) => kept("query", query_parts[place]));
  const columns = grouped(columnSizes, most(fits), (place) => kept("key", key_parts[place]));
  const entries = rows.map((down) =>
    columns.map((along) =>
      down.reduce((sum, row) => along.reduce((more, at) => more + values[row][at], sum), 0),
    ),
  );
  const flat = entries.flat();
  return {
    rows: rows.map((places, at) => ({
      places,
      folded: places.length > 1,
      sum: entries[at].reduce((sum, value) => sum + value, 0),
    })),
    columns: columns.map((places, at) => ({
      places,
      folded: places.length > 1,
      sum: entries.reduce((sum, row) => sum + row[at], 0),
    })),
    values: entries,
    reach: flat.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1,
  };
}

/** An entry of the whole table. @typedef {{row: number, column: number, value: number}} Entry */

/** All entries, the largest first, whatever their signs. @param {number[][]} values @returns {Entry[]} */
export const largest = (values) =>
  values
    .flatMap((row, at) => row.map((value, column) => ({ row: at, column, value })))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));

/** The sum of all entries. @param {number[][]} values */
export const total = (values) => values.flat().reduce((sum, value) => sum + value, 0);
