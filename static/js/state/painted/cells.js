// Painted cells: which cells they cover, which of them a model has, and how a link writes a list of them.

import KINDS from "../../facts/kinds.json" with { type: "json" };
import LIMITS from "../../facts/limits.json" with { type: "json" };

/** @import { Cell, Kind } from "../../types.d.ts" */
/** @typedef {{text: number | null, layer: number | null, head: number | null, kind: Kind | null}} Scope */

export const MAX_CELLS = LIMITS.cells; // per list, as in the API
export const AXES = /** @type {const} */ (["text", "kind", "layer", "head", "query", "key"]);

/** Whether a wide cell covers all of another. @param {Cell} wide @param {Cell} cell */
export const covers = (wide, cell) =>
  AXES.every((axis) => wide[axis] === null || wide[axis] === cell[axis]);

/** Whether two wide cells have a cell in common. @param {Cell} a @param {Cell} b */
export const overlap = (a, b) =>
  AXES.every((axis) => a[axis] === null || b[axis] === null || a[axis] === b[axis]);

/** Without repetitions, in a fixed order, so that a list survives a round trip through a link. @param {Cell[]} cells */
export function tidy(cells) {
  const unique = new Map(cells.map((cell) => [nameOf(cell), cell]));
  return [...unique.values()].sort((a, b) => {
    const axis = AXES.find((name) => a[name] !== b[name]);
    return axis ? rank(a[axis]) - rank(b[axis]) : 0;
  });
}

/** @param {Cell} cell */
const nameOf = (cell) => AXES.map((axis) => cell[axis] ?? "*").join(".");

/** The sort key of an axis: "all" comes first. @param {number | Kind | null} value */
const rank = (value) =>
  value === null ? -1 : typeof value === "number" ? value : KINDS.indexOf(value);

/**
 * Drop the cells of sites, heads and texts that do not exist.
 * @param {Cell[]} cells
 * @param {Pick<import("../../types.d.ts").Model, "sites">} model
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
 * Cells as short strings, one for each text, layer, head and kind, such as "0.1.2_4-9.3_5.0-2": after the first underscore
 * come boxes of queries and keys, each a number, a range, or * for all.
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

/** Group cells into boxes: the same run of keys in consecutive queries. @param {Cell[]} cells tidy, of one group */
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
  /** @type {Map<string, typeof found[number]>} the last box with these keys */
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
 * Read cells from strings; skip what is invalid or would exceed the limit.
 * @param {string[]} strings
 * @param {number} limit
 * @returns {Cell[]}
 */
export function decode(strings, limit = MAX_CELLS) {
  /** @type {Cell[]} */
  const cells = [];
  for (const string of strings) {
    const [place, ...parts] = string.split("_");
    const scope = scopeOf(place);
    if (!scope) continue;
    for (const part of parts) {
      const [queries, keys, ...rest] = part.split(".").map(spanOf);
      if (!queries || !keys || rest.length > 0) continue;
      if (cells.length + countOf(queries) * countOf(keys) > limit) continue;
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

/** @typedef {[number, number] | [null, null]} Span both ends included; null: all */

/** @param {string} text @returns {Span | null} */
function spanOf(text) {
  if (text === "*") return [null, null];
  const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(text);
  if (!match) return null;
  const [start, stop] = [Number(match[1]), Number(match[2] ?? match[1])];
  return start <= stop && stop <= LIMITS.index ? [start, stop] : null;
}

/** @param {Span} span */
const countOf = ([start, stop]) => (start === null ? 1 : stop - start + 1);

/** @param {Span} span @returns {(number | null)[]} */
const within = (span) =>
  Array.from({ length: countOf(span) }, (_, i) => (span[0] ?? 0) + i).map((value) =>
    span[0] === null ? null : value,
  );
