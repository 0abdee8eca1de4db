// What lies over the cells and changes with the pointer, whatever painted them: the numbers in the cells, the row that is read, and
// the cell under the pointer with its row, column, tokens and value. Nothing here paints the cells again.

import { drawMarks } from "../../../dom/canvas.js";
import { make, write } from "../../../dom/dom.js";
import { labelAt, SIZES } from "../../../draw/axes.js";
import { cellNumbers } from "../../../draw/cellnumbers.js";
import { plotOf } from "../../../draw/heatmap.js";
import { BANDS, bandsOf } from "../../../draw/overlays.js";
import { boxIn, placeOf } from "../../../draw/viewport.js";
import { sizeOf } from "../picture.js";
import { sheet } from "../raster.js";
import { besideCell } from "./places.js";

/** @import { Layout, Place } from "../../../draw/axes.js" */
/** @import { Pointed } from "../../../draw/overlays.js" */
/** @import { Part } from "../../../draw/viewport.js" */
/** @import { Picture } from "../picture.js" */
/** @typedef {Pointed & {value: import("../../../words/parts.js").Part[]}} Marked `value` of the cell */
/** @typedef {{layout: Layout, picture: Picture, numbersOf: (part: Part) => import("./numbers.js").Numbers}} Below `numbersOf` the visible cells */

const [SMALLER, GROWTH] = [0.75, 1.5]; // numbers follow their cells between these multiples of a label

/** @param {HTMLElement} plot @param {{inText: boolean}} where a text speaks of weights, and cells show them; the page has per cents */
export function over(plot, { inText }) {
  const numbers = make("canvas", { class: "whole numbers" });
  const bands = Object.fromEntries(
    BANDS.map((name) => [name, make("div", { class: `band band-${name}` })]),
  );
  const labels = {
    queries: make("span", { class: "lit-token lit-query" }),
    keys: make("span", { class: "lit-token lit-key" }),
  };
  const value = make("p", { class: "cell-value" });
  const cells = make("div", { class: "cells-box" }); // for a test or a script that points at a cell
  cells.dataset.plot = "";
  const root = make("div", { class: "whole over-cells" }, [
    cells,
    numbers,
    ...Object.values(bands),
    ...Object.values(labels),
    value,
  ]);
  root.setAttribute("aria-hidden", "true"); // the line of words above the picture says the same

  /** What is painted below. @type {Below | null} */
  let below = null;
  /** @type {Marked} */
  let marked = { row: null, value: [] };
  let frame = 0; // the requested frame; 0: none

  const drawNumbers = () => {
    const drawing = sheet(numbers, plot);
    if (!drawing || !below) return;
    const { layout, picture, numbersOf } = below;
    const { part, width, height } = layout.frame;
    const least = Math.max(SIZES.full, SMALLER * layout.size);
    const [q0, q1, k0, k1] = part;
    if (height < least * (q1 - q0) || width < least * (k1 - k0)) return; // no number fits
    const { matrix, blocked } = numbersOf(part);
    const sizes = { least, most: Math.floor(GROWTH * layout.size) };
    const look = { ...picture, percent: picture.isShare && !inText };
    const marks = cellNumbers(matrix, blocked, plotOf(layout), look, sizes);
    drawMarks(drawing, marks, picture.paper.font);
  };

  /** Show only what changed: a pointer moves often. */
  const place = () => {
    frame = 0;
    if (!below) return;
    const { layout, picture } = below;
    const shown = new Map(bandsOf(marked, sizeOf(picture)).map(({ name, box }) => [name, box]));
    for (const name of BANDS) {
      const box = shown.get(name);
      put(bands[name], box ? placeOf(layout.frame, box) : null);
    }
    const { query = null, key = null } = marked;
    const [q0, q1, k0, k1] = layout.frame.part;
    /** @param {"queries" | "keys"} axis @param {number | null} at @param {number} start @param {number} stop */
    const light = (axis, at, start, stop) => {
      const visible = at !== null && at >= start && at < stop;
      putLabel(labels[axis], visible ? labelAt(layout, picture.labels, axis, at) : null);
    };
    root.style.setProperty("--size", `${layout.size}px`);
    light("queries", query, q0, q1);
    light("keys", key, k0, k1);
    labels.keys.classList.toggle("flat", layout.flat);
    const cell = marked.cell && boxIn(layout.frame, ...marked.cell);
    value.hidden = !cell;
    if (!cell) return;
    write(value, marked.value);
    const { offsetWidth: width, offsetHeight: height } = value;
    const { clientWidth, clientHeight } = plot;
    const room = { width: clientWidth, height: clientHeight };
    const { x, y } = besideCell(cell, { width, height }, layout, room);
    move(value, x, y);
  };

  return {
    /** The picture below was painted, or zoomed. @param {Below} painted @param {Marked} next */
    draw: (painted, next) => {
      below = painted;
      marked = next;
      put(cells, plotOf(painted.layout));
      if (!root.isConnected) plot.append(root);
      drawNumbers();
      place();
    },
    /** @param {Marked} next */
    mark: (next) => {
      marked = next;
      if (frame === 0) frame = requestAnimationFrame(place);
    },
  };
}

/** @param {HTMLElement} element @param {Place | null} box */
function put(element, box) {
  element.hidden = !box;
  if (!box) return;
  const { x, y, width, height } = box;
  Object.assign(element.style, {
    left: `${x}px`,
    top: `${y}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
}

/** @param {HTMLElement} element @param {{x: number, y: number, text: string} | null} label */
function putLabel(element, label) {
  element.hidden = !label;
  if (!label) return;
  element.textContent = label.text;
  move(element, label.x, label.y);
}

/** @param {HTMLElement} element @param {number} x @param {number} y */
const move = ({ style }, x, y) => Object.assign(style, { left: `${x}px`, top: `${y}px` });
