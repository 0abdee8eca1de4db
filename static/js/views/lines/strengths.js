// Lines: the strength of each line and the numbers beside the tokens, from the matrices of the heads. Pure.

/** @import { Token } from "../../types.d.ts" */
/** @import { Block } from "../../numbers/segments.js" */
/** @import { Colour } from "./heads.js" */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Numbers */

/**
 * @typedef {object} Series one head, as it is drawn
 * @property {string} name
 * @property {Colour} colour
 * @property {Numbers} matrix
 * @property {Uint8Array | null} blocked cells without a line, whatever the matrix says
 * @property {Float64Array} factor of each row; it can make the keys that are shown sum to 1
 * @property {Uint8Array | null} kept the cells above the threshold; null: all
 */

/** @typedef {{from: number[], to: number[]}} Part queries and keys whose lines are drawn */

export const LEVELS = 16; // of opacity: all lines of one level and colour are one path
export const MAX_LINES = 4000; // more are slow to draw, and nobody could tell them apart
const FADED = 0.2; // factor on the opacity of padding and of tokens outside the chosen segments
const TOLERANCE = 1e-6; // of a share: sums of float32 numbers are not exact

/** The positions of the tokens that are shown. @param {Pick<Token, "special">[]} tokens @param {string} specials */
export const placesOf = (tokens, specials) =>
  tokens.flatMap(({ special }, index) => (special && specials !== "shown" ? [] : [index]));

/**
 * @param {object} head
 * @param {string} head.name
 * @param {Colour} head.colour
 * @param {Numbers} head.matrix
 * @param {Uint8Array | null} head.blocked
 * @param {object} how
 * @param {Part} how.shown
 * @param {boolean} how.renormalise
 * @param {number} how.mass
 * @returns {Series}
 */
export function seriesOf({ name, colour, matrix, blocked }, { shown, renormalise, mass }) {
  const factor = new Float64Array(matrix.rows).fill(1);
  /** @type {Series} */
  const series = { name, colour, matrix, blocked, factor, kept: null };
  if (renormalise) {
    for (const query of shown.from) {
      const sum = sumOver(shown.to, (key) => weightAt(series, query, key));
      factor[query] = sum > 0 ? 1 / sum : 0;
    }
  }
  if (mass < 1) {
    const kept = new Uint8Array(matrix.rows * matrix.cols);
    const row = new Float64Array(shown.to.length);
    for (const query of shown.from) {
      shown.to.forEach((key, index) => {
        row[index] = weightAt(series, query, key);
      });
      const strong = strongest(row, mass);
      for (const [place, key] of shown.to.entries()) {
        kept[query * matrix.cols + key] = strong[place];
      }
    }
    series.kept = kept;
  }
  return series;
}

/** @param {Series} series @param {number} query @param {number} key */
export function weightAt({ matrix, blocked, factor }, query, key) {
  const at = query * matrix.cols + key;
  return blocked?.[at] ? 0 : matrix.data[at] * factor[query];
}

/**
 * The smallest set of keys that holds a share of the row: the strongest keys; among equals, the first.
 * @param {Float64Array} row
 * @param {number} mass 0 to 1
 * @returns {Uint8Array} 1 for the keys in the set
 */
export function strongest(row, mass) {
  const kept = new Uint8Array(row.length);
  const sorted = row.slice().sort();
  let sum = 0;
  for (const one of sorted) sum += one;
  const enough = (mass - TOLERANCE) * sum;
  let [held, place] = [0, sorted.length];
  while (held < enough && place > 0) {
    place -= 1;
    held += sorted[place];
  }
  if (held === 0) return kept;
  const least = sorted[place];
  let equals = 0; // how many keys with the smallest kept weight fit in
  for (let at = place; at < sorted.length && sorted[at] === least; at += 1) equals += 1;
  for (let at = 0; at < row.length; at += 1) {
    if (row[at] > least) kept[at] = 1;
    else if (row[at] === least && equals > 0) {
      kept[at] = 1;
      equals -= 1;
    }
  }
  return kept;
}

/**
 * What each key gets from some queries, for each head.
 * @param {Series[]} series
 * @param {number[]} queries
 * @returns {Float64Array[]}
 */
export const received = (series, queries) =>
  series.map((one) =>
    Float64Array.from({ length: one.matrix.cols }, (_, key) =>
      sumOver(queries, (query) => weightAt(one, query, key)),
    ),
  );

/**
 * What each query gives to a key, for each head.
 * @param {Series[]} series
 * @param {number} key
 * @returns {Float64Array[]}
 */
export const given = (series, key) =>
  series.map((one) =>
    Float64Array.from({ length: one.matrix.rows }, (_, query) => weightAt(one, query, key)),
  );

/** @param {number[]} places @param {(place: number) => number} value */
function sumOver(places, value) {
  let sum = 0;
  for (const place of places) sum += value(place);
  return sum;
}

/** The sum over heads of the number at a position. @param {Float64Array[]} parts @param {number} place */
export const sumAt = (parts, place) => parts.reduce((sum, part) => sum + part[place], 0);

/**
 * Which tokens are faded: padding, and those outside the chosen segments.
 * @param {Token[]} tokens
 * @param {[number, number] | undefined} span the chosen tokens; undefined: all
 */
export const fadedIn = (tokens, span) =>
  tokens.map(
    ({ padding }, index) => padding || (span ? index < span[0] || index >= span[1] : false),
  );

/**
 * @typedef {object} Drawn
 * @property {number} full the weight of the strongest line
 * @property {number} least the smallest weight that is drawn
 * @property {number} total lines with any weight at all
 * @property {number} count lines that are drawn
 * @property {boolean} cut whether some are left out because there are too many
 * @property {{series: number, level: number, ends: number[]}[]} groups one for each head and level; `ends`: query, key, query, …
 */

/**
 * The lines of some queries to some keys, by head and strength, the strongest last, so that they are in front. Lines too faint
 * to see are left out.
 * @param {Series[]} series
 * @param {Part} part
 * @param {{queries: boolean[], keys: boolean[]}} faded
 * @param {number} [most]
 * @returns {Drawn}
 */
export function linesOf(series, part, faded, most = MAX_LINES) {
  const full = series.reduce((high, one) => Math.max(high, highest(one, part)), 0);
  const counts = new Uint32Array(LEVELS + 1);
  let total = 0;
  /**
   * Visit the lines of at least a weight: most of a quarter of a million are too weak to visit twice.
   * @param {number} floor
   * @param {(series: number, level: number, query: number, key: number, weight: number) => void} visit
   */
  const each = (floor, visit) =>
    series.forEach(({ matrix, blocked, factor, kept }, index) => {
      const { cols, data } = matrix;
      for (const query of part.from) {
        for (const key of part.to) {
          const at = query * cols + key;
          const weight = data[at] * factor[query];
          if (weight <= 0 || (kept !== null && kept[at] === 0)) continue;
          if (blocked !== null && blocked[at] !== 0) continue;
          total += 1;
          if (weight < floor) continue;
          const opacity = faded.queries[query] || faded.keys[key] ? FADED : 1;
          visit(index, Math.round((opacity * LEVELS * weight) / full), query, key, weight);
        }
      }
    });
  each((0.5 * full) / LEVELS, (_, level) => {
    counts[level] += 1;
  });
  const all = total;
  let [lowest, count] = [LEVELS + 1, 0];
  while (lowest > 1 && (count === 0 || count + counts[lowest - 1] <= most)) {
    lowest -= 1;
    count += counts[lowest];
  }
  // equal weights have one level: if there are too many of them, draw only every second, third, …
  const every = Math.ceil(count / most) || 1;
  const cut = every > 1 || counts.subarray(1, lowest).some((n) => n > 0);
  /** @type {Map<number, Drawn["groups"][number]>} */
  const groups = new Map();
  let [least, visited] = [full, 0];
  count = 0;
  each(((lowest - 0.6) * full) / LEVELS, (place, level, query, key, weight) => {
    if (level < lowest) return;
    visited += 1;
    if (visited % every > 0) return;
    count += 1;
    least = Math.min(least, weight);
    const id = level * series.length + place;
    const group = groups.get(id) ?? { series: place, level, ends: [] };
    groups.set(id, group);
    group.ends.push(query, key);
  });
  const sorted = [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
  return { full, least, total: all, count, cut, groups: sorted };
}

/** @param {Series} series @param {Part} part */
function highest(series, { from, to }) {
  let high = 0;
  for (const query of from) {
    for (const key of to) high = Math.max(high, weightAt(series, query, key));
  }
  return high;
}
