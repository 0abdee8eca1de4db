// The table of parts as a picture for a file. Pure.

import { colourAt, isLight, lightness, parseRgb } from "../../draw/color.js";
import { wrapped } from "../../draw/pictures/frame.js";
import { fitted, widthOf } from "../../draw/textwidth.js";
import { sentencesOf } from "./sentences.js";
import { totalsOf } from "./totals.js";
import * as words from "./words.js";

/** @import { Mark } from "../../draw/scene.js" */
/** @import { PartSide } from "../../state/address/parts.js" */
/** @import { Part } from "../../types.d.ts" */
/** @import { Group } from "./fold.js" */
/** @typedef {import("./reading.js").Breakdown & {shown: import("./fold.js").Folded, isOff: (side: PartSide, part: Part) => boolean}} Picture */

const [EDGE, ROW, COLUMN, SIZE, NAME, TOP] = [16, 24, 52, 12, 190, 172];
const TOTALS = 140; // pixels beyond the names: their numbers end here
const [LEAST, LINES] = [480, 12]; // pixels for the sentences, and lines of each

/**
 * @param {Picture} picture
 * @param {Uint8ClampedArray} diverging
 * @param {import("../../draw/figure.js").Paper} paper
 * @returns {import("../../draw/scene.js").Scene}
 */
export function whyScene({ table, tokens, mask, shown, isOff }, diverging, paper) {
  const { rows, columns, values, reach } = shown;
  const [left, top] = [EDGE + NAME, EDGE + 2 * ROW + TOP];
  const [ink, panel] = [paper.ink, paper.panel];
  const isDark = lightness(parseRgb(ink)) > lightness(parseRgb(panel));
  const [onLight, onDark] = isDark ? [panel, ink] : [ink, panel];
  /** @type {Mark[]} */
  const marks = [];
  const write = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ text,
    how = {},
  ) => marks.push({ mark: "text", x, y, text, size: SIZE, fill: paper.ink, ...how });
  /** @param {Group} group @param {PartSide} side */
  const named = ({ places, folded }, side) => {
    const part = (side === "query" ? table.query_parts : table.key_parts)[places[0]];
    const name = folded ? words.smaller(places.length) : words.partLabel(part, table.site, side);
    return { name, off: !folded && isOff(side, part) };
  };
  const width = left + COLUMN * (columns.length + 1);

  write(EDGE, EDGE + 8, words.pictureTitle(tokens), { size: 14, weight: 650 });
  write(EDGE, EDGE + 8 + ROW, words.LABELS.queries(tokens.query), { fill: paper.faint });
  write(width, EDGE + 8 + ROW, words.LABELS.keys(tokens.key), { fill: paper.faint, anchor: "end" });
  columns.forEach((group, at) => {
    const { name, off } = named(group, "key");
    const x = left + COLUMN * (at + 0.5);
    write(x, top - 8, fitted(name, SIZE, TOP - 8), {
      rotate: -90,
      fill: off ? paper.faint : paper.ink,
    });
  });
  write(left + COLUMN * (columns.length + 0.5), top - 8, words.LABELS.sum, { rotate: -90 });
  rows.forEach((group, row) => {
    const { name, off } = named(group, "query");
    const y = top + ROW * row;
    write(EDGE, y + ROW / 2, fitted(name, SIZE, NAME - 8), { fill: off ? paper.faint : paper.ink });
    columns.forEach((other, column) => {
      const value = values[row][column];
      const colour = colourAt(diverging, value / reach);
      const isOff = off || named(other, "key").off;
      const x = left + COLUMN * column;
      const place = { x, y, width: COLUMN - 1, height: ROW - 1 };
      const ground = isOff ? paper.panel : `rgb(${colour.join(", ")})`;
      marks.push({ mark: "rect", ...place, fill: ground });
      const ink = isLight(colour) ? onLight : onDark;
      const fill = isOff ? paper.faint : ink;
      write(x + COLUMN / 2, y + ROW / 2, words.inCell(value), { anchor: "middle", fill });
    });
    write(width - 6, y + ROW / 2, words.two(group.sum), { anchor: "end" });
  });
  let y = top + ROW * rows.length;
  write(EDGE, y + ROW / 2, words.LABELS.sum);
  columns.forEach((group, at) => {
    write(left + COLUMN * (at + 0.5), y + ROW / 2, words.two(group.sum), { anchor: "middle" });
  });
  y += ROW + 12;
  for (const { name, value } of totalsOf(table)) {
    write(EDGE, y + ROW / 2, words.TOTALS[name], { weight: name === "score" ? 650 : 400 });
    write(left + TOTALS, y + ROW / 2, words.exact(value), { anchor: "end" });
    y += ROW - 4;
  }
  y += 8;
  for (const sentence of sentencesOf(table, tokens, mask)) {
    for (const line of wrapped(sentence, Math.max(width - EDGE, LEAST), SIZE, LINES)) {
      write(EDGE, y + ROW / 2, line, { fill: paper.faint });
      y += ROW - 6;
    }
  }
  const widest = marks.reduce(
    (most, mark) =>
      mark.mark === "text" && mark.anchor === undefined && !mark.rotate
        ? Math.max(most, mark.x + widthOf(mark.text, mark.size))
        : most,
    width,
  );
  return {
    width: Math.ceil(widest + EDGE),
    height: Math.ceil(y + EDGE),
    font: paper.font,
    ground: paper.panel,
    title: words.pictureTitle(tokens),
    marks,
  };
}
