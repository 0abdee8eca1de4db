// The inside of a head as a picture for a file: what is on the page, up to the current step. Pure.

import { decimal, shorten } from "../../words/format.js";
import { isColumn } from "./steps.js";
import { stripPixels } from "./strip.js";
import {
  allowance,
  keysInWords,
  lengthInWords,
  reachInWords,
  scaledColumn,
  TABLE,
  VECTORS,
} from "./words.js";

/** @import { Mark } from "../../draw/scene.js" */
/** @import { Line } from "./row.js" */
/** @import { Name } from "./steps.js" */
/** @typedef {{ink: string, faint: string, line: string, panel: string, font: string}} Paper */
/** @typedef {{parts: import("./row.js").Parts, title: string, keys: string[], remarks: string[], lines: Line[], computed: Set<Name>}} Picture */

const [EDGE, ROW, NAME, SIZE] = [16, 20, 130, 12];
/** @type {Partial<Record<Name, number>>} */
const WIDTHS = { k: 120, product: 120, mask: 170, moved: 120 };
const NUMBER = 84; // pixels: the width of a column of numbers

/**
 * @param {Picture} picture
 * @param {{q: number, k: number, product: number, moved: number, result: number}} reaches
 * @param {Uint8ClampedArray} colors of the diverging scale
 * @param {Paper} paper
 * @returns {import("../../draw/scene.js").Scene}
 */
export function insideScene(
  { parts, title, keys, remarks, lines, computed },
  reaches,
  colors,
  paper,
) {
  /** @type {Mark[]} */
  const marks = [];
  const columns = parts.steps.filter(isColumn);
  let right = EDGE + NAME;
  const starts = columns.map(({ name }) => {
    right += WIDTHS[name] ?? NUMBER;
    return right - (WIDTHS[name] ?? NUMBER);
  });
  let y = EDGE + ROW / 2;
  /** @param {number} x @param {string} text @param {Partial<import("../../draw/scene.js").Text>} [how] */
  const write = (x, text, how) =>
    marks.push({ mark: "text", x, y, text, size: SIZE, fill: paper.ink, ...how });
  /** @param {number} x @param {number} width @param {ArrayLike<number>} vector @param {number} reach */
  const draw = (x, width, vector, reach) => {
    const place = { x, y: y - 6, width, height: 12 };
    marks.push({ mark: "image", ...place, pixels: stripPixels(vector, reach, colors) });
    marks.push({ mark: "rect", ...place, stroke: paper.line });
  };
  const rule = () => {
    const across = `M${EDGE} ${y - ROW / 2}H${right}`;
    marks.push({ mark: "path", d: across, stroke: paper.line });
  };
  /** @param {string} name @param {ArrayLike<number>} vector @param {number} reach @param {string} note */
  const vector = (name, vector, reach, note) => {
    write(EDGE, name);
    draw(EDGE + NAME, right - EDGE - NAME - 110, vector, reach);
    write(right, note, { anchor: "end", fill: paper.faint });
    y += ROW;
  };

  write(EDGE, title, { size: 14, weight: 650 });
  y += ROW;
  for (const remark of remarks) {
    write(EDGE, remark, { fill: paper.faint });
    y += ROW;
  }
  vector("q", parts.q, reaches.q, reachInWords(reaches.q));
  rule();
  write(EDGE, TABLE.key, { fill: paper.faint });
  columns.forEach(({ name, label }, at) => {
    if (name === "k" || name === "product" || name === "moved")
      write(starts[at], scaledColumn(label, reaches[name]), { fill: paper.faint });
    else if (name === "mask") write(starts[at], label, { fill: paper.faint });
    else write(starts[at] + NUMBER - 12, label, { anchor: "end", fill: paper.faint });
  });
  y += ROW;
  rule();
  for (const line of lines) {
    write(EDGE, `${line.key} ${shorten(keys[line.key], 15)}`);
    columns.forEach(({ name }, at) => {
      if (!computed.has(name)) return;
      if (name === "k" || name === "product" || name === "moved")
        draw(starts[at], (WIDTHS[name] ?? 0) - 12, line[name], reaches[name]);
      else if (name === "mask")
        write(starts[at], shorten(allowance(line), 28), { fill: paper.faint });
      else {
        const value = line[/** @type {"dot"} */ (name)];
        write(starts[at] + NUMBER - 12, decimal(value), { anchor: "end" });
      }
    });
    y += ROW;
  }
  if (parts.sink && computed.has("weight")) {
    write(EDGE, TABLE.sink);
    const at = columns.findIndex(({ name }) => name === "weight");
    write(starts[at] + NUMBER - 12, decimal(parts.sink.share), { anchor: "end" });
    y += ROW;
  }
  rule();
  if (lines.length < parts.lines.length) {
    write(EDGE, keysInWords(lines.length, parts.lines.length), { fill: paper.faint });
    y += ROW;
  }
  if (computed.has("z")) vector("z", parts.z, reaches.moved, reachInWords(reaches.moved));
  if (parts.result && computed.has("result"))
    vector(VECTORS.result, parts.result, reaches.result, lengthInWords(parts.result));
  const { font, panel: ground } = paper;
  return { width: right + EDGE, height: y - ROW / 2 + EDGE, font, ground, title, marks };
}
