// What every saved picture has: a title, a caption, and a margin.

import { fitted, widthOf } from "../textwidth.js";

/** @import { Mark, Scene } from "../scene.js" */
/** @import { Paper } from "../figure.js" */
/** @typedef {{width: number, height: number, marks: Mark[]}} Body */

export const PAD = 16; // the margin
const MIN_WIDTH = 480; // pixels, for the title and the caption
const SIZE = 11;
const LINE = 15;
const MAX_LINES = 3; // per paragraph; the rest is cut

/**
 * @param {object} options
 * @param {string} options.title
 * @param {string} [options.more] faint text beside the title
 * @param {string[]} options.about paragraphs
 * @param {Body} options.body
 * @param {Paper} options.paper
 * @param {number} [options.least] width of the picture without its margins
 * @returns {Scene}
 */
export function framed({ title, more = "", about, body, paper, least = MIN_WIDTH }) {
  const inner = Math.max(least, body.width);
  const named = fitted(title, 16, inner);
  const after = PAD + widthOf(named, 16) + 8;
  const beside = fitted(more, 12, Math.max(0, PAD + inner - after));
  const lines = about.flatMap((text) => wrapped(text, inner));
  const top = PAD + 20 + LINE * lines.length + 12;
  const text = { mark: /** @type {const} */ ("text"), x: PAD, size: SIZE, fill: paper.faint };
  /** @type {Mark[]} */
  const marks = [
    { ...text, y: PAD + 8, text: named, size: 16, fill: paper.ink, weight: 650 },
    ...(beside.length > 1 ? [{ ...text, x: after, y: PAD + 9, text: beside, size: 12 }] : []),
    ...lines.map((line, index) => ({ ...text, y: PAD + 28 + LINE * index, text: line })),
    { mark: "group", x: PAD, y: top, marks: body.marks },
  ];
  return {
    width: Math.ceil(inner + 2 * PAD),
    height: Math.ceil(top + body.height + PAD),
    font: paper.font,
    ground: paper.panel,
    title: more ? `${title}: ${more}` : title,
    marks,
  };
}

/**
 * Add a caption below a picture that has a title of its own, as in a paper.
 * @param {Scene} scene
 * @param {string[]} about paragraphs
 * @param {Paper} paper
 * @param {{least?: number, most?: number}} [room] the least width without margins, and the most lines of a paragraph
 * @returns {Scene}
 */
export function captioned(scene, about, paper, { least = MIN_WIDTH, most = MAX_LINES } = {}) {
  // some pictures have a margin of their own, some do not
  const own = Math.min(PAD, ...scene.marks.map((mark) => ("x" in mark ? mark.x : PAD)));
  const [pad, inner] = [PAD - own, Math.max(least, scene.width - 2 * own)];
  const lines = about.flatMap((text) => wrapped(text, inner, SIZE, most));
  const below = pad + scene.height + (own > 0 ? 0 : 8);
  return {
    ...scene,
    width: Math.ceil(inner + 2 * PAD),
    height: Math.ceil(below + LINE * lines.length + PAD),
    marks: [
      { mark: "group", x: pad, y: pad, marks: scene.marks },
      ...lines.map((line, index) => ({
        mark: /** @type {const} */ ("text"),
        x: PAD,
        y: below + LINE * (index + 0.5),
        text: line,
        size: SIZE,
        fill: paper.faint,
      })),
    ],
  };
}

/**
 * Wrap text, at spaces if possible; an empty text has no lines.
 * @param {string} text
 * @param {number} width
 * @param {number} [size] of the font
 * @param {number} [most] lines; the rest is cut
 */
export function wrapped(text, width, size = SIZE, most = MAX_LINES) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/(?<= )/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last + word.trimEnd(), size) <= width)
      lines[lines.length - 1] += word;
    else if (word) lines.push(word);
  }
  const kept = lines.slice(0, most);
  if (lines.length > most) kept[most - 1] += lines.slice(most).join("");
  return kept.map((line) => fitted(line.trimEnd(), size, width));
}
