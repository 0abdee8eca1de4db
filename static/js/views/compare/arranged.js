// Where A, B and B − A lie in a picture: as large as its width allows, and with a label at every token if there is room. Pure.

import { layoutIn, stepOf, widest } from "../../draw/axes.js";

/** @import { Labels, Place } from "../../draw/axes.js" */
/**
 * @typedef {Place & {bare: boolean, bottom: number | null}} Box of a heatmap with its labels and heading
 * `bare`: it stands beside one with the same queries, which has their labels; `bottom`: where its colour scale begins; null: it has none
 */
/** @typedef {{width: number, top: number, size: number}} Room `size`: font size of the labels */

const MIN_WIDE = 540; // pixels: in a narrower picture, the three are below each other
const GAP = 12;
const MAX_HEIGHT = 420; // pixels of the cells of a heatmap, unless its labels need more
const TALLEST = 640; // pixels, whatever its labels need
const MAX_WIDTH = 460; // pixels of a heatmap below another one in a narrow picture, labels included

/**
 * Beside each other; A beside B, if only then every token has its label; all below each other where there is little room.
 * @param {Labels[]} panels A, B, B − A
 * @param {Room} room
 */
export function arranged(panels, room) {
  const choices = room.width >= MIN_WIDE ? [3, 2] : [1];
  const all = choices.map((columns) => inColumns(panels, columns, room));
  return all.find(({ complete }) => complete) ?? all[0];
}

/** @param {Labels[]} panels @param {number} columns @param {Room} room */
function inColumns(panels, columns, { width, top, size }) {
  /** @type {Box[]} */
  const boxes = [];
  let [y, complete] = [top, true];
  // all in one group; or A and B, their common scale, and the difference below it
  for (const group of columns === 3 ? [[0, 1, 2]] : [[0, 1], [2]]) {
    const first = panels[group[0]];
    const shared = columns > 1 && group.every((place) => alike(panels[place], first));
    const left = shared ? Math.min(widest(first.queries, size), width / (3 * columns + 1)) : 0;
    const gap = shared ? 0 : GAP; // where no labels stand, there is space already
    const each = Math.floor((width - left - (columns - 1) * gap) / columns);
    const wide = width < MIN_WIDE ? Math.min(each, MAX_WIDTH) : each;
    let [x, lowest] = [0, y];
    for (const place of group) {
      const { queries, keys } = panels[place];
      const bare = shared && place !== group[0];
      const labels = { queries: bare ? [] : queries, keys };
      const at = { x, y: columns > 1 ? y : lowest, width: wide + (bare ? 0 : left) };
      const { height, step } = heightOf(at, labels, queries.length, size);
      boxes.push({ ...at, height, bare, bottom: null });
      complete &&= step >= stepOf(size);
      lowest = Math.max(lowest, at.y + height + (columns > 1 ? 0 : GAP));
      x += columns > 1 ? at.width + gap : 0;
    }
    for (const place of group.filter((one) => one !== 1)) boxes[place].bottom = lowest;
    y = lowest + 24 + 2 * size; // the colour scale with its numbers
  }
  return { boxes, complete, height: y };
}

/**
 * The height that makes cells square, if possible, and the room that each label then has along its axis: a layout that is high
 * enough tells how much room the labels take.
 * @param {{x: number, y: number, width: number}} at
 * @param {Labels} labels
 * @param {number} rows
 * @param {number} size
 */
function heightOf(at, labels, rows, size) {
  const box = { ...at, height: 1.5 * at.width };
  const { frame } = layoutIn(box, labels, { heading: true, scale: false, size });
  const columns = Math.max(1, labels.keys.length);
  const shape = Math.max(0.4, Math.min(1.5, rows / columns));
  const most = Math.max(MAX_HEIGHT, Math.min(TALLEST, rows * stepOf(size) + 1));
  const high = Math.min(most, frame.width * shape);
  const step = Math.min(high / Math.max(1, rows), frame.width / columns);
  return { height: frame.top - at.y + high + 6, step };
}

/** Whether two heatmaps have the same queries. @param {Labels} a @param {Labels} b */
const alike = (a, b) =>
  a.queries.length === b.queries.length && a.queries.every((text, at) => text === b.queries[at]);
