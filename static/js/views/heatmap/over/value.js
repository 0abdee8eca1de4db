// What stands beside the pointer: the value of a cell, or why it has none. Pure.

import { exactRow } from "../../../numbers/detail.js";
import { MATRICES } from "../../../state/matrices.js";
import { decimal } from "../../../words/format.js";
import { explain } from "../../../words/hatch.js";
import { blockedInWords, leakedInWords, valueInWords, WAITING } from "../words.js";

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
