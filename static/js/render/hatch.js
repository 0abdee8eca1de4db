// Why a cell is blocked, as a direction of hatching and in words. Never a colour of the scale.

/** Bits of `blocked_by`. Where several hold, the first of this list is drawn; the words name them all. */
export const REASONS = [
  { bit: 8, name: "painted", words: "painted by you", angle: "cross" },
  { bit: 2, name: "padding", words: "padding", angle: "down" },
  { bit: 16, name: "model", words: "the model's own mask", angle: "dots" },
  { bit: 1, name: "causal", words: "causal mask: the future", angle: "up" },
  { bit: 4, name: "window", words: "outside the window", angle: "level" },
];

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
  const seen = new Set();
  for (const bits of blocked) if (bits) seen.add(reasonOf(bits));
  return REASONS.filter((reason) => seen.has(reason));
}

/** @typedef {[number, number, number, number]} Stroke */

/**
 * The strokes that hatch one square cell, as [x1, y1, x2, y2] within a square of that side.
 * @param {string} angle
 * @param {number} side in pixels
 * @param {number} lines how many strokes cross a side: more in larger cells, so that the density stays
 * @returns {Stroke[]}
 */
export function strokes(angle, side, lines = 1) {
  const gap = side / lines;
  const steps = Array.from({ length: lines }, (_, line) => (line + 0.5) * gap);
  /** @param {(at: number) => Stroke[]} draw */
  const each = (draw) => steps.flatMap(draw);
  switch (angle) {
    case "up": // ╱: both halves of the square, corner to corner across neighbouring cells
      return each((at) => [
        [0, at, at, 0],
        [at, side, side, at],
      ]);
    case "down": // ╲
      return each((at) => [
        [side - at, 0, side, at],
        [0, side - at, at, side],
      ]);
    case "level":
      return each((at) => [[0, at, side, at]]);
    case "cross":
      return [
        [side / 4, side / 4, (3 * side) / 4, (3 * side) / 4],
        [side / 4, (3 * side) / 4, (3 * side) / 4, side / 4],
      ];
    default: // dots
      return each((y) => steps.map((x) => [x - side / 24, y, x + side / 24, y]));
  }
}
