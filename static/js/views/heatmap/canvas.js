// The canvas painter of a head, for every size: before plotly has loaded, for texts too long for it, and wherever there is no plotly.

import { drawMarks } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { filling, layoutIn, layoutInText } from "../../draw/axes.js";
import { cellNumbers } from "../../draw/cellnumbers.js";
import { axisMarks, outlineMarks, plotOf } from "../../draw/heatmap.js";
import { bandMarks, bandsOf, lineMarks, veilMarks } from "../../draw/overlays.js";
import { scaleMarks } from "../../draw/scalebar.js";
import { partOf } from "../../draw/viewport.js";
import { cut } from "../../numbers/matrix.js";
import { minimap } from "./minimap.js";
import { sizeOf } from "./picture.js";
import { pointing } from "./pointing.js";
import { paintCells, sheet } from "./raster.js";
import { zooming } from "./zooming.js";

/** @typedef {import("../../draw/axes.js").Layout} Layout */
/** @typedef {import("../../draw/overlays.js").Pointed} Pointed */
/** @typedef {import("../../draw/viewport.js").Frame} Frame */
/** @typedef {import("../../draw/viewport.js").Part} Part */
/** @typedef {import("./picture.js").Picture} Picture */

/**
 * @param {HTMLElement} plot
 * @param {object} on
 * @param {boolean} on.inText whether the picture stands in a text: it is as high as its cells need, holds its own numbers and
 *   scale, and leaves the wheel and drags to the text
 * @param {(cell: [number, number] | null) => void} on.onCell called with the cell under the pointer
 * @param {(cell: [number, number]) => void} on.onChoose called with the cell that was clicked
 * @param {(zoom: Part | null) => void} on.onZoom
 */
export function canvasPainter(plot, { inText, onCell, onChoose, onZoom }) {
  const base = make("canvas", { class: "whole" });
  const top = make("canvas", { class: "whole over" });
  /** @type {Picture | null} */
  let picture = null;
  /** @type {Layout | null} */
  let layout = null;
  /** @type {Pointed} */
  let pointed = { row: null };
  /** @type {Part | null} */
  let zoom = null;
  /** What the painted cells depend on. @type {unknown[]} */
  let painted = [];
  /** The rectangle that is dragged, in window coordinates. @type {import("../../numbers/segments.js").Box | null} */
  let rubber = null;

  /** @returns {Frame | null} in the window */
  const frame = () => {
    if (!layout || !base.isConnected) return null;
    const { left, top } = plot.getBoundingClientRect();
    return { ...layout.frame, left: left + layout.frame.left, top: top + layout.frame.top };
  };
  const size = () => (picture ? sizeOf(picture) : { rows: 1, cols: 1 });
  const map = minimap({ frame, size, onZoom });

  /** The layout for the room that there is; of a picture in a text also its scale and numbers. @param {Picture} picture */
  const lay = (picture) => {
    const { rows, cols } = sizeOf(picture);
    if (!inText) {
      const { clientWidth: width, clientHeight: height } = plot;
      const part = partOf(zoom, rows, cols);
      if (!picture.numbered) return { layout: filling({ width, height }, part), extras: [] };
      const box = { x: 0, y: 0, width, height };
      const layout = layoutIn(box, picture.labels, { scale: false, part, size: picture.size });
      return {
        layout,
        extras: [...outlineMarks(layout, picture.paper), ...numbersIn(picture, layout)],
      };
    }
    const { layout, scale, height } = layoutInText(plot.clientWidth, picture.labels);
    plot.style.height = `${height}px`;
    const cells = plotOf(layout);
    const numbers = cellNumbers(picture.matrix, picture.blocked, cells, picture);
    const beside = scale ? scaleMarks({ ...picture, plot: cells }) : [];
    return { layout, extras: [...outlineMarks(layout, picture.paper), ...numbers, ...beside] };
  };

  const draw = () => {
    if (!picture) return;
    const { layout: next, extras } = lay(picture);
    layout = next;
    const drawing = sheet(base, plot);
    if (!drawing) return;
    const { labels, titles, paper, overlay, veil } = picture;
    paintCells(drawing, picture, layout.frame);
    const marks = [
      ...veilMarks(layout.frame, overlay.veils, { fill: veil }),
      ...lineMarks(layout.frame, overlay.lines, paper),
      ...axisMarks(layout, labels, titles, paper),
      ...extras,
    ];
    drawMarks(drawing, marks, paper.font);
    const { x, y, width, height } = plotOf(layout);
    plot.dataset.plot = [x, y, width, height].join(" "); // for a test or a script that points at a cell
    drawTop();
    map.draw(picture, zoom);
  };

  const drawTop = () => {
    const drawing = sheet(top, plot);
    if (!picture || !layout || !drawing) return;
    const { accent: stroke, paper } = picture;
    const marks = bandMarks(layout.frame, bandsOf(pointed, size()), stroke);
    if (rubber) {
      const { left, top } = plot.getBoundingClientRect();
      const { x0, x1, y0, y1 } = rubber;
      const place = { x: x0 - left, y: y0 - top, width: x1 - x0, height: y1 - y0 };
      marks.push({ mark: "rect", ...place, stroke, line: 1 });
    }
    drawMarks(drawing, marks, paper.font);
  };

  if (inText) pointing(top, { frame, onCell, onChoose });
  else {
    zooming(top, {
      ...{ frame, size, zoomTo: map.zoomTo, onCell, onChoose },
      onRubber: (box) => {
        rubber = box;
        drawTop();
      },
    });
  }

  return {
    /** @param {Picture} next @param {Part | null} zoomed the visible part @param {Pointed} marked */
    draw: (next, zoomed, marked) => {
      const { clientWidth, clientHeight } = plot;
      const room = inText ? [clientWidth] : [clientWidth, clientHeight]; // in a text the height follows
      const looks = looksOf(next, zoomed, [...room, devicePixelRatio]);
      const same = base.isConnected && looks.every((part, place) => part === painted[place]);
      [picture, zoom, pointed, painted] = [next, zoomed, marked, looks];
      if (!base.isConnected) plot.replaceChildren(base, top, map.canvas);
      if (same) drawTop();
      else draw();
    },
    /** @param {Pointed} marked */
    mark: (marked) => {
      pointed = marked;
      if (base.isConnected) drawTop();
    },
    /** The position of the cells in the window; null once plotly has replaced them. */
    frame,
    /** Make room for plotly. */
    clear: () => {
      picture = layout = null;
      for (const layer of [base, top, map.canvas]) layer.remove();
    },
  };
}

/** The numbers of the visible cells; none of a pooled picture, whose cells are several tokens. @param {Picture} picture @param {Layout} layout */
function numbersIn(picture, layout) {
  const { matrix, blocked } = picture;
  const { rows, cols } = sizeOf(picture);
  if (matrix.rows !== rows || matrix.cols !== cols) return [];
  const { part } = layout.frame;
  return cellNumbers(cut(matrix, part), cut(blocked, part), plotOf(layout), picture);
}

/**
 * Everything that cells and labels depend on, so that nothing is painted twice.
 * @param {Picture} picture
 * @param {Part | null} zoom
 * @param {number[]} room
 */
function looksOf(picture, zoom, room) {
  const { matrix, blocked, labels, titles, table, range, overlay, paper, size } = picture;
  const texts = JSON.stringify([labels, titles, range, overlay, zoom, size]);
  const cells = [matrix.data, blocked.data].flatMap(({ buffer, byteOffset }) => [
    buffer,
    byteOffset,
  ]);
  return [...cells, table, paper, texts, ...room];
}
