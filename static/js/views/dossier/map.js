// A map of heads by what they do: the two largest principal components of all their numbers and of how far they look. Pure.

import * as words from "./words.js";

/** @import { Dossier, DossierHead as Head, Kind } from "../../types.d.ts" */
/** @typedef {{name: string, label: string, unit: string, definition: string, source: string, values: Map<Head, number>}} MapAxis */

const STEPS = 300; // of the power iteration; two components that differ by 1% in size are apart by then

/** @type {WeakMap<Dossier, Map<Kind, MapAxis[]>>} */
const KNOWN = new WeakMap();

/** Both axes for the heads of a kind; none if there are too few heads or numbers. @param {Dossier} dossier @param {Kind} kind */
export function mapAxes(dossier, kind) {
  const known = KNOWN.get(dossier) ?? new Map();
  KNOWN.set(dossier, known);
  if (!known.has(kind)) known.set(kind, axesOf(dossier, kind));
  return /** @type {MapAxis[]} */ (known.get(kind));
}

/** @param {Dossier} dossier @param {Kind} kind @returns {MapAxis[]} */
function axesOf({ heads: all, measures, buckets }, kind) {
  const heads = all.filter((head) => head.kind === kind);
  const columns = [
    ...measures.map(({ name }) =>
      standardised(heads.map((head) => head.values[name]?.value ?? null)),
    ),
    ...buckets.map((_, at) =>
      shared(
        heads.map((head) => head.distances?.[at] ?? null),
        buckets.length,
      ),
    ),
  ].filter((column) => column.some((value) => value !== 0));
  if (heads.length < 3 || columns.length < 2) return [];
  const total = columns.flat().reduce((sum, value) => sum + value ** 2, 0);
  const axes = [];
  let rest = columns;
  for (const { name, label } of words.MAP_AXES) {
    const along = component(rest);
    const at = heads.map((_, n) =>
      dot(
        along,
        rest.map((column) => column[n]),
      ),
    );
    const share = dot(at, at) / total;
    axes.push({
      name,
      label: label(share),
      unit: "",
      definition: words.MAP_DEFINITION,
      source: "",
      values: new Map(heads.map((head, n) => [head, at[n]])),
    });
    rest = rest.map((column, c) => column.map((value, n) => value - along[c] * at[n]));
  }
  return axes;
}

/** Less their mean, over their standard deviation; 0 for what is missing. @param {(number | null)[]} values */
function standardised(values) {
  const centred = lessMean(values);
  const n = values.filter((value) => value !== null).length;
  const deviation = Math.sqrt(dot(centred, centred) / n);
  return centred.map((value) => (deviation > 1e-9 ? value / deviation : 0));
}

/** A share of attention, of which all together count as one number: their roots, as Hellinger's distance takes them. @param {(number | null)[]} values @param {number} n */
const shared = (values, n) =>
  lessMean(values.map((value) => value && Math.sqrt(value))).map((value) => value * Math.sqrt(n));

/** @param {(number | null)[]} values */
function lessMean(values) {
  const known = values.flatMap((value) => (value === null ? [] : [value]));
  const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
  return values.map((value) => (value === null ? 0 : value - mean));
}

/** The direction of the largest variance, its largest number positive. @param {number[][]} columns */
function component(columns) {
  const products = columns.map((one) => columns.map((other) => dot(one, other)));
  let found = products.map((row, n) => row[n] + 1e-12); // no direction that a column has is missing
  for (let step = 0; step < STEPS; step++) {
    const next = products.map((row) => dot(row, found));
    const length = Math.sqrt(dot(next, next)) || 1;
    found = next.map((value) => value / length);
  }
  const largest = found.reduce(
    (most, value) => (Math.abs(value) > Math.abs(most) ? value : most),
    0,
  );
  return largest < 0 ? found.map((value) => -value) : found;
}

/** @param {readonly number[]} one @param {readonly number[]} other */
const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);
