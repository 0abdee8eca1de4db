// The axes of a heatmap, the same for its three painters (plotly, canvas, the marks of a saved picture): which labels are shown,
// how they are cut, and where they and the cells lie. Pure.

import { shorten } from "../words/format.js";
import { fitted, widthOf } from "./textwidth.js";
import { wholeOf } from "./viewport.js";

/** @import { Frame, Part } from "./viewport.js" */
/** @typedef {{queries: string[], keys: string[]}} Labels of all tokens, whatever part is shown */
/** @typedef {{x: number, y: number, width: number, height: number}} Place */
/**
 * @typedef {object} Layout
 * @property {Frame} frame where the cells are
 * @property {{queries: number, keys: number}} room for a label, in pixels
 * @property {boolean} flat whether the labels along the top fit side by side, without being turned
 * @property {number} size font size of the labels, in pixels
 * @property {[query: number, key: number]} [focus] a cell whose tokens have labels, even if not every token has one
 * @property {{x: number, y: number}} titles the middle line of each axis title: x of the queries', y of the keys'
 */

export const LABEL_SIZE = 11; // usual font size of labels and titles, in pixels; what follows is for this size
/** Sizes at which a reader sees them: on a workbench, in a first look, from the back of a room, in another page. @type {Record<import("../types.d.ts").State["depth"], number>} */
export const SIZES = { full: 12, start: 14, present: 24, embed: 12 };
export const TURN = -60; // degrees by which labels along the top are turned
export const HEADING = 21; // pixels for a heading above the picture
export const SCALE_ROOM = 62; // pixels for a colour scale with its numbers, to the right of the cells
const LABEL = 12; // characters
const LABEL_STEP = 13; // pixels that a label needs along its axis
const TITLE_ROOM = 18; // pixels for the title of an axis
const GAP = { queries: 5, keys: 6 }; // pixels between a label and the cells
const NARROW = 420; // pixels: a narrower picture has smaller labels, and in a text no colour scale
const MAX_RATIO = 1.6; // of the sides of a cell, in a picture that fills its box
const FLAT_GAP = 6; // pixels between two labels side by side
const SLOPE = { right: Math.cos(Math.PI / 3), down: Math.sin(Math.PI / 3) }; // of a turned label

/** A length for labels of another size. @param {number} pixels @param {number} size */
const scaled = (pixels, size) => (pixels * size) / LABEL_SIZE;

/** What a label needs along its axis, in pixels. @param {number} size */
export const stepOf = (size) => scaled(LABEL_STEP, size);

/** A label as an axis shows it. @param {string} text @param {number} [room] in pixels @param {number} [size] */
export const cutLabel = (text, room = Number.POSITIVE_INFINITY, size = LABEL_SIZE) =>
  fitted(shorten(text, LABEL), size, room);

/**
 * The labels that an axis shows: every one, or every second, third, … if they would overlap.
 * @param {string[]} labels
 * @param {number} pixels length of the axis
 * @param {[start: number, stop: number]} [part] the tokens on it; all by default
 * @param {number} [room] for a label, in pixels
 * @param {number} [size] font size
 * @param {number} [focus] a token that is labelled in any case
 */
export function ticks(
  labels,
  pixels,
  [start, stop] = [0, labels.length],
  room = undefined,
  size = LABEL_SIZE,
  focus = start,
) {
  const step = Math.max(1, Math.ceil(((stop - start) * stepOf(size)) / Math.max(pixels, 1)));
  const shown = [];
  const first = focus < start ? start : start + ((focus - start) % step);
  for (let place = first; place < stop; place += step) {
    shown.push({ place, text: cutLabel(labels[place], room, size) });
  }
  return shown;
}

/**
 * The label of a token on an axis and its position: of a query the right end of its label, of a key the left end, or the middle
 * where labels are flat. It may be outside the visible part.
 * @param {Layout} layout
 * @param {Labels} labels
 * @param {keyof Labels} axis
 * @param {number} place
 */
export function labelAt({ frame, room, flat, size }, labels, axis, place) {
  const { left, top, width, height, part } = frame;
  const [q0, q1, k0, k1] = part;
  const text = cutLabel(labels[axis][place], room[axis], size);
  return axis === "queries"
    ? { place, text, x: left - GAP.queries, y: top + ((place - q0 + 0.5) / (q1 - q0)) * height }
    : {
        place,
        text,
        x: left + ((place - k0 + 0.5) / (k1 - k0)) * width,
        y: top - (flat ? size / 2 + 3 : GAP.keys),
      };
}

/**
 * The labels of both axes with their positions.
 * @param {Layout} layout
 * @param {Labels} labels
 */
export function axisLabels(layout, labels) {
  const { frame, room, size, focus } = layout;
  const { width, height, part } = frame;
  const [q0, q1, k0, k1] = part;
  /** @param {keyof Labels} axis @param {number} pixels @param {[number, number]} shown */
  const along = (axis, pixels, shown) =>
    ticks(labels[axis], pixels, shown, room[axis], size, focus?.[axis === "queries" ? 0 : 1]).map(
      ({ place }) => labelAt(layout, labels, axis, place),
    );
  return { queries: along("queries", height, [q0, q1]), keys: along("keys", width, [k0, k1]) };
}

/** The width of the widest label. @param {string[]} labels @param {number} [size] */
export const widest = (labels, size = LABEL_SIZE) =>
  labels.reduce((max, text) => Math.max(max, widthOf(cutLabel(text), size)), 0);

/**
 * How wide the cells may be so that no turned label along the top leaves the box.
 * @param {string[]} labels
 * @param {number} right from the left end of the cells to the right end of the box
 * @param {number} room for a label
 * @param {number} size
 */
const underTurned = (labels, right, room, size) =>
  labels.reduce((least, text, index) => {
    const lean = Math.min(room, widthOf(cutLabel(text), size)) * SLOPE.right + 2;
    return Math.min(least, ((right - lean) * labels.length) / (index + 0.5));
  }, Number.POSITIVE_INFINITY);

/** Whether labels stand side by side above cells of a width. @param {string[]} labels @param {number} cell @param {number} size */
function fitFlat(labels, cell, size) {
  const widths = labels.map((text) => widthOf(cutLabel(text), size));
  return widths.every((width, at) => (width + (widths[at + 1] ?? width)) / 2 + FLAT_GAP <= cell);
}

/** @param {Labels} labels @param {Part} part */
const inPart = ({ queries, keys }, [q0, q1, k0, k1]) => ({
  queries: queries.slice(q0, q1),
  keys: keys.slice(k0, k1),
});

/** @param {Labels} labels */
const all = ({ queries, keys }) => wholeOf(queries.length, keys.length);

/**
 * A heatmap in a box, with margins as wide as its labels need; labels shrink before cells do.
 * @param {Place} box
 * @param {Labels} labels
 * @param {object} options
 * @param {boolean} [options.heading] whether there is a heading above
 * @param {boolean} [options.scale] whether there is a colour scale beside it
 * @param {number} [options.cell] the side of a square cell, if there is room
 * @param {number} [options.most] the width of the cells, if there is room
 * @param {Part} [options.part] the visible part
 * @param {number} [options.size] font size of the labels
 * @returns {Layout}
 */
export function layoutIn({ x, y, width, height }, labels, options = {}) {
  const { heading = false, scale = true, cell = 0, part = all(labels) } = options;
  const { size = LABEL_SIZE, most = Number.POSITIVE_INFINITY } = options;
  const title = scaled(TITLE_ROOM, size);
  const { queries, keys } = inPart(labels, part);
  const beside = scale ? SCALE_ROOM : 6;
  const left = Math.min(widest(queries, size), width / 4);
  const across = title + left + 6;
  const wide = Math.max(8, Math.min(most, width - across - beside));
  const flatWidth = cell ? Math.min(wide, cell * keys.length) : wide;
  const flat = fitFlat(keys, flatWidth / keys.length, size);
  const top = flat ? size : Math.min(widest(keys, size) * SLOPE.down, height / 3);
  const turned = flat ? wide : underTurned(keys, width - across, top / SLOPE.down, size);
  const above = heading ? Math.max(HEADING, 1.5 * size) : 0;
  const down = above + title + top + 10;
  const free = {
    width: Math.max(8, Math.min(wide, turned)),
    height: Math.max(8, height - down - 6),
  };
  return {
    frame: {
      left: x + across,
      top: y + down,
      part,
      width: cell ? Math.min(free.width, cell * keys.length) : free.width,
      height: cell ? Math.min(free.height, cell * queries.length) : free.height,
    },
    room: { queries: left, keys: flat ? width : top / SLOPE.down },
    flat,
    size,
    titles: { x: x + title / 2 - 1, y: y + above + title / 2 },
  };
}

/**
 * All of a heatmap, as large as a box allows, with cells that are near to square. A zoom moves no axis: what it shows takes the same room.
 * @param {{width: number, height: number}} box
 * @param {Labels} labels
 * @param {Part} part the visible part
 * @param {number} size font size of the labels
 * @returns {Layout}
 */
export function filling({ width, height }, labels, part, size) {
  const least = width < NARROW ? Math.min(size, SIZES.full) : size;
  const cells = labels.keys.length / labels.queries.length;
  /** @param {number} most width of the cells */
  const within = (most) =>
    layoutIn({ x: 0, y: 0, width, height }, labels, { scale: false, size: least, most });
  const free = within(width);
  const layout = within(MAX_RATIO * cells * free.frame.height); // where labels have to turn, now
  const { left, top, width: wide, height: high } = layout.frame;
  return {
    ...layout,
    frame: {
      part,
      left: Math.ceil(left), // whole pixels, in which plotly and the canvas agree
      top: Math.ceil(top),
      width: Math.floor(Math.min(wide, MAX_RATIO * cells * high)),
      height: Math.floor(Math.min(high, (MAX_RATIO / cells) * wide)),
    },
  };
}

/**
 * The size of a box in which cells have this side.
 * @param {Labels} labels
 * @param {number} cell
 * @param {Part} [part]
 */
export function sizeFor(labels, cell, part = all(labels)) {
  const { queries, keys } = inPart(labels, part);
  const [left, top] = [widest(queries), widest(keys)];
  const wide = TITLE_ROOM + left + 6 + cell * keys.length + Math.max(SCALE_ROOM, top);
  const high = TITLE_ROOM + top + 16 + cell * queries.length;
  return { width: Math.max(4 * left, wide), height: Math.max(3 * top, high) };
}

const [MIN_CELL, MAX_CELL] = [5, 48]; // pixels per cell in a text
const MIN_SCALE = 60; // height of a colour scale with its numbers, in pixels

/** The width at which the cells of a picture in a text have their maximum size. @param {Labels} labels */
export const widthInText = (labels) => Math.ceil(sizeFor(labels, MAX_CELL).width);

/**
 * A heatmap in a text: square cells, as high as they need.
 * @param {number} width of all, in pixels
 * @param {Labels} labels
 * @returns {{layout: Layout, scale: boolean, height: number}} `scale`: whether there is room for a colour scale
 */
export function layoutInText(width, labels) {
  const scale = width >= NARROW;
  const free = width - sizeFor(labels, 0).width + (scale ? 0 : SCALE_ROOM - 6);
  const cell = Math.max(MIN_CELL, Math.min(MAX_CELL, free / Math.max(1, labels.keys.length)));
  const box = { x: 0, y: 0, width, height: 2 * sizeFor(labels, cell).height }; // more than enough
  const first = layoutIn(box, labels, { scale, cell });
  const fits = first.frame.width / Math.max(1, labels.keys.length);
  const layout = fits < cell ? layoutIn(box, labels, { scale, cell: fits }) : first; // turned labels need space, too
  const { top, height } = layout.frame;
  return { layout, scale, height: Math.ceil(top + Math.max(height, MIN_SCALE) + 8) };
}
