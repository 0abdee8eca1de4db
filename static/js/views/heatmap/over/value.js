// What stands beside the pointer: the value of a cell, or why it has none. Pure.

import { exactRow } from "../../../numbers/detail.js";
import { MATRICES } from "../../../state/matrices.js";
import { decimal } from "../../../words/format.js";
import { explain } from "../../../words/hatch.js";
import { bold, parts } from "../../../words/parts.js";

/** @import { Part } from "../../../words/parts.js" */

/**
 * @param {import("../picture.js").Detail} detail
 * @param {import("../../../types.d.ts").Matrix} matrix
 * @param {readonly [query: number, key: number]} cell
 * @returns {import("../../../words/parts.js").Part[]}
 */
export function cellValue(detail, matrix, [query, key]) {
  const row = exactRow(detail, matrix, query);
  if (!row) return WAITING;
  const reason = explain(row.blocked[key]);
  const number = row.values[key];
  const isScore = MATRICES[matrix].scale === "signed"; // which a blocked cell has, too
  if (reason && !isScore && number === 0) return blockedInWords(reason);
  const said = { unit: MATRICES[matrix].unit, value: decimal(number) };
  return reason && !isScore ? leakedInWords({ ...said, reason }) : valueInWords(said);
}

/** @param {{unit: string, value: string}} number @returns {Part[]} */
export const valueInWords = ({ unit, value }) => parts`${unit} ${bold(value)}`;

/** @param {string} reason @returns {Part[]} */
export const blockedInWords = (reason) => parts`blocked by ${bold(reason)}`;

/** Weight that leaked into a cell which a mask blocks. @param {{unit: string, value: string, reason: string}} cell @returns {Part[]} */
export const leakedInWords = ({ unit, value, reason }) =>
  parts`${unit} ${bold(value)}, although blocked by ${reason}`;

/** Until the numbers of a long text have arrived. @type {Part[]} */
export const WAITING = ["…"];
