// The map as a figure for a file or for paper. Pure.

import { widthOf } from "../textwidth.js";

/** @import { Layout, Place } from "./layout.js" */
/** @import { Mark } from "../scene.js" */
/** @typedef {{ink: string, faint: string, line: string, panel: string, font: string}} Paper */

const SIZE = 13;

/**
 * @param {Layout} layout
 * @param {{selected: string, muted: (place: Place) => boolean, share: (place: Place) => number, arcs?: {d: string, line: number, strength: number}[]}} marks
 * @param {string} title
 * @param {{paper: Paper, accent: string, rises: string, falls: string, hatch: string, categories: string[]}} colours
 * @returns {import("../scene.js").Scene}
 */
export function mapScene(layout, marks, title, { paper, accent, rises, falls, hatch, categories }) {
  const { width, height, places, lines, labels, norms } = layout;
  const { ink, faint, panel, font } = paper;
  return {
    width: Math.ceil(width),
    height,
    font,
    ground: panel,
    title,
    marks: [
      ...lines.map(({ role, d }) => {
        const thick = role === "stream";
        const stroke = thick ? ink : role === "memory" ? categories[0] : faint;
        return /** @type {Mark} */ ({ mark: "path", d, stroke, line: thick ? 3 : 1.25 });
      }),
      ...norms.map((norm) => /** @type {Mark} */ ({ mark: "rect", ...norm, fill: faint })),
      ...(marks.arcs ?? []).map(({ d, line, strength }) => {
        const stroke = strength < 0 ? falls : rises;
        return /** @type {Mark} */ ({ mark: "path", d, stroke, line, opacity: 0.7 });
      }),
      ...labels.flatMap(({ role, x, y, text, anchor }) => [
        ...(role === "layer" && marks.arcs?.length ? [behind(text, x, y, panel)] : []),
        ...(role === "node" ? [node(x, y, ink, panel)] : []),
        words(text, x, y, role === "node" ? ink : faint, anchor),
      ]),
      ...places.flatMap((place) => {
        const { id, x, y, width, height, label } = place;
        const box = { x, y, width, height };
        const share = marks.share(place);
        const here = id === marks.selected;
        const stroke = here ? accent : faint;
        /** @type {Mark[]} */
        const drawn = [{ mark: "rect", ...box, fill: panel, stroke, line: here ? 3 : 1 }];
        if (share > 0)
          drawn.push({ mark: "rect", ...box, fill: categories[0], opacity: share / 2 });
        if (marks.muted(place)) {
          const d = `M${x + 3} ${y + height - 3}L${x + width - 3} ${y + 3}`;
          drawn.push({ mark: "path", d, stroke: hatch, line: 2 });
        }
        return [...drawn, words(label, x + width / 2, y + height / 2, ink, "middle")];
      }),
    ],
  };
}

/** @param {number} x @param {number} y @param {string} stroke @param {string} fill @returns {Mark} */
const node = (x, y, stroke, fill) => ({
  mark: "path",
  stroke,
  fill,
  line: 1.5,
  d: `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0z`,
});

/** What keeps arcs off a name. @param {string} text @param {number} x @param {number} y @param {string} fill @returns {Mark} */
const behind = (text, x, y, fill) => ({
  mark: "rect",
  x: x - 2,
  y: y - 9,
  width: widthOf(text, SIZE) + 4,
  height: 18,
  fill,
});

/** @param {string} text @param {number} x @param {number} y @param {string} fill @param {"start" | "middle"} anchor @returns {Mark} */
const words = (text, x, y, fill, anchor) => ({
  mark: "text",
  x,
  y,
  text,
  size: SIZE,
  fill,
  anchor,
});
