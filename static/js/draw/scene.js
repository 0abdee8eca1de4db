// A picture as data: a size and marks in pixels, drawn on a canvas for the screen and PNG, or written as SVG. No DOM.

import { boxesOf, pathOf } from "./cells.js";

/** @typedef {{width: number, height: number, data: Uint8ClampedArray}} Pixels RGBA, row by row */
/**
 * @typedef {{mark: "rect", x: number, y: number, width: number, height: number, fill?: string, stroke?: string, line?: number, opacity?: number}} Rect
 * @typedef {{mark: "path", d: string, fill?: string, stroke?: string, line?: number, opacity?: number}} Path `d` as in SVG
 * @typedef {{mark: "text", x: number, y: number, text: string, size: number, fill: string, anchor?: "start" | "middle" | "end", weight?: number, rotate?: number, opacity?: number}} Text
 *   `y` is the middle of the line; `rotate` is in degrees about (x, y)
 * @typedef {{mark: "image", x: number, y: number, width: number, height: number, pixels: Pixels}} Image cells with hard edges
 * @typedef {{mark: "group", x: number, y: number, marks: Mark[]}} Group marks with a common offset
 * @typedef {Rect | Path | Text | Image | Group} Mark
 * @typedef {{width: number, height: number, font: string, ground: string, title: string, marks: Mark[]}} Scene
 */

export const CLEAR = "transparent"; // as the ground of a picture

/**
 * A standalone SVG document, in which text stays text.
 * @param {Scene} scene
 * @param {object} [how]
 * @param {(pixels: Pixels) => string} [how.address] turns pixels into a data: URL; without it, cells are shapes
 * @param {{width: string, height: string}} [how.size] on paper, with its unit; by default, that of the scene in pixels
 * @returns {string}
 */
export function toSvg({ width, height, font, ground, title, marks }, how = {}) {
  const { address = null, size = { width, height } } = how;
  const room = `width="${size.width}" height="${size.height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${room} font-family="${xml(font)}">`,
    `<title>${xml(title)}</title>`,
    ...(ground === CLEAR ? [] : [`<rect width="${width}" height="${height}" fill="${ground}"/>`]),
    ...marks.map((mark) => element(mark, address)),
    "</svg>",
    "",
  ].join("\n");
}

/** @param {Mark} mark @param {((pixels: Pixels) => string) | null} address @returns {string} */
function element(mark, address) {
  if (mark.mark === "group") {
    const inside = mark.marks.map((one) => element(one, address)).join("\n");
    return `<g transform="translate(${round(mark.x)} ${round(mark.y)})">\n${inside}\n</g>`;
  }
  if (mark.mark === "image") {
    if (!address) return cells(mark);
    const { x, y, width, height, pixels } = mark;
    const place = attributes({ x, y, width, height, preserveAspectRatio: "none" });
    return `<image ${place} style="image-rendering:pixelated" href="${address(pixels)}"/>`;
  }
  if (mark.mark === "text") {
    const { x, y, text, size, fill, anchor, weight, rotate, opacity } = mark;
    const transform = rotate ? `rotate(${rotate} ${round(x)} ${round(y)})` : undefined;
    const how = { "text-anchor": anchor, "font-weight": weight, opacity, transform };
    // `dy` in em, because few programs support `dominant-baseline`
    const where = { x, y, dy: "0.35em", "font-size": size, fill, ...how };
    return `<text ${attributes(where)} xml:space="preserve">${xml(text)}</text>`;
  }
  const { fill = "none", stroke, line, opacity } = mark;
  const paint = { fill, stroke, "stroke-width": stroke && (line ?? 1), opacity };
  if (mark.mark === "path") return `<path ${attributes({ d: mark.d, ...paint })}/>`;
  const { x, y, width, height } = mark;
  return `<rect ${attributes({ x, y, width, height, ...paint })}/>`;
}

/**
 * Cells as shapes. Their edges are not smoothed, so that no line shows between two of them.
 * @param {Image} image
 */
function cells({ x, y, width, height, pixels }) {
  const scale = [width / pixels.width, height / pixels.height].map((by) => Number(by.toFixed(6)));
  const paths = Array.from(
    boxesOf(pixels),
    ([fill, boxes]) => `<path ${attributes({ fill, d: pathOf(boxes) })}/>`,
  );
  const place = `translate(${round(x)} ${round(y)}) scale(${scale.join(" ")})`;
  return `<g transform="${place}" shape-rendering="crispEdges">\n${paths.join("\n")}\n</g>`;
}

/** @param {Record<string, string | number | undefined>} named undefined values are left out */
const attributes = (named) =>
  Object.entries(named)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${name}="${typeof value === "number" ? round(value) : xml(value ?? "")}"`,
    )
    .join(" ");

/** @param {number} value */
const round = (value) => Math.round(1000 * value) / 1000;

/** Escape text for XML, replacing characters that XML cannot contain. @param {string} text */
export const xml = (text) =>
  text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
