// What there is to say of one row of a head: its strongest key, what is hidden from it, and how one cell stands beside the others. Every
// number is one of the answer, or made of some of them. Pure.

import { reasonOf } from "../../words/hatch.js";
import { exactRow } from "../detail.js";

/** @typedef {NonNullable<import("../detail.js").Detail>} Detail */
/** @import { Reason } from "../../state/masks.js" */
/** @typedef {"query" | "key"} Side */
/** A token, by its position and its label. `twin`: another token of the text has the same label. @typedef {{place: number, label: string, twin: boolean}} Named */
/**
 * The cell that comes next after another one in the same softmax.
 * @typedef {object} Next
 * @property {Named} token
 * @property {number} score of the cell itself
 * @property {number} gap between the two scores
 * @property {number} factor between the two weights; infinite if the weight of the next is 0
 */
/**
 * @typedef {object} Row
 * @property {Named} query
 * @property {boolean} padding whether the query is padding
 * @property {number} allowed the number of keys that are not blocked
 * @property {Hidden[]} hidden
 * @property {number | null} strongest the allowed key with the largest weight; null: there is none
 * @property {boolean} even whether all allowed keys get the same weight
 * @property {number} total the sum of the weights
 * @property {ArrayLike<number>} pattern
 * @property {ArrayLike<number> | null} scores null if the model does not provide them
 * @property {ArrayLike<number>} blocked
 */
/** Keys that one mask hides. `later`: each of them comes after the query. @typedef {{reason: Reason, n: number, later: boolean}} Hidden */

const SAME = 0.001; // weights that differ by less look the same

/** @param {Detail} detail @param {Side} side @param {number} place @returns {Named} */
export function named({ queryLabels, keyLabels }, side, place) {
  const labels = side === "query" ? queryLabels : keyLabels;
  const label = labels[place];
  return { place, label, twin: labels.indexOf(label) !== labels.lastIndexOf(label) };
}

/**
 * @param {Detail} detail
 * @param {number} query
 * @returns {Row | null} null until its exact numbers have arrived
 */
export function rowOf(detail, query) {
  const exact = exactRow(detail, "pattern", query);
  if (!exact?.pattern) return null;
  const { pattern, scores, blocked } = exact;
  const allowed = [...pattern.keys()].filter((key) => blocked[key] === 0);
  const strongest = allowed.reduce(
    (/** @type {number | null} */ best, key) =>
      best === null || pattern[key] > pattern[best] ? key : best,
    null,
  );
  const least = allowed.reduce((least, key) => Math.min(least, pattern[key]), 1);
  return {
    query: named(detail, "query", query),
    padding: detail.queries[query].padding,
    allowed: allowed.length,
    hidden: hiddenIn(blocked, query),
    strongest,
    even: allowed.length > 1 && strongest !== null && pattern[strongest] - least < SAME,
    total: pattern.reduce((sum, weight) => sum + weight, 0),
    pattern,
    scores,
    blocked,
  };
}

/** By the reason that is drawn, as in the picture. @param {ArrayLike<number>} blocked @param {number} query @returns {Hidden[]} */
function hiddenIn(blocked, query) {
  /** @type {Map<Reason, number[]>} */
  const keys = new Map();
  for (let key = 0; key < blocked.length; key += 1) {
    const reason = reasonOf(blocked[key]);
    if (reason) keys.set(reason, [...(keys.get(reason) ?? []), key]);
  }
  return [...keys].map(([reason, places]) => ({
    reason,
    n: places.length,
    later: places.every((key) => key > query),
  }));
}

/**
 * The cell that comes next after one in the same softmax. The factor is made of the two weights.
 * @param {Detail} detail
 * @param {number} query
 * @param {number} key
 * @returns {Next | null} null if the cell is blocked, alone, or not the first itself, or its numbers are not known
 */
export function nextOf(detail, query, key) {
  const byKey = detail.site.softmax_over === "key";
  const own = cellOf(detail, query, key);
  if (own?.bits !== 0 || own.weight === 0) return null;
  /** @type {{place: number, cell: NonNullable<typeof own>} | null} */
  let next = null;
  const n = byKey ? detail.keys.length : detail.queries.length;
  for (let place = 0; place < n; place += 1) {
    if (place === (byKey ? key : query)) continue;
    const cell = byKey ? cellOf(detail, query, place) : cellOf(detail, place, key);
    if (!cell) return null;
    if (cell.bits === 0 && (!next || cell.score > next.cell.score)) next = { place, cell };
  }
  if (!next || next.cell.score > own.score) return null;
  return {
    token: named(detail, byKey ? "key" : "query", next.place),
    score: own.score,
    gap: own.score - next.cell.score,
    factor: own.weight / next.cell.weight,
  };
}

/** @param {Detail} detail @param {number} query @param {number} key */
function cellOf(detail, query, key) {
  const row = exactRow(detail, "pattern", query);
  if (!row?.pattern || !row.scores) return null;
  return { score: row.scores[key], weight: row.pattern[key], bits: row.blocked[key] };
}
