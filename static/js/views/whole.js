// A whole head on one canvas: before plotly is there, and for texts too long for it.

import { paint, shrink } from "../render/raster.js";
import { make } from "./dom.js";

/** @typedef {import("../render/segments.js").Box} Box */

/**
 * @param {HTMLElement} root
 * @param {object} picture
 * @param {{rows: number, cols: number, data: Float32Array}} picture.matrix
 * @param {Uint8ClampedArray} picture.table
 * @param {{low: number, high: number}} picture.range
 * @param {string | null} picture.hatching
 * @param {{boxes: Box[], lines: Box[]}} picture.over what is veiled, and where the second segment begins
 * @param {{veil: string, line: string, ground: string}} picture.colors of these
 * @param {(cell: [number, number] | null) => void} onCell what is under the pointer, as [query, key]
 */
export function drawWhole(root, picture, onCell) {
  const { matrix, table, range, hatching, over, colors } = picture;
  const canvas = make("canvas", { class: "whole" });
  const small = shrink(matrix, Math.floor(Math.min(root.clientWidth, root.clientHeight)));
  canvas.width = small.cols;
  canvas.height = small.rows;
  const image = new ImageData(small.cols, small.rows);
  image.data.set(paint(small, table, range));
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  root.replaceChildren(canvas);
  if (hatching) {
    const hatched = make("img", { class: "whole" });
    hatched.alt = "";
    hatched.src = hatching;
    root.append(hatched);
  }
  if (over.boxes.length + over.lines.length > 0) root.append(overlay(root, matrix, over, colors));
  root.append(make("span", { text: "queries ↓ keys →", class: "whole axes" }));
  root.onpointermove = ({ clientX, clientY }) => {
    const box = root.getBoundingClientRect();
    const side = Math.min(box.width / matrix.cols, box.height / matrix.rows);
    const x = Math.floor((clientX - box.left - (box.width - side * matrix.cols) / 2) / side);
    const y = Math.floor((clientY - box.top - (box.height - side * matrix.rows) / 2) / side);
    const inside = x >= 0 && y >= 0 && x < matrix.cols && y < matrix.rows;
    onCell(inside ? [y, x] : null);
  };
  root.onpointerleave = () => onCell(null);
}

/**
 * @param {HTMLElement} root
 * @param {{rows: number, cols: number}} matrix
 * @param {{boxes: Box[], lines: Box[]}} over
 * @param {{veil: string, line: string, ground: string}} colors
 */
function overlay(root, { rows, cols }, { boxes, lines }, colors) {
  const canvas = make("canvas", { class: "whole" });
  const cell = Math.min(root.clientWidth / cols, root.clientHeight / rows);
  canvas.width = Math.round(cell * cols);
  canvas.height = Math.round(cell * rows);
  const drawing = canvas.getContext("2d");
  if (!drawing) return canvas;
  /** @param {Box} box @param {number} more on each side, in pixels */
  const fill = ({ x0, x1, y0, y1 }, more) =>
    drawing.fillRect(
      (x0 + 0.5) * cell - more,
      (y0 + 0.5) * cell - more,
      (x1 - x0) * cell + 2 * more,
      (y1 - y0) * cell + 2 * more,
    );
  drawing.fillStyle = colors.veil;
  for (const box of boxes) fill(box, 0);
  for (const [color, more] of /** @type {const} */ ([
    [colors.ground, 2],
    [colors.line, 0.75],
  ])) {
    drawing.fillStyle = color;
    for (const line of lines) fill(line, more);
  }
  return canvas;
}

/**
 * What stands there as one PNG, at the size on screen.
 * @param {HTMLElement} root
 * @returns {string} a data: address
 */
export function wholeAsPng(root) {
  const canvas = make("canvas");
  const cells = /** @type {HTMLCanvasElement} */ (root.querySelector("canvas.whole"));
  const side = Math.min(root.clientWidth / cells.width, root.clientHeight / cells.height);
  canvas.width = Math.round(2 * side * cells.width);
  canvas.height = Math.round(2 * side * cells.height);
  const context = canvas.getContext("2d");
  for (const layer of root.querySelectorAll("canvas.whole, img.whole")) {
    if (!context) break;
    context.imageSmoothingEnabled = false;
    const source = /** @type {HTMLCanvasElement | HTMLImageElement} */ (layer);
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
  }
  return canvas.toDataURL();
}

/** Make room for plotly. @param {HTMLElement} root */
export function clearWhole(root) {
  for (const layer of root.querySelectorAll(".whole")) layer.remove();
  root.onpointermove = root.onpointerleave = null;
}
