// Which channels belong to each head: a slice of q, k and v for every token, and a slice of the input of W_O. Pure.

import { foot, sliceInWords, vectorNames, zName } from "../words/slices.js";

/** @import { Mark } from "../draw/scene.js" */
/** @import { Paper } from "../draw/figure.js" */
/** @typedef {{n_heads: number, d_head: number, tokens: number, output: boolean, none: boolean}} Sizes */

const [ROW, GAP, SIDE, TOP, FOOT, FONT] = [13, 26, 8, 34, 24, 12];
const MAX_ROWS = 8; // tokens
const LEGIBLE = 34; // pixels: if slices are narrower, only the selected one is labelled with its channels
const BEHIND = 0.28; // opacity of the other heads

/**
 * @param {Sizes} sizes
 * @param {{head: number, width: number, colors: string[], paper: Paper}} look `head` is highlighted
 * @returns {import("../draw/scene.js").Scene}
 */
export function slicesScene(sizes, { head, width, colors, paper }) {
  const { n_heads, tokens, output, none } = sizes;
  const parts = [...vectorNames(!none), zName(output)];
  const each = (width - 2 * SIDE - GAP * (parts.length - 1)) / parts.length;
  const rows = Math.min(tokens, MAX_ROWS);
  const height = TOP + rows * ROW + FOOT;
  const marks = parts.flatMap((name, part) => {
    const x = SIDE + part * (each + GAP);
    const heads = Array.from({ length: n_heads }, (_, at) => ({
      at,
      x: x + (at * each) / n_heads,
      width: each / n_heads,
      rows,
      isSelected: at === head,
      color: colors[at % colors.length],
    }));
    return [label(x, 12, name, paper.ink), ...heads.flatMap((one) => slice(one, sizes, paper))];
  });
  return {
    width,
    height,
    font: paper.font,
    ground: paper.panel,
    title: slicesInWords(sizes, head),
    marks: [...marks, label(SIDE, height - 8, foot(rows, tokens, n_heads), paper.faint)],
  };
}

/**
 * One head's part of one vector, for every token.
 * @param {{at: number, x: number, width: number, rows: number, isSelected: boolean, color: string}} one
 * @param {Sizes} sizes
 * @param {Paper} paper
 * @returns {Mark[]}
 */
function slice({ at, x, width, rows, isSelected, color }, { d_head }, paper) {
  const [from, to] = [at * d_head, (at + 1) * d_head - 1];
  const range = from === to ? `${from}` : `${from}–${to}`;
  const fill = isSelected ? paper.ink : paper.faint;
  /** @type {Mark[]} */
  const caption =
    isSelected || width > LEGIBLE
      ? [{ ...label(x + width / 2, 26, range, fill), anchor: /** @type {const} */ ("middle") }]
      : [];
  const cells = Array.from({ length: rows }, (_, row) => ({
    mark: /** @type {const} */ ("rect"),
    x: x + 0.5,
    y: TOP + row * ROW + 1,
    width: Math.max(1, width - 1),
    height: ROW - 2,
    fill: color,
    opacity: isSelected ? 1 : BEHIND,
  }));
  return [...caption, ...cells];
}

/** @param {number} x @param {number} y @param {string} text @param {string} fill */
const label = (x, y, text, fill) => ({
  mark: /** @type {const} */ ("text"),
  x,
  y,
  text,
  size: FONT,
  fill,
});

/**
 * The picture described in a sentence.
 * @param {Sizes} sizes
 * @param {number} head
 */
export const slicesInWords = ({ n_heads, d_head, tokens, output, none }, head) =>
  sliceInWords({
    head,
    tokens,
    from: head * d_head,
    to: (head + 1) * d_head - 1,
    isProjected: !none,
    hasOutput: output,
    isAlone: n_heads === 1,
  });
