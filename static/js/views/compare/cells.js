// The cells of a comparison: a line for one cell, the table of the largest differences, and the legend of the marks.

import { drawScene } from "../../dom/canvas.js";
import { button, make } from "../../dom/dom.js";
import { clipped, hatchPath } from "../../draw/hatchpath.js";
import { signed, weight } from "../../words/format.js";
import { CELL, cellAt, hasNumber, largest } from "./difference.js";
import { cellInWords, EMPTY, LEGEND, TABLE, tokenName, valueInWords } from "./words.js";

/** @import { Side } from "./difference.js" */
/** @import { Picture } from "./comparison.js" */
/** @typedef {ReturnType<typeof cellAt>} Cell */

const MAX_ROWS = 12; // differences in the table
const SWATCH = 12;

/**
 * A line about a cell: its tokens, its values in A and B, and the difference.
 * @param {Cell} cell
 * @param {Side} a
 * @param {Side} b
 */
export function lineOf({ query, key, a: inA, b: inB }, a, b) {
  const both = inA !== null && inB !== null && !(inA.blocked && inB.blocked);
  return cellInWords({
    query: tokenName(query, a.queries, b.queries),
    key: tokenName(key, a.keys, b.keys),
    a: valueInWords(inA),
    b: valueInWords(inB),
    difference: both ? inB.value - inA.value : null,
  });
}

/** Why the table is empty. @param {Picture["compared"]} compared */
function reasonFor(compared) {
  const { cells, pairs } = compared;
  if (cells.some((_, at) => hasNumber(compared, at))) return EMPTY.equal;
  const [queries, keys] = [pairs.queries, pairs.keys].map((axis) =>
    axis.some(({ a, b }) => a !== null && b !== null),
  );
  if (queries && keys) return EMPTY.blocked;
  return queries ? EMPTY.keys : EMPTY.queries;
}

/**
 * The largest differences as a table.
 * @param {Picture} picture
 * @param {{point: (at: number | null) => void, choose: (at: number) => void}} on called when a row is pointed at, or chosen
 */
export function table({ a, b, compared }, { point, choose }) {
  const ranked = largest(compared, MAX_ROWS);
  if (ranked.length === 0) return make("p", { class: "faint", text: reasonFor(compared) });
  const most = Math.abs(compared.matrix.data[ranked[0]]);
  const rows = ranked.map((at) => {
    const cell = cellAt(compared, a, b, at);
    const pair = TABLE.cell(
      tokenName(cell.query, a.queries, b.queries),
      tokenName(cell.key, a.keys, b.keys),
    );
    const read = button(pair, () => choose(at), {
      class: "quiet",
      title: TABLE.read,
      verbatim: true,
    });
    read.addEventListener("focus", () => point(at));
    const change = compared.matrix.data[at];
    const row = make("tr", { class: change < 0 ? "low" : "high" }, [
      make("td", {}, [read]),
      ...[cell.a, cell.b].map((side) => make("td", { text: side ? weight(side.value) : "" })),
      make("td", { text: signed(change) }),
    ]);
    row.style.setProperty("--share", String(Math.abs(change) / most));
    row.addEventListener("pointerenter", () => point(at));
    row.addEventListener("pointerleave", () => point(null));
    return row;
  });
  const head = TABLE.columns.map((text) => {
    const cell = make("th", { text });
    cell.scope = "col";
    return cell;
  });
  return make("table", { class: "bars compare-table" }, [
    make("caption", { text: TABLE.caption }),
    make("thead", {}, [make("tr", {}, head)]),
    make("tbody", {}, rows),
  ]);
}

/**
 * The legend of the marks that occur in the difference.
 * @param {Picture} picture
 * @param {{hatch: string, paper: import("../../draw/figure.js").Paper}} colors
 */
export function legend({ compared }, { hatch, paper }) {
  const has = (/** @type {number} */ kind) => compared.cells.includes(kind);
  /** @param {string[]} angles @param {string} words */
  const item = (angles, words) => {
    const swatch = make("canvas", { class: "swatch" });
    const box = { x: 0, y: 0, width: SWATCH, height: SWATCH };
    const lines = angles.flatMap((angle) =>
      clipped(angle, SWATCH / 2, box, { rows: 1, cols: 1 }, () => true),
    );
    const path = { mark: /** @type {const} */ ("path"), d: hatchPath(lines, box), stroke: hatch };
    const size = { width: SWATCH, height: SWATCH };
    drawScene(swatch, { ...size, font: "", ground: paper.panel, title: "", marks: [path] });
    swatch.style.width = swatch.style.height = `${SWATCH}px`;
    if (angles.length === 0) swatch.style.borderColor = paper.ink;
    return make("li", {}, [swatch, document.createTextNode(words)]);
  };
  return [
    has(CELL.one) && item([], LEGEND.one),
    has(CELL.blocked) && item(["up"], LEGEND.both),
    has(CELL.alone) && item(["up", "down"], LEGEND.alone),
  ].filter((one) => one !== false);
}
