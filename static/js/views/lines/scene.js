// Lines: the positions of tokens, lines and bars, as marks of a scene. Pure.

import { shorten, weight } from "../../words/format.js";
import { LABEL, labelled, lensOf } from "./labels.js";
import { LEVELS, sumAt } from "./strengths.js";

/** @import { Drawn, Part, Series } from "./strengths.js" */
/** @import { Colour } from "./heads.js" */
/** @import { Mark } from "../../draw/scene.js" */
/** @import { Paper } from "../../draw/figure.js" */
/** @typedef {{paper: Paper, accent: string, hatch: string, categories: string[]}} Colours */

/**
 * @typedef {object} Side the tokens on one side
 * @property {number[]} places the tokens that are shown
 * @property {string[]} labels of every token
 * @property {boolean[]} faded padding, and tokens outside the chosen segments
 * @property {number | null} boundary where the second segment begins
 * @property {number[]} marked pinned
 * @property {number | null} pointed under the pointer
 * @property {number | null} read the query whose row other parts of the page show
 * @property {Float64Array[] | null} values for each head, the numbers of all tokens, drawn as bars and as text
 * @property {string} caption what the numbers are
 * @property {number} scale the number that fills a bar, unless a larger one occurs
 */

const ROW = 22; // pixels of a token if there is room
const [MIN_HEIGHT, MAX_HEIGHT] = [480, 900]; // pixels of a picture of many tokens, however much room there is
export const TOP = 24; // pixels for the names of the sides
export const BOTTOM = 6; // pixels for the lower half of a label
const NARROW = 480; // pixels: the width of a phone
const CHUNK = 400; // lines per path: a long path is drawn more slowly than several short ones
const LETTER = 7; // pixels: the average width

/**
 * @param {object} options
 * @param {number} options.width
 * @param {number} options.height
 * @param {Part} options.shown
 * @param {{queries: number, keys: number}} options.of how many tokens there are in all
 * @param {number} [options.top] the upper edge of the picture
 * @param {number} [options.x] its left edge
 * @param {number} [options.most] pixels of a token if there is room
 */
export function geometryOf({ width, height, shown, of, top = 0, x = 0, most = ROW }) {
  const narrow = width < NARROW;
  const [number, label] = narrow ? [46, 62] : [58, Math.min(150, Math.max(84, width / 7))];
  const [left, right] = [x + number + label, x + width - number - label];
  /** @param {number[]} places @param {number} n */
  const side = (places, n) => {
    const row = Math.min(most, (height - TOP - BOTTOM) / Math.max(1, places.length));
    const y = new Float64Array(n).fill(Number.NaN);
    places.forEach((place, index) => {
      y[place] = top + TOP + (index + 0.5) * row;
    });
    return { row, y };
  };
  const [queries, keys] = [side(shown.from, of.queries), side(shown.to, of.keys)];
  return { x, width, height, top, number, label, left, right, queries, keys };
}

/** @typedef {ReturnType<typeof geometryOf>} Geometry */

/**
 * The height of the picture: what a few tokens need; for many, the room that the page has, but not so little that labels thin
 * out without need.
 * @param {number} tokens
 * @param {number} room
 */
export function heightFor(tokens, room) {
  const most = Math.max(
    room - TOP - BOTTOM,
    Math.min(Math.max(MIN_HEIGHT, tokens * LABEL), MAX_HEIGHT),
  );
  return TOP + BOTTOM + Math.min(tokens * ROW, most);
}

/**
 * The token at a height.
 * @param {Geometry["queries"]} side
 * @param {number[]} places
 * @param {number} y
 * @param {number} top
 */
export function tokenAt({ row }, places, y, top) {
  const index = Math.floor((y - top - TOP) / row);
  return index < 0 || index >= places.length ? null : places[index];
}

/** @param {Colour} colour @param {Colours} colours */
export const inkOf = (colour, { paper, categories }) =>
  colour === "ink" ? paper.ink : categories[colour];

/**
 * The lines. Those of several heads run beside each other, not on top of each other.
 * @param {Drawn} drawn
 * @param {Series[]} series
 * @param {Geometry} geometry
 * @param {Colours} colours
 * @param {number} line the width of a line
 * @returns {Mark[]}
 */
export function lineMarks({ groups }, series, { left, right, queries, keys }, colours, line) {
  const gap = Math.min(2, (0.6 * Math.min(queries.row, keys.row)) / series.length);
  return groups.flatMap(({ series: place, level, ends }) => {
    const shift = (place - (series.length - 1) / 2) * gap;
    const stroke = inkOf(series[place].colour, colours);
    const paths = [];
    for (let start = 0; start < ends.length; start += 2 * CHUNK) {
      let d = "";
      for (let i = start; i < Math.min(ends.length, start + 2 * CHUNK); i += 2) {
        const [y0, y1] = [queries.y[ends[i]] + shift, keys.y[ends[i + 1]] + shift];
        d += `M${left} ${y0.toFixed(1)}L${right} ${y1.toFixed(1)}`;
      }
      paths.push(/** @type {Mark} */ ({ mark: "path", d, stroke, line, opacity: level / LEVELS }));
    }
    return paths;
  });
}

/**
 * The tokens on one side with their bars and numbers.
 * @param {"queries" | "keys"} which
 * @param {Side} side
 * @param {Series[]} series
 * @param {Geometry} geometry
 * @param {Colours} colours
 * @param {number} [least] height that a label needs; 0: every token is labelled
 * @returns {Mark[]}
 */
export function sideMarks(which, side, series, geometry, colours, least = LABEL) {
  const { left, right, label, number, width, x: start } = geometry;
  const { row, y } = geometry[which];
  const { paper, accent } = colours;
  const out = which === "keys" ? 1 : -1; // away from the lines
  const edge = which === "keys" ? right : left;
  const anchor = which === "keys" ? "start" : "end";
  const size = least === 0 ? Math.min(11, 0.85 * row) : row < LABEL || width < NARROW ? 11 : 12;
  /** @type {Mark[]} */
  const marks = barMarks(side, series, y, row, edge, out, label - 4, colours);
  const named = labelled(side, y, row, least);
  const lens = lensOf(named);
  if (lens) {
    const [x, w] = [out > 0 ? edge + 2 : start, label + number - 2];
    marks.push({
      mark: "rect",
      x,
      y: lens[0],
      width: w,
      height: lens[1] - lens[0],
      fill: paper.panel,
    });
    marks.push({
      mark: "rect",
      x,
      y: lens[0],
      width: w,
      height: lens[1] - lens[0],
      stroke: paper.line,
    });
  }
  const letters = Math.floor((label - 14) / (LETTER * (size / 12)));
  for (const { place, at } of named) {
    const text = shorten(side.labels[place], letters);
    const strong = place === side.pointed || side.marked.includes(place);
    const faint = side.faded[place] && !strong;
    marks.push({
      mark: "text",
      x: edge + out * 10,
      y: at,
      text,
      size,
      anchor,
      fill: faint ? paper.faint : paper.ink,
      weight: strong ? 700 : 400,
      opacity: faint ? 0.75 : 1,
    });
    const value = side.values ? sumAt(side.values, place) : 0;
    if (side.values && (value > 0 || strong)) {
      const x = out > 0 ? start + width - 2 : start + 2;
      const far = out > 0 ? "end" : "start";
      const fill = strong ? paper.ink : paper.faint;
      marks.push({
        mark: "text",
        x,
        y: at,
        text: weight(value),
        size: size,
        fill,
        anchor: far,
      });
    }
  }
  for (const place of side.marked) {
    if (Number.isNaN(y[place])) continue;
    const tall = Math.max(3, Math.min(8, 0.6 * row));
    const x = edge + out * 2 - (out > 0 ? 0 : 6);
    marks.push({ mark: "rect", x, y: y[place] - tall / 2, width: 6, height: tall, fill: accent });
  }
  if (side.read !== null && !Number.isNaN(y[side.read])) {
    const tall = Math.max(6, Math.min(16, 0.8 * row));
    const x = edge - (out > 0 ? 0 : 1.5);
    marks.push({
      mark: "rect",
      x,
      y: y[side.read] - tall / 2,
      width: 1.5,
      height: tall,
      fill: accent,
    });
  }
  if (side.boundary !== null && !Number.isNaN(y[side.boundary])) {
    const at = y[side.boundary] - row / 2;
    const [x0, x1] = out > 0 ? [edge, edge + label] : [edge - label, edge];
    marks.push({ mark: "path", d: `M${x0} ${at}L${x1} ${at}`, stroke: paper.ink, line: 1 });
  }
  return marks;
}

/**
 * The bars, those of several heads end to end. The scale shrinks if a sum is larger than what fills a bar.
 * @param {Side} side
 * @param {Series[]} series
 * @param {Float64Array} y
 * @param {number} row
 * @param {number} edge
 * @param {number} out
 * @param {number} room
 * @param {Colours} colours
 * @returns {Mark[]}
 */
function barMarks({ places, values, scale }, series, y, row, edge, out, room, colours) {
  if (!values) return [];
  const sums = places.map((place) => sumAt(values, place));
  const most = Math.max(scale, ...sums) || 1;
  const tall = Math.max(0.8, Math.min(16, 0.74 * row));
  const begin = new Float64Array(y.length);
  return series.flatMap(({ colour }, index) => {
    let d = "";
    for (const token of places) {
      const long = (values[index][token] / most) * room;
      if (long < 0.25) continue;
      const [x, top] = [edge + out * (2 + begin[token]), y[token] - tall / 2];
      begin[token] += long;
      d += `M${x.toFixed(1)} ${top.toFixed(1)}h${(out * long).toFixed(1)}v${tall.toFixed(1)}h${(-out * long).toFixed(1)}z`;
    }
    const fill = inkOf(colour, colours);
    return d ? [/** @type {Mark} */ ({ mark: "path", d, fill, opacity: 0.26 })] : [];
  });
}

/**
 * The names of the two sides, and of their numbers.
 * @param {{queries: Side, keys: Side}} sides
 * @param {{queries: string, keys: string}} names
 * @param {Geometry} geometry
 * @param {Paper} paper
 * @returns {Mark[]}
 */
export function nameMarks({ queries, keys }, names, { left, right, width, top, x }, paper) {
  const common = {
    mark: /** @type {const} */ ("text"),
    y: top + 10,
    size: 12,
    fill: paper.faint,
  };
  /** @type {Mark[]} */
  const marks = [
    { ...common, x: left, text: names.queries, anchor: "start", weight: 600 },
    { ...common, x: right, text: names.keys, anchor: "end", weight: 600 },
  ];
  if (keys.values) marks.push({ ...common, x: x + width - 2, text: keys.caption, anchor: "end" });
  if (queries.values) marks.push({ ...common, x: x + 2, text: queries.caption, anchor: "start" });
  return marks;
}
