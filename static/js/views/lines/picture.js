// Lines: what is drawn, from the reader's choice and the answers: the heads, the tokens on both sides, and what is isolated. Pure.

import { matrixIn, sameTokens } from "../../numbers/heads.js";
import { boundaryOf } from "../../numbers/segments.js";
import { likeSeen } from "../../numbers/units.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { shortHeadName } from "../../words/heads.js";
import { coloursOf, isPicture } from "./heads.js";
import { tensorOf } from "./request.js";
import { fadedIn, given, placesOf, received, seriesOf } from "./strengths.js";
import { ALL_HEADS, captionOf } from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Head } from "../../state/overlay.js" */
/** @import { Series } from "./strengths.js" */
/** @typedef {import("../../numbers/units.js").Seen} Detail */
/** @typedef {{side: "queries" | "keys", place: number}} Pointed */
/** @typedef {NonNullable<ReturnType<typeof pictureOf>>} Picture */
/** @typedef {ReturnType<typeof focusOf>} Focus */

/**
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {{rows: number, cols: number, data: Uint8Array}} blocked of the matrix that is drawn
 * @param {Head[]} heads the overlaid heads that the model has
 * @returns null if the numbers of the selected head are missing
 */
export function pictureOf(state, detail, blocked, heads) {
  const { specials, mass } = state;
  const { layer, kind } = detail.site;
  const { colours, groups, by } = coloursOf(heads);
  const shown = { from: placesOf(detail.queries, specials), to: placesOf(detail.keys, specials) };
  const hidden = detail.queries.length + detail.keys.length - shown.from.length - shown.to.length;
  const matrix = drawnOf(state.matrix, detail);
  const tensor = tensorOf(state);
  const answer = sameTokens(state.overlays?.answer, state.detail) ? state.overlays?.answer : null;
  /** @param {Head} head */
  const overlaidNumbers = (head) => {
    const found = tensor && matrixIn(answer, head, kind, tensor, detail.text);
    const numbers = found && likeSeen(detail, found);
    return numbers?.rows === detail.queries.length && numbers.cols === detail.keys.length
      ? numbers
      : null;
  };
  const numbers =
    matrix === "pattern" && isPicture(state.detail)
      ? overlaidNumbers([layer, detail.head])
      : detail[matrix];
  if (!numbers || numbers.rows !== detail.queries.length) return null;
  const renormalise = specials === "renormalised" && hidden > 0 && MATRICES[matrix].sums;
  const how = { shown, renormalise, mass };
  const mask = blocked.data.length === numbers.data.length ? blocked.data : null; // it may be pooled
  const own = shortHeadName([layer, detail.head]);
  const beside = isOfHead(matrix) ? heads : [];
  const overlays = beside.map((head, index) => {
    const look = { name: shortHeadName(head), colour: colours[index] };
    if (look.name === own) return seriesOf({ ...look, matrix: numbers, blocked: mask }, how);
    const other = overlaidNumbers(head);
    return other ? seriesOf({ ...look, matrix: other, blocked: null }, how) : null;
  });
  /** @type {Series[]} */
  const series = overlays.filter((one) => one !== null);
  const alone = !beside.some((head) => shortHeadName(head) === own);
  if (alone) {
    const look = {
      name: isOfHead(matrix) ? own : ALL_HEADS,
      colour: /** @type {const} */ ("ink"),
    };
    series.unshift(seriesOf({ ...look, matrix: numbers, blocked: mask }, how));
  }
  return {
    matrix,
    asked: state.matrix,
    series,
    shown,
    hidden,
    specials,
    renormalise,
    mass,
    missing: overlays.filter((one) => one === null).length,
    left: heads.length - beside.length,
    legend: [
      ...(alone ? [{ colour: series[0].colour, name: series[0].name }] : []),
      ...(beside.length > 0 ? groups : []),
    ],
    by,
    faded: {
      queries: fadedIn(detail.queries, detail.block?.queries),
      keys: fadedIn(detail.keys, detail.block?.keys),
    },
    block: detail.block !== null,
  };
}

/**
 * The matrix to draw: the pattern, if the selected one cannot be drawn as lines. Scores have both signs, so they cannot.
 * @param {State["matrix"]} asked
 * @param {Detail} detail
 */
const drawnOf = (asked, detail) => (MATRICES[asked].lines && detail[asked] ? asked : "pattern");

/**
 * What is isolated: the token that is pointed at, else the pinned ones, else nothing; and the numbers beside the tokens.
 * @param {Picture} picture
 * @param {Pointed | null} pointed
 * @param {number[]} pinned
 */
export function focusOf({ series, shown, faded }, pointed, pinned) {
  const pins = pinned.filter((place) => shown.from.includes(place));
  const real = shown.from.filter((place) => !faded.queries[place]);
  const at = pointed && shown[pointed.side === "queries" ? "from" : "to"].includes(pointed.place);
  const kind = at
    ? pointed.side === "queries"
      ? "query"
      : "key"
    : pins.length > 0
      ? "pins"
      : "all";
  const rows = kind === "query" && pointed ? [pointed.place] : pins.length > 0 ? pins : real;
  const one = kind === "key" && pointed ? pointed.place : null;
  return {
    kind: /** @type {"query" | "key" | "pins" | "all"} */ (kind),
    pointed: at ? pointed : null,
    pins,
    /** The queries whose rows are summed. */
    rows,
    part: {
      from: kind === "query" || kind === "pins" ? rows : shown.from,
      to: one === null ? shown.to : [one],
    },
    received: received(series, rows),
    given: one === null ? null : given(series, one),
  };
}

/**
 * @param {Picture} picture
 * @param {Focus} focus
 * @param {Detail} detail
 * @returns {{queries: import("./scene.js").Side, keys: import("./scene.js").Side}}
 */
export function sidesOf(picture, focus, detail) {
  const { shown, faded, matrix } = picture;
  const scale = MATRICES[matrix].scale === "share" ? 1 : 0;
  const { pointed } = focus;
  return {
    queries: {
      places: shown.from,
      labels: detail.queryLabels,
      faded: faded.queries,
      boundary: boundaryOf(detail.queries),
      marked: focus.pins,
      pointed: pointed?.side === "queries" ? pointed.place : null,
      read: detail.row,
      values: focus.given,
      caption: captionOf(picture, 1),
      scale,
    },
    keys: {
      places: shown.to,
      labels: detail.keyLabels,
      faded: faded.keys,
      boundary: boundaryOf(detail.keys),
      marked: [],
      pointed: pointed?.side === "keys" ? pointed.place : null,
      read: null,
      values: focus.received,
      caption: captionOf(picture, focus.rows.length),
      scale,
    },
  };
}
