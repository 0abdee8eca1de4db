// What is drawn of the selected head, the same for its three painters. Pure, apart from the colours.

import { palette } from "../../dom/palette.js";
import { SIZES } from "../../draw/axes.js";
import { overlayOf } from "../../draw/overlays.js";
import { blockedIn } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { MATRICES } from "../../state/matrices.js";
import { axisTitles } from "../../words/axes.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {NonNullable<ReturnType<typeof import("../../numbers/detail.js").detailOf>>} Detail */
/** @typedef {NonNullable<ReturnType<typeof pictureOf>>} Picture */

/**
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {State["scheme"]} [scheme]
 * @returns null while the numbers are still loading
 */
export function pictureOf(state, detail, scheme = state.scheme) {
  const { matrix: name, steps, depth } = state;
  const matrix = name === "pattern" ? detail.picture : detail[name];
  if (!matrix) return null;
  const { sequential, diverging, paper, hatch, veil, accent } = palette(scheme);
  const range = rangeOf(name, matrix, steps);
  return {
    /** If it has fewer rows than there are queries, it is pooled. */
    matrix,
    blocked: blockedIn(detail, name),
    labels: { queries: detail.queryLabels, keys: detail.keyLabels },
    titles: axisTitles(detail.site.kind),
    table: range.low < 0 ? diverging : sequential,
    range,
    unit: MATRICES[name].unit,
    /** Whether its numbers are shares, which can be told in per cents. */
    isShare: MATRICES[name].scale === "share",
    overlay: overlayOf(detail, detail.block),
    size: SIZES[depth],
    /** Whether there are gaps between the cells, as plotly leaves them. */
    spaced: depth === "full",
    /** The cell whose tokens have labels, even where not every token has one. */
    focus: focusOf(state, detail),
    paper,
    hatch,
    veil,
    accent,
  };
}

/**
 * The key that was chosen in the current row, or else its strongest.
 * @param {Pick<State, "key">} state
 * @param {Detail} detail
 * @returns {[query: number, key: number]}
 */
function focusOf({ key }, { row, queries, keys, picture }) {
  if (key !== null && key < keys.length) return [row, key];
  const { rows, cols, data } = picture; // which may be pooled
  const start = Math.floor((row * rows) / queries.length) * cols;
  let best = 0;
  for (let at = 1; at < cols; at += 1) if (data[start + at] > data[start + best]) best = at;
  return [row, Math.floor(((best + 0.5) * keys.length) / cols)];
}

/**
 * The current row, and the token under the pointer in another view.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @returns {import("../../draw/overlays.js").Pointed}
 */
export function pointedIn({ hover }, { row, site }) {
  const { query_tokens, key_tokens } = site;
  const isKey = hover?.axis === key_tokens && key_tokens !== query_tokens; // of the other text
  return {
    row,
    query: hover?.axis === query_tokens ? hover.place : null,
    key: isKey ? hover.place : null,
  };
}

/** @param {Picture} picture @returns {{rows: number, cols: number}} in tokens */
export const sizeOf = ({ labels: { queries, keys } }) => ({
  rows: queries.length,
  cols: keys.length,
});
