// A whole head on one canvas: before plotly is there, and for texts too long for it.

import { paint, shrink } from "../render/raster.js";
import { make } from "./dom.js";

/**
 * @param {HTMLElement} root
 * @param {object} picture
 * @param {{rows: number, cols: number, data: Float32Array}} picture.matrix
 * @param {Uint8ClampedArray} picture.table
 * @param {{low: number, high: number}} picture.range
 * @param {string | null} picture.hatching
 * @param {(cell: [number, number] | null) => void} onCell what is under the pointer, as [query, key]
 */
export function drawWhole(root, { matrix, table, range, hatching }, onCell) {
  const canvas = make("canvas", { class: "whole" });
  const small = shrink(matrix, Math.floor(Math.min(root.clientWidth, root.clientHeight)));
  canvas.width = small.cols;
  canvas.height = small.rows;
  const image = new ImageData(small.cols, small.rows);
  image.data.set(paint(small, table, range));
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  root.replaceChildren(canvas);
  if (hatching) {
    const overlay = make("img", { class: "whole" });
    overlay.alt = "";
    overlay.src = hatching;
    root.append(overlay);
  }
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
 * What stands there as one PNG, at the size on screen.
 * @param {HTMLElement} root
 * @returns {string} a data: address
 */
export function wholeAsPng(root) {
  const canvas = make("canvas");
  const side = Math.min(root.clientWidth, root.clientHeight);
  canvas.width = canvas.height = 2 * side;
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
