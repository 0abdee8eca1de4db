// The canvas painter of a head: its axes always, its cells before plotly has loaded, for texts too long for it, and wherever there is no
// plotly.

import { drawMarks } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { filling, layoutInText, stepOf } from "../../draw/axes.js";
import { axisMarks, outlineMarks, plotOf } from "../../draw/heatmap.js";
import { scaleMarks } from "../../draw/legends/scalebar.js";
import { lineMarks, veilMarks } from "../../draw/overlays.js";
import { partOf } from "../../draw/viewport.js";
import { minimap } from "./minimap.js";
import { sizeOf } from "./picture.js";
import { pointing } from "./pointing.js";
import { paintCells, sheet } from "./raster.js";
import { zooming } from "./zooming.js";

/** @import { Layout } from "../../draw/axes.js" */
/** @import { Frame, Part } from "../../draw/viewport.js" */
/** @import { Picture } from "./picture.js" */

/**
 * @param {HTMLElement} plot
 * @param {object} on
 * @param {boolean} on.inText whether the picture stands in a text: it is as high as its cells need, holds its own
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
  /** @type {Part | null} */
  let zoom = null;
  /** What the painted cells depend on. @type {unknown[]} */
  let painted = [];
  /** The rectangle that is dragged, in window coordinates. @type {import("../../numbers/segments.js").Box | null} */
  let rubber = null;

  /** @returns {Frame | null} in the window */
  const frame = () => {
    if (!layout) return null;
    const { left, top } = plot.getBoundingClientRect();
    return { ...layout.frame, left: left + layout.frame.left, top: top + layout.frame.top };
  };
  const size = () => (picture ? sizeOf(picture) : { rows: 1, cols: 1 });
  const map = minimap({ frame, size, onZoom });

  /** The layout for the room that there is; of a picture in a text also its scale. @param {Picture} picture */
  const lay = (picture) => {
    const { rows, cols } = sizeOf(picture);
    if (!inText) {
      const { clientWidth: width, clientHeight: height } = plot;
      const { labels, size, focus, paper } = picture;
      const room = { width, height };
      const layout = { ...filling(room, labels, partOf(zoom, rows, cols), size), focus };
      return { layout, extras: outlineMarks(layout, paper) };
    }
    const { layout, scale, height } = layoutInText(plot.clientWidth, picture.labels);
    plot.style.height = `${height}px`;
    const beside = scale ? scaleMarks({ ...picture, plot: plotOf(layout) }) : [];
    return { layout, extras: [...outlineMarks(layout, picture.paper), ...beside] };
  };

  const draw = () => {
    if (!picture) return;
    const { layout: next, extras } = lay(picture);
    layout = next;
    const drawing = sheet(base, plot);
    if (!drawing) return;
    const { labels, titles, paper, overlay, veil } = picture;
    paintCells(drawing, picture, layout.frame, picture.spaced);
    const marks = [
      ...veilMarks(layout.frame, overlay.veils, { fill: veil }),
      ...lineMarks(layout.frame, overlay.lines, paper),
      ...axisMarks(layout, labels, titles, paper),
      ...extras,
    ];
    drawMarks(drawing, marks, paper.font);
    drawRubber();
    map.draw(picture, zoom);
  };

  const drawRubber = () => {
    const drawing = sheet(top, plot);
    if (!picture || !drawing || !rubber) return;
    const { left, top: above } = plot.getBoundingClientRect();
    const { x0, x1, y0, y1 } = rubber;
    const place = { x: x0 - left, y: y0 - above, width: x1 - x0, height: y1 - y0 };
    const { accent: stroke, paper } = picture;
    drawMarks(drawing, [{ mark: "rect", ...place, stroke, line: 1 }], paper.font);
  };

  if (inText) pointing(top, { frame, onCell, onChoose });
  else {
    zooming(top, {
      frame,
      size,
      zoomTo: map.zoomTo,
      onCell,
      onChoose,
      onRubber: (box) => {
        rubber = box;
        drawRubber();
      },
    });
  }

  return {
    /** @param {Picture} next @param {Part | null} zoomed the visible part */
    draw: (next, zoomed) => {
      const { clientWidth, clientHeight } = plot;
      const room = inText ? [clientWidth] : [clientWidth, clientHeight]; // in a text the height follows
      const looks = looksOf(next, zoomed, [...room, devicePixelRatio]);
      const same = looks.every((part, index) => part === painted[index]);
      [picture, zoom, painted] = [next, zoomed, looks];
      if (!base.isConnected) plot.prepend(base, top, map.canvas);
      if (!same) draw();
    },
    /** The layout in the element. */
    layout: () => layout,
    /** The position of the cells in the window. */
    frame,
    /** Whether not every token has a label. */
    isThinned: () => layout !== null && thins(layout),
  };
}

/** @param {Layout} layout */
function thins({ size, frame: { width, height, part } }) {
  const [q0, q1, k0, k1] = part;
  return Math.min(height / (q1 - q0), width / (k1 - k0)) < stepOf(size);
}

/**
 * Everything that cells and labels depend on, so that nothing is painted twice.
 * @param {Picture} picture
 * @param {Part | null} zoom
 * @param {number[]} room
 */
function looksOf(picture, zoom, room) {
  const { matrix, blocked, labels, titles, table, range, overlay, paper, size, focus } = picture;
  const texts = JSON.stringify([labels, titles, range, overlay, zoom, size, focus]);
  const cells = [matrix.data, blocked.data].flatMap(({ buffer, byteOffset }) => [
    buffer,
    byteOffset,
  ]);
  return [...cells, table, paper, texts, ...room];
}
