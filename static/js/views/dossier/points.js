// The heads of a dossier as points: where each lies between two axes, and which shape its label has. Pure.

import { relationsOfHead } from "../../numbers/relations.js";
import { strongest } from "../../words/labels.js";
import { mapAxes } from "./map.js";
import { LAYER } from "./words.js";

/** @import { Dossier, DossierHead as Head, DossierNumber as Value, State } from "../../types.d.ts" */

/** In the order in which labels get them. */
export const SHAPES = [..."●■▲◆▼★✚✖○□△◇▽☆"];
const COLOURS = 8;
const OTHER = "◦"; // a head without a label, and labels past the last shape
const TICKS = 4; // at most this many steps along an axis

/**
 * @typedef {object} Axis
 * @property {string} name of the measure
 * @property {string} label
 * @property {string} unit
 * @property {number} low
 * @property {number} high
 * @property {number[]} ticks
 */
/** @typedef {{label: string, shape: string, place: number}} Kind a label with its shape; `place`: of its colour, from 1, 0 for none */
/** @typedef {Kind & {head: Head, x: number, y: number, across: Value, up: Value}} Point `x` and `y` from 0 to 1 */

/** What an axis may show. @param {Dossier} dossier @param {State["kind"]} kind */
export const choices = (dossier, kind) => [LAYER, ...dossier.measures, ...mapAxes(dossier, kind)];

/**
 * The heads of one kind of sites that have both numbers.
 * @param {Dossier} dossier
 * @param {Pick<State, "kind" | "across" | "up" | "model" | "relations">} state
 */
export function scattered(dossier, state) {
  const heads = dossier.heads.filter(({ kind }) => kind === state.kind);
  const [across, up] = /** @type {const} */ (["across", "up"]).map((side) => {
    const known = choices(dossier, state.kind);
    const axis = known.find((one) => one.name === state[side]) ?? known[0];
    return { ...axis, ...scaleOf(heads.map((head) => numberOf(head, axis))) };
  });
  const labels = heads.map((head) => labelOf(head, state).name);
  const kinds = kindsOf(labels);
  const points = heads.flatMap((head, index) => {
    const [a, b] = [numberOf(head, across), numberOf(head, up)];
    if (a.value === null || b.value === null) return [];
    const kind = kinds.get(labels[index]) ?? NONE;
    const [x, y] = [along(across, a.value), along(up, b.value)];
    return [{ head, x, y, across: a, up: b, ...kind }];
  });
  const without = heads.filter(
    (head) => numberOf(head, across).value === null || numberOf(head, up).value === null,
  );
  const [first] = without;
  const missing = first && [across, up].find((axis) => numberOf(first, axis).value === null);
  return {
    across,
    up,
    points,
    without,
    kinds: [...kinds.values()],
    reason: missing ? numberOf(first, missing).reason : null,
  };
}

/** @type {Kind} */
const NONE = { label: "", shape: OTHER, place: 0 };

/** The labels, the most frequent first, each with a shape. @param {string[]} labels @returns {Map<string, Kind>} */
function kindsOf(labels) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const label of labels) if (label) counts.set(label, (counts.get(label) ?? 0) + 1);
  const order = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return new Map(
    order.map(([label], index) => [
      label,
      { label, shape: SHAPES[index] ?? OTHER, place: SHAPES[index] ? (index % COLOURS) + 1 : 0 },
    ]),
  );
}

/** What a head is called: by its strongest share, or by a relation that it draws. @param {Head} head @param {Pick<State, "model" | "relations">} state */
export const labelOf = (head, state) =>
  strongest(
    /** @type {Partial<import("../../types.d.ts").Scores>} */ (head.values),
    head.kind === "self" ? relationsOfHead(state, head) : [],
  );

/** A number of a head; its layer is one, too, and its place on a map. @param {Head} head @param {{name: string, values?: Map<Head, number>}} axis @returns {Value} */
export function numberOf(head, { name, values }) {
  const value = name === LAYER.name ? head.layer : (values?.get(head) ?? null);
  return head.values[name] ?? { value, low: null, high: null, over: 0, reason: null };
}

/** A scale that holds all numbers, and ticks at round ones. @param {Value[]} numbers */
function scaleOf(numbers) {
  const known = numbers.flatMap(({ value }) => (value === null ? [] : [value]));
  const [least, most] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
  const step = roundStep((most - least || Math.abs(most) || 1) / TICKS);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(Math.ceil(most / step - 1e-9), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(6)),
  );
  return { low: ticks[0], high: ticks[ticks.length - 1], ticks };
}

/** The smallest of 1, 2, 5, 10, … that is no less. @param {number} least */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((step) => step * power >= least * (1 - 1e-9)) ?? 10);
}

/** Where a value lies on an axis, from 0 to 1. @param {Pick<Axis, "low" | "high">} axis @param {number} value */
export const along = ({ low, high }, value) =>
  Math.min(1, Math.max(0, (value - low) / (high - low)));

/**
 * The point to go to with an arrow key: the nearest one in that direction.
 * @param {Point[]} points
 * @param {Point} from
 * @param {string} key
 */
export function towards(points, from, key) {
  const [side, sign] = /** @type {Record<string, ["x" | "y", number]>} */ ({
    ArrowLeft: ["x", -1],
    ArrowRight: ["x", 1],
    ArrowDown: ["y", -1],
    ArrowUp: ["y", 1],
  })[key] ?? [null, 0];
  if (side === null) return null;
  const order = [...points].sort(
    (a, b) => a[side] - b[side] || a.head.layer - b.head.layer || a.head.head - b.head.head,
  );
  return order[order.indexOf(from) + sign] ?? null;
}
