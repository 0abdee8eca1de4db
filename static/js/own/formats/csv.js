// A labelled matrix as CSV, as pandas writes it, or as this page does: a row for each query, a column for each key.

import { FileError } from "../../files/errors.js";

/** How this page calls its columns. */
const OURS = { label: "query token", piece: "query piece", key: /^\d+ (.*) #\d+$/s };

/**
 * @param {string} text
 * @param {(numbers: number) => void} check throws if there are too many numbers
 * @returns {{arrays: Map<string, import("./contents.js").NumberArray>, facts: Record<string, any>} | null} null: it is not a table
 */
export function readCsv(text, check) {
  const body = text.replace(/^\uFEFF/, "");
  const [first] = body.split(/\r?\n/, 1);
  const mark = ["\t", ";", ","].find((one) => first.includes(one));
  if (!mark) return null;
  const table = rowsOf(body, mark);
  const width = table[0].length;
  if (table.length < 2 && width < 2) return null;
  const other = table.findIndex((row) => row.length !== width);
  if (other > 0) {
    throw new FileError(
      `Row ${other + 1} of this table has ${table[other].length} fields; the first has ${width}. Expected one column for each key.`,
    );
  }
  const isLabelled = table[0].some((field) => field !== "" && !isNumber(field));
  const [head, rows] = isLabelled ? [table[0], table.slice(1)] : [null, table];
  const start = head ? labelColumns(head, rows) : 0;
  const keys = head?.slice(start).map((name) => unquoted(OURS.key.exec(name)?.[1] ?? name)) ?? null;
  const named = head?.indexOf(OURS.label) ?? -1;
  const queries = start ? rows.map((row) => unquoted(row[named < 0 ? start - 1 : named])) : keys;
  check(rows.length * (width - start));
  const data = Float32Array.from(
    rows.flatMap((row, index) =>
      row.slice(start).map((field, key) => {
        if (field === "") return 0; // blocked
        if (isNumber(field)) return Number(field);
        throw new FileError(
          `Row ${index + 1}, column ${key + 1} of this table is “${field}”; expected a number.`,
        );
      }),
    ),
  );
  const isOne = JSON.stringify(queries) === JSON.stringify(keys);
  return {
    arrays: new Map([["pattern", { shape: [rows.length, width - start], dtype: "CSV", data }]]),
    facts: { ...(keys && { tokens: keys }), ...(queries && !isOne && { target_tokens: queries }) },
  };
}

/** @param {string} field */
const isNumber = (field) => field.trim() !== "" && !Number.isNaN(Number(field));

/** What a spreadsheet would have read as a formula was written with an apostrophe. @param {string} label */
const unquoted = (label) => label.replace(/^'(?=[=+\-@\t\r])/, "");

/** How many columns come before the numbers. @param {string[]} head @param {string[][]} rows */
function labelColumns(head, rows) {
  const ours = head.indexOf(OURS.piece);
  if (ours >= 0) return ours + 1;
  const isText = rows.some(([label]) => label !== "" && !isNumber(label));
  return head[0] === "" || isText ? 1 : 0;
}

/** The fields of a table (RFC 4180). @param {string} text @param {string} mark between fields */
function rowsOf(text, mark) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let row = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${mark}\\r\\n]*))(${mark}|\\r?\\n|$)`, "gy");
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (!found) throw new FileError(`Row ${rows.length + 1} of this table has a stray quote.`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2]);
    if (found[3] === mark) continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push([...row, ""]);
  return rows;
}
