// Painted cells: which are blocked or freed by the reader, how a stroke changes them, and both lists as short text.

/** @typedef {import("../types.d.ts").Cell} Cell */
/** @typedef {import("../types.d.ts").Kind} Kind */
/** @typedef {Pick<import("../types.d.ts").Masks, "blocked" | "allowed">} Painted */
/** @typedef {{text: number | null, layer: number | null, head: number | null, kind: Kind | null}} Scope */

export const MOST = 10_000; // of each list, as in the API
const LARGEST = 1_000_000; // what the API takes as an index
const KINDS = /** @type {const} */ (["self", "encoder", "decoder", "cross"]);
const AXES = /** @type {const} */ (["text", "kind", "layer", "head", "query", "key"]);

/** Whether all of a cell lies in another, which may be wider. @param {Cell} wide @param {Cell} cell */
export const covers = (wide, cell) =>
  AXES.every((axis) => wide[axis] === null || wide[axis] === cell[axis]);

/** Whether two have a cell in common. @param {Cell} a @param {Cell} b */
export const meet = (a, b) =>
  AXES.every((axis) => a[axis] === null || b[axis] === null || a[axis] === b[axis]);

/** Without repetition, and in the one order that a link gives back. @param {Cell[]} cells */
export function tidy(cells) {
  const found = new Map(cells.map((cell) => [nameOf(cell), cell]));
  return [...found.values()].sort((a, b) => {
    const axis = AXES.find((name) => a[name] !== b[name]);
    return axis ? rank(a[axis]) - rank(b[axis]) : 0;
  });
}

/** @param {Cell} cell */
const nameOf = (cell) => AXES.map((axis) => cell[axis] ?? "*").join(".");

/** All comes before each. @param {number | Kind | null} value */
const rank = (value) =>
  value === null ? -1 : typeof value === "number" ? value : KINDS.indexOf(value);

/**
 * What blocks or frees cells that are chosen now. `base` says which masks other than paint block one (bits of blocked_by),
 * `values` what an axis may be, within what the cell names already.
 * @typedef {object} Known
 * @property {(cell: Cell) => number} base
 * @property {(axis: keyof Cell, cell: Cell) => (number | Kind)[]} values
 */

/**
 * Block cells, or free them. The two lists stay consistent: no cell is in a list without having an effect there.
 * @param {Painted} painted
 * @param {Cell[]} cells
 * @param {boolean} blocks else they are freed
 * @param {Known} known
 * @returns {Painted & {changed: number}} how many of the cells had to change
 */
export function paint(painted, cells, blocks, { base, values }) {
  const [blocked, allowed] = [new Bag(painted.blocked), new Bag(painted.allowed)];
  let changed = 0;
  for (const cell of cells) {
    const before = blocked.changes + allowed.changes;
    if (blocks) {
      // what is freed stays free whatever blocks it: it goes, or as much of it as lies in the cell
      for (const free of allowed.meeting(cell)) {
        allowed.remove(free);
        for (const rest of without(free, cell, values)) allowed.add(rest);
      }
      if (!surely(base(cell), cell)) blocked.cover(cell);
    } else {
      blocked.removeWithin(cell);
      if (base(cell) || blocked.meeting(cell).length > 0) allowed.cover(cell);
    }
    if (blocked.changes + allowed.changes > before) changed += 1;
  }
  return { blocked: blocked.list, allowed: allowed.list, changed };
}

/**
 * Whether a cell is blocked for all that it names. Causal and padding masks are the same for all heads; others may be of
 * one head or one layer only.
 * @param {number} bits @param {Cell} cell
 */
const surely = (bits, cell) => (cell.head === null ? bits & 3 : bits) !== 0;

/**
 * Whether a cell of one head is blocked now.
 * @param {Painted} painted
 * @param {Cell} cell
 * @param {number} base
 */
export function isBlocked({ blocked, allowed }, cell, base) {
  if (allowed.some((free) => covers(free, cell))) return false;
  return base !== 0 || blocked.some((wide) => covers(wide, cell));
}

/**
 * What is left of a wide cell when another is taken out.
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

/** A list of cells that finds those at a place quickly. */
class Bag {
  /** @type {Map<string, Cell[]>} */
  #at = new Map();
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

  /** @param {Cell} cell @returns {Cell[]} */
  meeting(cell) {
    const { query, key } = cell;
    const near =
      query === null || key === null
        ? [...this.#at.values()].flat()
        : [`${query}.${key}`, `${query}.*`, `*.${key}`, "*.*"].flatMap(
            (place) => this.#at.get(place) ?? [],
          );
    return near.filter((other) => meet(other, cell));
  }

  /** @param {Cell} cell */
  removeWithin(cell) {
    for (const other of this.meeting(cell)) if (covers(cell, other)) this.remove(other);
  }

  /** Put it in, unless it is there already, in the place of all that lies within. @param {Cell} cell */
  cover(cell) {
    if (this.meeting(cell).some((other) => covers(other, cell))) return;
    this.removeWithin(cell);
    this.add(cell);
  }
}

/** @param {Cell} cell */
const placeOf = ({ query, key }) => `${query ?? "*"}.${key ?? "*"}`;

/**
 * The cells from one to another in a straight line, both included: a pointer may leap.
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

/**
 * Without the cells of sites, heads and texts that are not there.
 * @param {Cell[]} cells
 * @param {Pick<import("../types.d.ts").Model, "sites">} model
 * @param {number} texts
 */
export function ofModel(cells, { sites }, texts) {
  const kept = cells.filter(({ text, kind, layer, head }) => {
    const named = (sites ?? []).filter(
      (site) => (kind === null || kind === site.kind) && (layer === null || layer === site.layer),
    );
    const heads = named.every(({ n_heads }) => head === null || head < n_heads);
    return named.length > 0 && heads && (text === null || text < texts);
  });
  return kept.length < cells.length ? kept : cells;
}

/**
 * Cells in short: one string for all of a text, layer, head and kind, as "0.1.2_4-9.3_5.0-2": then come queries and keys,
 * each a number, a range, or * for all.
 * @param {Cell[]} cells
 * @returns {string[]}
 */
export function encode(cells) {
  /** @type {Map<string, Cell[]>} */
  const groups = new Map();
  for (const cell of tidy(cells)) {
    const { text, layer, head, kind } = cell;
    const place = [text ?? "*", layer ?? "*", head ?? "*", ...(kind ? [kind] : [])].join(".");
    groups.set(place, [...(groups.get(place) ?? []), cell]);
  }
  return [...groups].map(([place, some]) => [place, ...boxes(some)].join("_"));
}

/** Runs of keys, alike in queries one after the other. @param {Cell[]} cells tidy, of one group */
function boxes(cells) {
  /** @type {Map<number | null, (number | null)[]>} */
  const rows = new Map();
  for (const { query, key } of cells) {
    const row = rows.get(query);
    if (row) row.push(key);
    else rows.set(query, [key]);
  }
  /** @type {{start: number | null, stop: number | null, keys: string}[]} */
  const found = [];
  /** @type {Map<string, typeof found[number]>} the last box with such keys */
  const open = new Map();
  for (const [query, keys] of rows) {
    for (const run of runs(keys)) {
      const above = open.get(run);
      if (above && above.stop !== null && query === above.stop + 1) {
        above.stop = query;
      } else {
        const box = { start: query, stop: query, keys: run };
        found.push(box);
        open.set(run, box);
      }
    }
  }
  return found.map(({ start, stop, keys }) => `${range(start, stop)}.${keys}`);
}

/** @param {(number | null)[]} keys ascending, null first */
function runs(keys) {
  /** @type {[number | null, number | null][]} */
  const found = [];
  for (const key of keys) {
    const last = found.at(-1);
    if (key !== null && last && last[1] === key - 1) last[1] = key;
    else found.push([key, key]);
  }
  return found.map(([start, stop]) => range(start, stop));
}

/** @param {number | null} start @param {number | null} stop */
const range = (start, stop) =>
  start === null ? "*" : start === stop ? String(start) : `${start}-${stop}`;

/**
 * The cells that strings stand for; what makes no sense, or would be too much, is left out.
 * @param {string[]} strings
 * @param {number} most
 * @returns {Cell[]}
 */
export function decode(strings, most = MOST) {
  /** @type {Cell[]} */
  const cells = [];
  for (const string of strings) {
    const [place, ...parts] = string.split("_");
    const scope = scopeOf(place);
    if (!scope) continue;
    for (const part of parts) {
      const [queries, keys, ...rest] = part.split(".").map(spanOf);
      if (!queries || !keys || rest.length > 0) continue;
      if (cells.length + countOf(queries) * countOf(keys) > most) continue;
      for (const query of within(queries)) {
        for (const key of within(keys)) cells.push({ ...scope, query, key });
      }
    }
  }
  return tidy(cells);
}

/** @param {string} place @returns {Scope | null} */
function scopeOf(place) {
  const [text, layer, head, named, ...rest] = place.split(".");
  const kind = KINDS.find((name) => name === named) ?? null;
  const axes = [text, layer, head].map((axis) => spanOf(axis ?? ""));
  if (rest.length > 0 || (kind ?? undefined) !== named) return null;
  const [t, l, h] = axes.map((span) => (span && span[0] === span[1] ? span : null));
  return t && l && h ? { text: t[0], layer: l[0], head: h[0], kind } : null;
}

/** @typedef {[number, number] | [null, null]} Span both ends included; null is all */

/** @param {string} text @returns {Span | null} */
function spanOf(text) {
  if (text === "*") return [null, null];
  const found = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(text);
  if (!found) return null;
  const [start, stop] = [Number(found[1]), Number(found[2] ?? found[1])];
  return start <= stop && stop <= LARGEST ? [start, stop] : null;
}

/** @param {Span} span */
const countOf = ([start, stop]) => (start === null ? 1 : stop - start + 1);

/** @param {Span} span @returns {(number | null)[]} */
const within = (span) =>
  Array.from({ length: countOf(span) }, (_, i) => (span[0] ?? 0) + i).map((value) =>
    span[0] === null ? null : value,
  );
