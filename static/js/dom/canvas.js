// Draws a scene on a canvas, sharp on any screen, and turns a scene into a file.

import { toSvg } from "../draw/scene.js";
import { make } from "./dom.js";

/** @import { Mark, Pixels, Scene } from "../draw/scene.js" */

/**
 * How much the style sheet enlarges an element, as it does with views in the depths of large type. Its own size is in pixels before that, but a point
 * of the window and what getBoundingClientRect gives are in pixels after it.
 * @param {Element} element
 * @returns {number}
 */
export const enlarged = (element) => /** @type {any} */ (element).currentCSSZoom ?? 1;

/**
 * Give a canvas a size in its own pixels. Setting it, even to the same, throws away the canvas's memory.
 * @param {HTMLCanvasElement} canvas
 * @param {{width: number, height: number}} size
 */
export function fit(canvas, size) {
  if (canvas.width !== size.width) canvas.width = size.width;
  if (canvas.height !== size.height) canvas.height = size.height;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Scene} scene
 * @param {number} [fine] canvas pixels per pixel of the scene
 */
export function drawScene(
  canvas,
  { width, height, font, ground, marks },
  fine = devicePixelRatio * enlarged(canvas),
) {
  canvas.width = Math.round(width * fine);
  canvas.height = Math.round(height * fine);
  const drawing = canvas.getContext("2d");
  if (!drawing) throw new Error("This browser cannot draw on a canvas.");
  drawing.scale(fine, fine);
  drawing.fillStyle = ground;
  drawing.fillRect(0, 0, width, height);
  drawMarks(drawing, marks, font);
}

/** @param {CanvasRenderingContext2D} drawing @param {Mark[]} marks @param {string} font */
export function drawMarks(drawing, marks, font) {
  for (const mark of marks) drawMark(drawing, mark, font);
}

/** @param {CanvasRenderingContext2D} drawing @param {Mark} mark @param {string} font */
function drawMark(drawing, mark, font) {
  if (mark.mark === "group") {
    drawing.save();
    drawing.translate(mark.x, mark.y);
    drawMarks(drawing, mark.marks, font);
    drawing.restore();
    return;
  }
  if (mark.mark === "image") {
    drawing.imageSmoothingEnabled = false;
    drawing.drawImage(imageOf(mark.pixels), mark.x, mark.y, mark.width, mark.height);
    return;
  }
  drawing.globalAlpha = mark.opacity ?? 1;
  if (mark.mark === "text") {
    const { x, y, text, size, fill, anchor = "start", weight = 400, rotate = 0 } = mark;
    drawing.save();
    drawing.translate(x, y);
    drawing.rotate((rotate * Math.PI) / 180);
    drawing.font = `${weight} ${size}px ${font}`;
    drawing.textAlign = anchor === "middle" ? "center" : anchor;
    drawing.textBaseline = "middle";
    drawing.fillStyle = fill;
    drawing.fillText(text, 0, 0);
    drawing.restore();
  } else {
    const path = new Path2D(mark.mark === "path" ? mark.d : undefined);
    if (mark.mark === "rect") path.rect(mark.x, mark.y, mark.width, mark.height);
    if (mark.fill) {
      drawing.fillStyle = mark.fill;
      drawing.fill(path);
    }
    if (mark.stroke) {
      drawing.strokeStyle = mark.stroke;
      drawing.lineWidth = mark.line ?? 1;
      drawing.stroke(path);
    }
  }
  drawing.globalAlpha = 1;
}

/** @param {Pixels} pixels */
function imageOf({ width, height, data }) {
  const canvas = make("canvas");
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  image.data.set(data);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

const MAX_SVG = 1_000_000; // characters: larger drawings are slow to open, and many programs refuse them

/**
 * A scene as SVG. The cells are shapes, unless that makes it too large.
 * @param {Scene} scene
 * @param {{width: string, height: string}} [size] on paper, with its unit
 * @returns {{text: string, pixels: boolean}} `pixels`: whether cells are images instead
 */
export function svgOf(scene, size) {
  const shapes = toSvg(scene, { size });
  if (shapes.length <= MAX_SVG) return { text: shapes, pixels: false };
  const address = (/** @type {Pixels} */ pixels) => imageOf(pixels).toDataURL();
  const text = toSvg(scene, { size, address });
  return { text, pixels: text !== shapes };
}

/** The same as a file. @param {Scene} scene @param {{width: string, height: string}} [size] */
export function asSvg(scene, size) {
  const { text, pixels } = svgOf(scene, size);
  return { blob: new Blob([text], { type: "image/svg+xml" }), pixels };
}

export const MAX_SIDE = 12_000; // canvas pixels per side that every browser supports

/**
 * @param {Scene} scene
 * @param {number} [fine] pixels per pixel of the scene: two (192 dpi), unless that is too large
 * @returns {Promise<Blob>}
 */
export function asPng(scene, fine = Math.min(2, MAX_SIDE / Math.max(scene.width, scene.height))) {
  const canvas = make("canvas");
  drawScene(canvas, scene, fine);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error("The canvas is too large to save.")),
    ),
  );
}
