// Why a cell is blocked, as a direction of hatching and in words. Never a colour of the scale.

import { REASONS } from "../state/masks.js";

/** @param {number} bits @returns {string} "" where the cell is allowed */
export function explain(bits) {
  return REASONS.filter(({ bit }) => bits & bit)
    .map(({ words }) => words)
    .join(", and ");
}

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
 * The bit fields that occur. A long text has a quarter of a million cells: a table is ten times as quick as a set.
 * @param {Uint8Array} blocked
 */
export function fieldsIn(blocked) {
  const met = new Uint8Array(256);
  for (let at = 0; at < blocked.length; at += 1) met[blocked[at]] = 1;
  return Array.from(met.keys()).filter((bits) => met[bits]);
}

/** @typedef {[number, number, number, number]} Stroke */

/**
 * The strokes of one square tile, as [x1, y1, x2, y2]. Tiles side by side hatch without a seam.
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
