// On which side of its mark the name of each head stands, so that no two cover each other; some have no room. Pure.

import { widthOf } from "../../draw/textwidth.js";

/** @typedef {Pick<import("./points.js").Point, "x" | "y"> & {head: {layer: number, head: number}}} Point */
/** @typedef {"right" | "left" | "none"} Side */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

export const SIZE = 11; // of a name, in pixels
const HALF = 7; // of a mark, and of the height of a name
const RING = 3; // around the mark of the selected head
const BESIDE = 34; // pixels around the area, in which a name may end

/** @param {Point} point */
export const nameOf = ({ head: { layer, head } }) => `${layer}.${head}`;

/**
 * @param {Point[]} points from 0 to 1
 * @param {{width: number, height: number}} area in pixels
 * @param {Point | null} chosen its name is always shown
 * @returns {Side[]} of each point
 */
export function sidesOf(points, { width, height }, chosen) {
  const middles = points.map(({ x, y }) => ({ x: x * width, y: (1 - y) * height }));
  const marks = middles.map(({ x, y }) => around(x - HALF, x + HALF, y));
  /** @type {Side[]} */
  const sides = points.map(() => "none");
  /** @type {Box[]} */
  const names = [];
  const order = points.map((_, index) => index);
  order.sort((a, b) => Number(points[b] === chosen) - Number(points[a] === chosen));
  for (const place of order) {
    const { x, y } = middles[place];
    const wide = widthOf(nameOf(points[place]), SIZE);
    const from = HALF + (points[place] === chosen ? RING : 0);
    const boxes = {
      right: around(x + from, x + from + wide, y),
      left: around(x - from - wide, x - from, y),
    };
    const isFree = (/** @type {Box} */ box) =>
      box.left >= -BESIDE &&
      box.right <= width + BESIDE &&
      !names.some((other) => meet(box, other)) &&
      !marks.some((other, at) => at !== place && meet(box, other));
    const free = /** @type {const} */ (["right", "left"]).find((side) => isFree(boxes[side]));
    const side = free ?? (points[place] === chosen ? "right" : null);
    if (!side) continue;
    sides[place] = side;
    names.push(boxes[side]);
  }
  return sides;
}

/** @param {number} left @param {number} right @param {number} y @returns {Box} */
const around = (left, right, y) => ({ left, right, top: y - HALF, bottom: y + HALF });

/** @param {Box} a @param {Box} b */
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
