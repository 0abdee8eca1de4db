// What each head of the map reads in the selected row: numbers that the page has anyway. Pure.

import { exactRow } from "../../numbers/detail.js";
import { matrixIn, sameTokens } from "../../numbers/heads.js";

/** @import { Kind, State } from "../../types.d.ts" */
/** @typedef {NonNullable<ReturnType<typeof import("../../numbers/detail.js").detailOf>>} Detail */
/** @typedef {{kind: Kind, layer: number, head: number}} Head */
/** @typedef {{shares: ArrayLike<number>, exact: boolean}} Row not exact: to the nearest 1/255 */
/** @typedef {{head: number, key: number, share: number, exact: boolean}} Look */

/**
 * The selected row of a head.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {Head} head
 * @returns {Row | null} null if the page does not have its numbers
 */
export function rowOf(state, detail, { kind, layer, head }) {
  const { site, row, queries, keys } = detail;
  if (site.kind === kind && site.layer === layer && detail.head === head) {
    const exact = exactRow(detail, "pattern", row)?.pattern;
    if (exact) return { shares: exact, exact: true };
  }
  const grid = sameTokens(state.grid, state.detail) ? state.grid : null;
  const bytes = matrixIn(grid, [layer, head], kind, "pattern", detail.text);
  if (bytes?.rows !== queries.length || bytes.cols !== keys.length) return null; // pooled
  const numbers = bytes.data.subarray(row * bytes.cols, (row + 1) * bytes.cols);
  return { shares: Array.from(numbers, (byte) => byte / 255), exact: false };
}

/**
 * Where a head looks most.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {Head} head
 * @returns {Look | null} null if it looks at nothing, or nobody knows
 */
export function lookOf(state, detail, head) {
  const row = rowOf(state, detail, head);
  if (!row) return null;
  const key = largest(Array.from(row.shares));
  const share = row.shares[key] ?? 0;
  return share > 0 ? { head: head.head, key, share, exact: row.exact } : null;
}

/**
 * The head of a layer that looks most at one other token of the text; a look at itself or at a special token counts only if there
 * is no other.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {{kind: Kind, layer: number, n_heads: number}} site
 * @param {(head: number) => boolean} muted
 * @returns {Look | null}
 */
export function strongestLook(state, detail, { kind, layer, n_heads }, muted) {
  const looks = Array.from({ length: n_heads }, (_, head) => head)
    .filter((head) => !muted(head))
    .map((head) => lookOf(state, detail, { kind, layer, head }))
    .filter((look) => look !== null);
  const { keys, row, site } = detail;
  const own = site.query_tokens === site.key_tokens ? row : -1;
  const others = looks.filter(({ key }) => key !== own && !keys[key].special);
  const from = others.length > 0 ? others : looks;
  return from[largest(from.map(({ share }) => share))] ?? null;
}

/** The place of the largest number, the first of equal ones; −1 of none. @param {number[]} numbers */
const largest = (numbers) =>
  numbers.reduce((best, number, index) => (best < 0 || number > numbers[best] ? index : best), -1);
