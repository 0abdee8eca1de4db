// The rows below the table of parts, which sum to the score.

import { make } from "../../dom/dom.js";
import { total } from "./fold.js";
import * as words from "./words.js";

/** @import { CellTable } from "../../types.d.ts" */

const TOLERANCE = 1e-3; // of the score: a larger remainder is not rounding

/**
 * The names and numbers of the rows, the score last; what the head does not have is left out.
 * @param {CellTable} table
 * @returns {{name: keyof typeof words.TOTALS, value: number}[]}
 */
export function totalsOf({ values, soft_cap, bias, remainder, score, switched }) {
  return [
    { name: "pairs", value: total(values) },
    ...(soft_cap === null ? [] : [{ name: /** @type {const} */ ("soft_cap"), value: soft_cap }]),
    ...(bias === null ? [] : [{ name: /** @type {const} */ ("bias"), value: bias }]),
    { name: "remainder", value: remainder },
    { name: "score", value: score },
    ...(switched ? [{ name: /** @type {const} */ ("without"), value: switched.score }] : []),
  ];
}

/** Whether the parts are all that the score is made of. @param {Pick<CellTable, "remainder" | "score">} table */
export const isExact = ({ remainder, score }) =>
  Math.abs(remainder) <= TOLERANCE * Math.max(1, Math.abs(score));

/** @param {CellTable} table */
export function totals(table) {
  const rows = totalsOf(table).map(({ name, value }) => {
    const head = make("th", { text: words.TOTALS[name] });
    head.scope = "row";
    const row = make("tr", {}, [
      head,
      make("td", { class: "why-number", text: words.exact(value) }),
    ]);
    row.dataset.total = name;
    return row;
  });
  const caption = make("caption", { class: "unseen", text: words.TOTALS.caption });
  const made = make("table", { class: "why-totals" }, [caption, make("tbody", {}, rows)]);
  const warning = isExact(table) ? [] : [make("p", { text: words.inexact(table.remainder) })];
  return [made, ...warning];
}
