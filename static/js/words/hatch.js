// Why a cell is blocked, in words and as a direction of hatching, which no colour of the scale resembles.

import { gettext } from "../language/gettext.js";
import { REASONS } from "../state/masks.js";
import { enumerated } from "./format.js";

/** What blocks a cell: "the padding mask and the causal mask". @param {number} bits @returns {string} "" if the cell is not blocked */
export function explain(bits) {
  return enumerated(REASONS.filter(({ bit }) => bits & bit).map(({ words }) => words));
}

/** An item of a legend. @param {{words: string}} reason */
export const blockedBy = ({ words }) => gettext("blocked by {mask}", { mask: words });

/** @param {number} bits */
export const reasonOf = (bits) => REASONS.find(({ bit }) => bits & bit) ?? null;

/**
 * The reasons that occur, for a legend.
 * @param {Uint8Array} blocked
 */
export function reasonsIn(blocked) {
  const seen = new Set(fieldsIn(blocked).map(reasonOf));
  return REASONS.filter((reason) => seen.has(reason));
}

/**
 * The bit fields that occur. A long text has a quarter of a million cells, and a table is ten times as fast as a set.
 * @param {Uint8Array} blocked
 */
export function fieldsIn(blocked) {
  const seen = new Uint8Array(256);
  for (let at = 0; at < blocked.length; at += 1) seen[blocked[at]] = 1;
  return Array.from(seen.keys()).filter((bits) => seen[bits]);
}

/** @typedef {[number, number, number, number]} Stroke */

/**
 * The strokes of one square tile, as [x1, y1, x2, y2]. Tiles join without a seam.
 * @param {string} angle
 * @param {number} side in pixels
 * @returns {Stroke[]}
 */
export function strokes(angle, side) {
  const h = side / 2;
  const q = side / 4;
  switch (angle) {
    case "up": // ╱
      return [
        [0, h, h, 0],
        [h, side, side, h],
      ];
    case "down": // ╲
      return [
        [h, 0, side, h],
        [0, h, h, side],
      ];
    case "level":
      return [[0, h, side, h]];
    case "cross":
      return [
        [q, q, 3 * q, 3 * q],
        [q, 3 * q, 3 * q, q],
      ];
    default: // a dot
      return [[h, h, h + side / 24, h]];
  }
}
