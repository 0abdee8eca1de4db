// A small picture of a pattern.

import { fit } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";

const FINE = 6; // pixels of the picture per cell

/**
 * The cells in the colour of strong weights, as a mask, so that it follows the colour scheme.
 * @param {import("./types.d.ts").Rows} cells bytes
 * @param {string} name what it is a picture of
 */
export function thumb(cells, name) {
  const canvas = make("canvas");
  fit(canvas, { width: FINE * cells[0].length, height: FINE * cells.length });
  const drawing = canvas.getContext("2d");
  if (!drawing) throw new Error("This browser cannot draw on a canvas.");
  for (const [row, values] of cells.entries()) {
    for (const [col, value] of values.entries()) {
      drawing.globalAlpha = value / 255;
      drawing.fillRect(FINE * col, FINE * row, FINE, FINE);
    }
  }
  const shape = make("div", { class: "thumb" });
  shape.setAttribute("role", "img");
  shape.setAttribute("aria-label", name);
  const filled = make("span", { class: "thumb-cells" });
  filled.style.setProperty("--thumb-cells", `url(${canvas.toDataURL()})`);
  shape.append(filled);
  return shape;
}
