// The cells of a comparison in words: a line for one cell, the table of the largest differences, and the legend of the marks.

import { drawScene } from "../../dom/canvas.js";
import { button, make } from "../../dom/dom.js";
import { clipped, hatchPath } from "../../draw/hatchpath.js";
import { weight } from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { CELL, cellAt, hasNumber, largest } from "./difference.js";

/** @typedef {import("./align.js").Pair} Pair */
/** @typedef {import("./difference.js").Side} Side */
/** @typedef {import("./comparison.js").Picture} Picture */
/** @typedef {ReturnType<typeof cellAt>} Cell */

const MAX_ROWS = 12; // differences in the table
const SWATCH = 12;

/** @param {string} text */
const strong = (text) => make("b", { text });

/** A difference with its sign. @param {number} value */
export const signed = (value) =>
  `${value < 0 ? "−" : value > 0 ? "+" : ""}${weight(Math.abs(value))}`;

/**
 * A cell in words: its tokens, its values in A and B, and the difference.
 * @param {Cell} cell
 * @param {Side} a
 * @param {Side} b
 * @returns {(string | Node)[]}
 */
export function inWords({ query, key, a: inA, b: inB }, a, b) {
  const both = inA !== null && inB !== null;
  const number = both && !(inA.blocked && inB.blocked);
  return [
    ...["query ", strong(named(query, a.queries, b.queries)), " → key "],
    ...[strong(named(key, a.keys, b.keys)), ": "],
    ...["A ", ...saidOf(inA), ", B ", ...saidOf(inB)],
    ...(number ? [", B − A ", strong(signed(inB.value - inA.value))] : []),
  ];
}

/** @param {Cell["a"]} side */
function saidOf(side) {
  if (!side) return ["has no such cell"];
  const reason = explain(side.blocked);
  return [strong(weight(side.value)), reason && ` (blocked by ${reason})`];
}

/** A token with its positions. @param {Pair} pair @param {string[]} a @param {string[]} b */
function named({ a: inA, b: inB }, a, b) {
  if (inA === null) return `${inB} ${b[inB ?? 0]} (only in B)`;
  if (inB === null) return `${inA} ${a[inA]} (only in A)`;
  const place = inA === inB ? `${inA}` : `${inA} | ${inB}`;
  return `${place} ${a[inA] === b[inB] ? a[inA] : `${a[inA]} | ${b[inB]}`}`;
}

/** Why there is no difference. @param {Picture["compared"]} compared */
function nothing(compared) {
  const { cells, pairs } = compared;
  if (cells.some((_, at) => hasNumber(compared, at))) return "No cell differs.";
  const [queries, keys] = [pairs.queries, pairs.keys].map((axis) =>
    axis.some(({ a, b }) => a !== null && b !== null),
  );
  if (queries && keys)
    return "No cell can be compared: every cell that A and B share is blocked in both.";
  return `No cell can be compared: A and B have no ${queries ? "key" : "query"} in common.`;
}

/**
 * The largest differences as a table.
 * @param {Picture} picture
 * @param {{point: (at: number | null) => void, choose: (at: number) => void}} on called when a row is pointed at, or chosen
 */
export function table({ a, b, compared }, { point, choose }) {
  const found = largest(compared, MAX_ROWS);
  if (found.length === 0) return make("p", { class: "faint", text: nothing(compared) });
  const most = Math.abs(compared.matrix.data[found[0]]);
  const rows = found.map((at) => {
    const cell = cellAt(compared, a, b, at);
    const pair = `${named(cell.query, a.queries, b.queries)} → ${named(cell.key, a.keys, b.keys)}`;
    const read = button(pair, () => choose(at), { class: "quiet", title: "Read this row" });
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
  const head = ["query → key", "A", "B", "B − A"].map((text) => {
    const cell = make("th", { text });
    cell.scope = "col";
    return cell;
  });
  return make("table", { class: "bars compare-table" }, [
    make("caption", { text: "The largest differences" }),
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
    has(CELL.one) && item([], "outlined: blocked in one of the two"),
    has(CELL.blocked) && item(["up"], "hatched: blocked in both"),
    has(CELL.alone) &&
      item(["up", "down"], "cross-hatched: a token that only A (−) or only B (+) has"),
  ].filter((one) => one !== false);
}
