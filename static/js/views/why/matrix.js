// The table query part × key part: a grid that arrow keys walk, with a switch at the head of each row and column.

import { button, make } from "../../dom/dom.js";
import { mark, stepped } from "../../dom/grid.js";
import { colourAt, isLight } from "../../draw/color.js";
import * as words from "./words.js";

/** @import { At } from "../../dom/grid.js" */
/** @import { CellTable } from "../../types.d.ts" */
/** @import { Folded, Group } from "./fold.js" */
/** @import { PartSide } from "../../state/address/parts.js" */

/**
 * @param {CellTable} table
 * @param {Folded} shown
 * @param {object} look
 * @param {{query: string, key: string}} look.tokens
 * @param {(side: PartSide, part: import("../../types.d.ts").Part) => boolean} look.isOff
 * @param {Uint8ClampedArray} look.diverging
 * @param {boolean} look.open whether smaller parts are shown
 */
export function matrix(table, shown, { tokens, isOff, diverging, open }) {
  const { site, query_parts, key_parts } = table;
  const { rows, columns, values, reach } = shown;
  /** @param {Group} group @param {PartSide} side */
  const offIn = ({ places, folded }, side) => {
    const part = (side === "query" ? query_parts : key_parts)[places[0]];
    return !folded && isOff(side, part);
  };
  /** @param {Group} group @param {PartSide} side @param {number} at */
  const head = (group, side, at) => {
    const { places, folded } = group;
    const part = (side === "query" ? query_parts : key_parts)[places[0]];
    const off = offIn(group, side);
    const label = folded ? words.smaller(places.length) : words.partLabel(part, site, side);
    const title = folded ? words.LABELS.unfold : words.switchTitle(label, off);
    const made = button("", null, { class: "quiet", title }, [make("span", { text: label })]);
    if (folded) made.dataset.fold = "";
    else {
      made.dataset.part = String(places[0]);
      made.setAttribute("aria-pressed", String(off));
    }
    made.dataset.side = side;
    mark(made, side === "query" ? at : -1, side === "query" ? -1 : at);
    const kind = side === "query" ? "why-name" : "";
    const cell = make("th", { class: off ? `${kind} why-off` : kind }, [made]);
    cell.scope = side === "query" ? "row" : "col";
    return cell;
  };
  const queriesName = make("span", { class: "why-down", text: words.LABELS.queries(tokens.query) });
  const keysName = make("span", { class: "why-across", text: words.LABELS.keys(tokens.key) });
  const corner = make("td", { class: "why-corner" }, [keysName, queriesName]);
  const sum = make("th", { class: "why-sum" }, [make("span", { text: words.LABELS.sum })]);
  sum.scope = "col";
  const top = make("tr", { class: "why-top" }, [
    corner,
    ...columns.map((group, at) => head(group, "key", at)),
    sum,
  ]);
  const body = rows.map((group, row) => {
    const cells = columns.map((other, column) => {
      const off = offIn(group, "query") || offIn(other, "key");
      return entry(values[row][column], { row, column, off, share: values[row][column] / reach });
    });
    return make("tr", {}, [
      head(group, "query", row),
      ...cells,
      total(group.sum, row, columns.length, offIn(group, "query")),
    ]);
  });
  const sumRow = make("th", { class: "why-name why-sum", text: words.LABELS.sum });
  sumRow.scope = "row";
  const all = rows.reduce((more, group) => more + group.sum, 0);
  const foot = make("tr", {}, [
    sumRow,
    ...columns.map((group, at) => total(group.sum, rows.length, at, offIn(group, "key"))),
    total(all, rows.length, columns.length, false),
  ]);
  const made = make("table", { class: "why-matrix" }, [
    make("thead", {}, [top]),
    make("tbody", {}, body),
    make("tfoot", {}, [foot]),
  ]);
  made.setAttribute("role", "grid");
  made.setAttribute("aria-label", words.LABELS.table(tokens));
  made.classList.toggle("open", open);
  return made;

  /** @param {number} value @param {{row: number, column: number, off: boolean, share: number}} where */
  function entry(value, { row, column, off, share }) {
    const cell = make("td", { text: words.inCell(value), class: off ? "why-off" : "" });
    mark(cell, row, column);
    if (off) return cell;
    const colour = colourAt(diverging, share);
    cell.style.background = `rgb(${colour.join(" ")})`;
    cell.style.color = isLight(colour) ? "var(--on-light)" : "var(--on-dark)";
    return cell;
  }
}

/** @param {number} value @param {number} row @param {number} column @param {boolean} off */
function total(value, row, column, off) {
  const cell = make("td", { text: words.two(value), class: off ? "why-sum why-off" : "why-sum" });
  mark(cell, row, column);
  return cell;
}

/**
 * Where a key leads. Heads are at −1, sums at the end; there is no head of both.
 * @param {At} at
 * @param {string} key
 * @param {At} size rows and columns, without heads and sums
 * @returns {At | null} null for another key
 */
export function walked(at, key, [rows, columns]) {
  const [row] = at;
  if (key === "Home") return [row, row === -1 ? 0 : -1];
  if (key === "End") return [row, row === -1 ? columns - 1 : columns];
  const to = stepped(at, key, { from: [-1, -1], to: [rows, columns] });
  if (!to) return null;
  const exists =
    (to[0] !== -1 || (to[1] !== -1 && to[1] < columns)) && (to[1] !== -1 || to[0] < rows);
  return exists ? to : at;
}
