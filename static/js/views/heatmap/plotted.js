// The plotly painter of a head's cells, with zoom by dragging, over the canvas with their axes.

import { hatchImage } from "../../dom/hatching.js";
import { filling } from "../../draw/axes.js";
import { axesChange, headFigure, shapesOf } from "../../draw/figure.js";
import { overlayOf } from "../../draw/overlays.js";
import { partOf, zoomOf } from "../../draw/viewport.js";
import { sizeOf } from "./picture.js";
import { CONFIG } from "./plotly.js";

/** @import { Part } from "../../draw/viewport.js" */
/** @import { Picture } from "./picture.js" */

/**
 * @param {HTMLElement} plot
 * @param {object} on
 * @param {(cell: [number, number] | null) => void} on.onCell called with the cell under the pointer
 * @param {(cell: [number, number]) => void} on.onChoose called with the cell that was clicked
 * @param {(zoom: Part | null) => void} on.onZoom
 */
export function plotlyPainter(plot, { onCell, onChoose, onZoom }) {
  /** @type {any} */
  let plotly = null;
  /** The picture that plotly shows; null: plotly has no picture here. @type {Picture | null} */
  let picture = null;
  /** @type {Part | null} */
  let zoom = null;

  const boxOf = () => ({ width: plot.clientWidth, height: plot.clientHeight });
  /** @param {Picture} picture */
  const layoutOf = (picture) => {
    const { rows, cols } = sizeOf(picture);
    return filling(boxOf(), picture.labels, partOf(zoom, rows, cols), picture.size);
  };

  /** Subscribe to plotly's events; `purge` ends the subscriptions. */
  const listen = () => {
    const graph = /** @type {any} */ (plot);
    /** @param {{points: {x: number, y: number}[]}} event @returns {[number, number]} */
    const cellOf = ({ points: [{ x, y }] }) => [y, x];
    graph.on("plotly_hover", (/** @type {any} */ event) => onCell(cellOf(event)));
    graph.on("plotly_unhover", () => onCell(null));
    graph.on("plotly_click", (/** @type {any} */ event) => {
      onChoose(cellOf(event));
      onCell(cellOf(event)); // a finger points by tapping
    });
    graph.on("plotly_relayout", (/** @type {object} */ changes) => {
      const part = partShown();
      if (!picture || !part || !changesAxes(changes)) return;
      const { rows, cols } = sizeOf(picture);
      const next = zoomOf(part, rows, cols);
      if (String(next) === String(zoom))
        zoomTo(zoom); // back to whole cells
      else onZoom(next);
    });
    graph.on("plotly_doubleclick", () => onZoom(null));
  };

  /** The part of the matrix that plotly shows; null if it has no picture here. @returns {Part | null} */
  const partShown = () => {
    if (!picture) return null;
    const { xaxis, yaxis } = /** @type {any} */ (plot)._fullLayout; // plotly has no public API for it
    const edges = [...[...yaxis.range].reverse(), ...xaxis.range].map((edge) => Number(edge) + 0.5);
    return /** @type {Part} */ (edges);
  };

  /** @param {Part | null} next @returns {boolean} whether there is a picture to zoom */
  const zoomTo = (next) => {
    zoom = next;
    if (!picture) return false;
    const layout = layoutOf(picture);
    if (String(partShown()) !== String(layout.frame.part)) {
      plotly.relayout(plot, axesChange(layout));
    }
    return true;
  };

  return {
    /** @param {any} library */
    use: (library) => {
      plotly = library;
    },
    ready: () => plotly !== null,
    /** Whether it shows the same numbers, maybe in another size or other colours. @param {Picture} next */
    shows: ({ matrix: { data } }) =>
      picture?.matrix.data.buffer === data.buffer &&
      picture.matrix.data.byteOffset === data.byteOffset,
    /** @param {Picture} next @param {Part | null} zoomed the visible part */
    draw: async (next, zoomed) => {
      zoom = zoomed;
      const layout = layoutOf(next);
      const hatching = hatchImage(next.blocked, layout.frame, next.hatch);
      const figure = headFigure({ ...next, layout, box: boxOf(), hatching });
      const shapes = shapesOf(next.overlay, next);
      await plotly.react(plot, figure.data, { ...figure.layout, shapes }, CONFIG);
      if (!picture) listen();
      picture = next;
    },
    /** Another block of segments is chosen. @param {import("./picture.js").Detail} detail */
    veil: (detail) => {
      if (!picture) return;
      picture = { ...picture, overlay: overlayOf(detail, detail.block) };
      plotly.relayout(plot, { shapes: shapesOf(picture.overlay, picture) });
    },
    zoomTo,
    /** Show the canvas below. */
    clear: () => {
      if (picture) plotly.purge(plot);
      picture = null;
    },
  };
}

/** Whether plotly reports new axes; changes of the shapes come through the same event. @param {object} changes */
const changesAxes = (changes) => Object.keys(changes).some((name) => /^[xy]axis\./.test(name));
