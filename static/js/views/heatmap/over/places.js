// Where the value of a cell stands beside it. Pure.

import { plotOf } from "../../../draw/heatmap.js";

/** @import { Place } from "../../../draw/axes.js" */

const GAP = 6; // pixels between a cell and its value

/**
 * The place of a value: at a corner of its cell, so that it covers neither the cell nor its row or column; above and to the
 * right first, where a causal mask leaves the cells empty. Without room for that, beside the cell.
 * @param {Place} cell
 * @param {{width: number, height: number}} size of the value
 * @param {import("../../../draw/axes.js").Layout} layout
 * @param {{width: number, height: number}} picture all of it, with its labels
 * @returns {Place}
 */
export function besideCell(cell, { width, height }, layout, picture) {
  const [left, right] = [cell.x - GAP - width, cell.x + cell.width + GAP];
  const [above, below] = [cell.y - GAP - height, cell.y + cell.height + GAP];
  const level = cell.y + (cell.height - height) / 2;
  const centred = cell.x + (cell.width - width) / 2;
  const corners = [
    [right, above],
    [right, below],
    [left, above],
    [left, below],
  ];
  const whole = { x: 0, y: 0, ...picture };
  const sides = [
    [right, clamp(level, 0, picture.height - height)],
    [left, clamp(level, 0, picture.height - height)],
    [clamp(centred, 0, picture.width - width), above],
    [clamp(centred, 0, picture.width - width), below],
  ];
  const places = [...corners, ...corners, ...sides].map(([x, y]) => ({ x, y, width, height }));
  const within = (/** @type {number} */ at) => (at < corners.length ? plotOf(layout) : whole);
  const found = places.find((place, at) => isInside(place, within(at)));
  return found ?? { ...places[0], x: whole.x, y: whole.y }; // the cell fills the picture
}

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** @param {Place} inner @param {Place} outer */
const isInside = (inner, outer) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
