// The painted cells: which ones the reader has blocked or freed, and how a stroke of the brush changes that.

import { EVERYWHERE } from "../state/masks.js";
import { AXES, covers, overlap, tidy } from "../state/painted/cells.js";

/** @import { Cell, Kind } from "../types.d.ts" */
/** @typedef {Pick<import("../types.d.ts").Masks, "blocked" | "allowed">} Painted */

/**
 * What is known about the cells of the picture. `base`: the masks other than paint that block a cell (bits of blocked_by);
 * `values`: the values that an axis can have, given the axes that the cell fixes.
 * @typedef {object} Known
 * @property {(cell: Cell) => number} base
 * @property {(axis: keyof Cell, cell: Cell) => (number | Kind)[]} values
 */

/**
 * Block cells, or free them. The two lists stay minimal: every cell in a list has an effect.
 * @param {Painted} painted
 * @param {Cell[]} cells
 * @param {boolean} blocks false: free them
 * @param {Known} known
 * @returns {Painted & {changed: number}} how many of the cells had to change
 */
export function paint(painted, cells, blocks, { base, values }) {
  const [blocked, allowed] = [new CellIndex(painted.blocked), new CellIndex(painted.allowed)];
  let changed = 0;
  for (const cell of cells) {
    const before = blocked.changes + allowed.changes;
    if (blocks) {
      // a freed cell wins over any block: remove it, or the part of it that lies in the cell
      for (const free of allowed.overlapping(cell)) {
        allowed.remove(free);
        for (const rest of without(free, cell, values)) allowed.add(rest);
      }
      if (!isBlockedByBase(base(cell), cell)) blocked.cover(cell);
    } else {
      blocked.removeWithin(cell);
      if (base(cell) || blocked.overlapping(cell).length > 0) allowed.cover(cell);
    }
    if (blocked.changes + allowed.changes > before) changed += 1;
  }
  return { blocked: blocked.list, allowed: allowed.list, changed };
}

/**
 * Whether the masks other than paint block a cell everywhere. Only some of them are the same in all heads and layers.
 * @param {number} bits
 * @param {Cell} cell
 */
const isBlockedByBase = (bits, cell) => (cell.head === null ? bits & EVERYWHERE : bits) !== 0;

/**
 * Whether a cell of one head is blocked now.
 * @param {Painted} painted
 * @param {Cell} cell
 * @param {number} base
 */
export function isBlocked({ blocked, allowed }, cell, base) {
  if (allowed.some((free) => covers(free, cell))) return false;
  return base !== 0 || blocked.some((painted) => covers(painted, cell));
}

/**
 * What is left of a cell that covers many, without another one.
 * @param {Cell} wide
 * @param {Cell} cell
 * @param {Known["values"]} values
 */
function without(wide, cell, values) {
  /** @type {Cell[]} */
  const rest = [];
  let inner = wide;
  for (const axis of AXES) {
    if (inner[axis] !== null || cell[axis] === null) continue;
    for (const value of values(axis, inner)) {
      if (value !== cell[axis]) rest.push({ ...inner, [axis]: value });
    }
    inner = { ...inner, [axis]: cell[axis] };
  }
  return rest;
}

/** A list of cells with a fast look-up by position. */
class CellIndex {
  /** @type {Map<string, Cell[]>} */
  #at = new Map();
  /** How many cells were added or removed. */
  changes = 0;

  /** @param {Cell[]} cells */
  constructor(cells) {
    for (const cell of cells) this.add(cell);
    this.changes = 0;
  }

  get list() {
    return tidy([...this.#at.values()].flat());
  }

  /** @param {Cell} cell */
  add(cell) {
    const place = placeOf(cell);
    this.#at.set(place, [...(this.#at.get(place) ?? []), cell]);
    this.changes += 1;
  }

  /** @param {Cell} cell */
  remove(cell) {
    const place = placeOf(cell);
    this.#at.set(
      place,
      (this.#at.get(place) ?? []).filter((other) => other !== cell),
    );
    this.changes += 1;
  }

  /** The cells of the list that overlap a cell. @param {Cell} cell @returns {Cell[]} */
  overlapping(cell) {
    const { query, key } = cell;
    const candidates =
      query === null || key === null
        ? [...this.#at.values()].flat()
        : [`${query}.${key}`, `${query}.*`, `*.${key}`, "*.*"].flatMap(
            (place) => this.#at.get(place) ?? [],
          );
    return candidates.filter((other) => overlap(other, cell));
  }

  /** @param {Cell} cell */
  removeWithin(cell) {
    for (const other of this.overlapping(cell)) if (covers(cell, other)) this.remove(other);
  }

  /** Add a cell unless it is covered already, and remove the cells that it covers. @param {Cell} cell */
  cover(cell) {
    if (this.overlapping(cell).some((other) => covers(other, cell))) return;
    this.removeWithin(cell);
    this.add(cell);
  }
}

/** @param {Cell} cell */
const placeOf = ({ query, key }) => `${query ?? "*"}.${key ?? "*"}`;

/**
 * The cells on a straight line between two cells, both included: a fast pointer skips cells.
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @returns {[number, number][]}
 */
export function line([q0, k0], [q1, k1]) {
  const steps = Math.max(Math.abs(q1 - q0), Math.abs(k1 - k0));
  return Array.from({ length: steps + 1 }, (_, step) => [
    Math.round(q0 + ((q1 - q0) * step) / (steps || 1)),
    Math.round(k0 + ((k1 - k0) * step) / (steps || 1)),
  ]);
}
