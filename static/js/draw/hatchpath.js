// Hatching as vectors: the strokes of a reason, clipped to the cells that it blocks.

import { strokes } from "../words/hatch.js";

/** @import { Stroke } from "../words/hatch.js" */

const [CLOSEST, WIDEST] = [4, 9]; // pixels after which the hatching repeats

/**
 * After how many pixels the hatching of cells of this size repeats: every cell that is large enough to be distinguished has at
 * least one stroke. Smaller cells are hatched closely on paper; on a screen, where one can zoom in, sparsely, because close
 * hatching would look like a colour of the scale.
 * @param {number} wide
 * @param {number} high
 * @param {boolean} [onScreen]
 */
export const spacing = (wide, high, onScreen = false) =>
  onScreen && Math.min(wide, high) < CLOSEST
    ? WIDEST
    : Math.max(CLOSEST, Math.min(WIDEST, wide, high));

/**
 * The strokes within the hatched cells, in pixels of the plot.
 * @param {string} angle
 * @param {number} side of a tile, in pixels
 * @param {{width: number, height: number}} plot
 * @param {{rows: number, cols: number}} cells
 * @param {(row: number, col: number) => boolean} within whether a cell is hatched
 * @returns {Stroke[]}
 */
export function clipped(angle, side, { width, height }, { rows, cols }, within) {
  const [wide, high] = [width / cols, height / rows];
  /** @param {number} t @param {Stroke} stroke */
  const hit = (t, [x1, y1, x2, y2]) => {
    const row = Math.floor((y1 + t * (y2 - y1)) / high);
    const col = Math.floor((x1 + t * (x2 - x1)) / wide);
    return row >= 0 && col >= 0 && row < rows && col < cols && within(row, col);
  };
  /** @type {Stroke[]} */
  const found = [];
  for (const stroke of strokesOver(angle, side, width, height)) {
    const cuts = [0, ...crossings(stroke, wide, high), 1];
    let from = -1; // where the current piece began
    for (let i = 0; i + 1 < cuts.length; i += 1) {
      const inside = hit((cuts[i] + cuts[i + 1]) / 2, stroke);
      if (inside && from < 0) from = cuts[i];
      if (from >= 0 && (!inside || i + 2 === cuts.length)) {
        found.push(part(stroke, from, inside ? cuts[i + 1] : cuts[i]));
        from = -1;
      }
    }
  }
  return found;
}

/**
 * All strokes over a plot. A stroke that continues from tile to tile is a single line.
 * @param {string} angle
 * @param {number} side
 * @param {number} width
 * @param {number} height
 * @returns {Stroke[]}
 */
function strokesOver(angle, side, width, height) {
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)];
  const h = side / 2;
  /** @param {number} n */
  const upTo = (n) => Array.from({ length: n }, (_, index) => index);
  if (angle === "level") return upTo(down).map((i) => [0, h + i * side, width, h + i * side]);
  if (angle === "up" || angle === "down") {
    return upTo(across + down).map((i) => {
      const sum = h + i * side; // x + y along the line
      const [x1, x2] = [Math.max(0, sum - height), Math.min(width, sum)];
      return angle === "up"
        ? [x1, sum - x1, x2, sum - x2]
        : [x1, height - (sum - x1), x2, height - (sum - x2)];
    });
  }
  return upTo(across * down).flatMap((i) => {
    const [x, y] = [(i % across) * side, Math.floor(i / across) * side];
    return strokes(angle, side).map(
      ([x1, y1, x2, y2]) => /** @type {Stroke} */ ([x + x1, y + y1, x + x2, y + y2]),
    );
  });
}

/**
 * Where a stroke crosses from cell to cell, as sorted fractions of its length.
 * @param {Stroke} stroke
 * @param {number} wide
 * @param {number} high
 */
function crossings([x1, y1, x2, y2], wide, high) {
  /** @param {number} a @param {number} b @param {number} size */
  const along = (a, b, size) => {
    const [first, last] = [Math.ceil(Math.min(a, b) / size), Math.floor(Math.max(a, b) / size)];
    if (a === b) return [];
    return Array.from(
      { length: Math.max(0, last - first + 1) },
      (_, i) => ((first + i) * size - a) / (b - a),
    );
  };
  return [...along(x1, x2, wide), ...along(y1, y2, high)]
    .filter((t) => t > 0 && t < 1)
    .sort((a, b) => a - b);
}

/** @param {Stroke} stroke @param {number} from @param {number} to @returns {Stroke} */
const part = ([x1, y1, x2, y2], from, to) => [
  x1 + from * (x2 - x1),
  y1 + from * (y2 - y1),
  x1 + to * (x2 - x1),
  y1 + to * (y2 - y1),
];

/** Strokes as one SVG path. @param {Stroke[]} lines @param {{x: number, y: number}} at @returns {string} "" if there are none */
export const hatchPath = (lines, { x, y }) =>
  lines
    .map(
      ([x1, y1, x2, y2]) => `M${round(x + x1)} ${round(y + y1)}L${round(x + x2)} ${round(y + y2)}`,
    )
    .join("");

/** @param {number} value */
const round = (value) => Math.round(100 * value) / 100;
