// Where the curves and their labels stand in their picture. Pure.

/** @typedef {{name: string, label: string, values: number[]}} Line */
/** @typedef {{x: number, y: number}} Point */

export const SIZE = { width: 440, height: 190, left: 44, right: 150, top: 10, bottom: 28 };
const BETWEEN = 14; // from one label to the next

/**
 * The points of each line, and the height of its name beside the picture, moved so that no two overlap.
 * @param {Line[]} lines of equal lengths
 */
export function placed(lines) {
  const every = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...every), Math.max(...every)];
  const range = high - low || 1;
  const last = Math.max(1, (lines[0]?.values.length ?? 1) - 1);
  const [width, height] = [
    SIZE.width - SIZE.left - SIZE.right,
    SIZE.height - SIZE.top - SIZE.bottom,
  ];
  const y = (/** @type {number} */ value) => SIZE.top + height * (1 - (value - low) / range);
  const x = (/** @type {number} */ step) => SIZE.left + (width * step) / last;
  // all lines begin and end together, so their names point at the middle
  const middles = lines.map(({ values }) => y(values[middleOf(values)]));
  const labels = spreadOut(middles, SIZE.top + 4, SIZE.height - SIZE.bottom);
  return {
    low,
    high,
    steps: last,
    zero: low < 0 && high > 0 ? y(0) : null,
    lines: lines.map((line, index) => ({
      ...line,
      points: line.values.map((value, step) => ({ x: x(step), y: y(value) })),
      at: labels[index],
    })),
  };
}

/** The step at which a line has its name. @param {unknown[]} values */
export const middleOf = (values) => Math.floor(values.length / 2);

/**
 * The places nearest to the wished ones that are far enough apart.
 * @param {number[]} wished
 * @param {number} least
 * @param {number} most
 */
export function spreadOut(wished, least, most) {
  const order = wished.map((_, index) => index).sort((a, b) => wished[a] - wished[b]);
  const found = [...wished];
  let from = least;
  for (const place of order) {
    found[place] = Math.max(wished[place], from);
    from = found[place] + BETWEEN;
  }
  let until = most;
  for (const place of order.toReversed()) {
    found[place] = Math.min(found[place], until);
    until = found[place] - BETWEEN;
  }
  return found;
}
