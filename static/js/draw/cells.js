// Pixels as real shapes: one path for each colour, made of rectangles in which neighbours of equal colour are merged. Pure.

/** @typedef {import("./scene.js").Pixels} Pixels RGBA, row by row */
/** @typedef {{x: number, y: number, width: number, height: number}} Box in cells */

/**
 * The cells of each colour, as rectangles that do not overlap. What is fully transparent has none.
 * @param {Pixels} pixels
 * @returns {Map<string, Box[]>} by colour, as #rrggbb
 */
export function boxesOf({ width, height, data }) {
  const colours = new Uint32Array(data.slice().buffer);
  /** @type {Map<number, Box[]>} */
  const found = new Map();
  /** The box that begins in each column of the row above, with its colour. @type {({colour: number, box: Box} | undefined)[]} */
  let above = [];
  for (let y = 0; y < height; y += 1) {
    /** @type {typeof above} */
    const here = [];
    for (let x = 0, stop = 0; x < width; x = stop) {
      const colour = colours[y * width + x];
      stop = x + 1;
      while (stop < width && colours[y * width + stop] === colour) stop += 1;
      if (data[4 * (y * width + x) + 3] === 0) continue;
      const over = above[x];
      if (over?.colour === colour && over.box.width === stop - x) {
        over.box.height += 1;
        here[x] = over;
        continue;
      }
      const box = { x, y, width: stop - x, height: 1 };
      here[x] = { colour, box };
      const boxes = found.get(colour);
      if (boxes) boxes.push(box);
      else found.set(colour, [box]);
    }
    above = here;
  }
  return new Map(
    [...found.values()].map((boxes) => {
      const at = 4 * (boxes[0].y * width + boxes[0].x);
      return [hex(data.subarray(at, at + 3)), boxes];
    }),
  );
}

/** @param {Uint8ClampedArray} rgb */
const hex = (rgb) => `#${Array.from(rgb, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** @param {Box[]} boxes @returns {string} a path of SVG, in cells */
export const pathOf = (boxes) =>
  boxes.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h-${width}z`).join("");
