// A small picture of the whole matrix, beside the large one while that shows a part: it shows the part, and moves it.

import { make } from "../../dom/dom.js";
import { moved, partOf, zoomOf } from "../../draw/viewport.js";
import { shrink } from "../../numbers/matrix.js";
import { imageOf, sheet } from "./raster.js";
import { MINIMAP } from "./words.js";

/** @import { Part } from "../../draw/viewport.js" */

const LONGER = 54; // pixels: the longer side
const MIN_SIDE = 6; // pixels
const MIN_PART = 3; // pixels

/**
 * @param {object} picture
 * @param {() => import("../../draw/viewport.js").Frame | null} picture.frame
 * @param {() => {rows: number, cols: number}} picture.size
 * @param {(zoom: Part | null) => void} picture.onZoom
 */
export function minimap({ frame, size, onZoom }) {
  const canvas = make("canvas", { class: "whole minimap" });
  canvas.title = MINIMAP;
  /** The painted cells, and what they depend on. @type {{of: Float32Array | null, table: Uint8ClampedArray | null, cells: HTMLCanvasElement}} */
  let painted = { of: null, table: null, cells: canvas };

  /** @param {Part | null} part */
  const zoomTo = (part) => {
    const { rows, cols } = size();
    onZoom(part && zoomOf(part, rows, cols));
  };

  /** Centre the view on a point of the map. @param {PointerEvent} event */
  const jump = ({ clientX, clientY }) => {
    const shown = frame();
    if (!shown) return;
    const box = canvas.getBoundingClientRect();
    const { rows, cols } = size();
    const [q0, q1, k0, k1] = shown.part;
    const down = ((clientY - box.top) / box.height) * rows - (q0 + q1) / 2;
    const right = ((clientX - box.left) / box.width) * cols - (k0 + k1) / 2;
    zoomTo(moved(shown.part, down, right, rows, cols));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    jump(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) jump(event);
  });

  return {
    canvas,
    zoomTo,
    /** @param {import("./picture.js").Picture} picture @param {Part | null} zoom */
    draw: ({ matrix, table, range, paper, accent }, zoom) => {
      canvas.hidden = zoom === null;
      if (canvas.hidden) return;
      const { rows, cols } = size();
      const scale = LONGER / Math.max(rows, cols);
      const [width, height] = [cols, rows].map((n) => Math.max(MIN_SIDE, n * scale));
      if (painted.of !== matrix.data || painted.table !== table) {
        const cells = imageOf(shrink(matrix, LONGER), table, range);
        painted = { of: matrix.data, table, cells };
      }
      const drawing = sheet(canvas, { clientWidth: width, clientHeight: height });
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
      if (!drawing) return;
      drawing.imageSmoothingEnabled = false;
      drawing.drawImage(painted.cells, 0, 0, width, height);
      drawing.strokeStyle = paper.line;
      drawing.strokeRect(0.5, 0.5, width - 1, height - 1);
      const [q0, q1, k0, k1] = partOf(zoom, rows, cols);
      drawing.strokeStyle = accent;
      drawing.lineWidth = 1.5;
      const [wide, high] = [k1 - k0, q1 - q0].map((n) => Math.max(MIN_PART, n * scale));
      drawing.strokeRect(k0 * scale, q0 * scale, wide, high);
    },
  };
}
