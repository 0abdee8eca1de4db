// The selection of tensors that a request wants sent back for each site. Mirrors server/schemas/select.py.

import { TENSORS } from "../../tensors.js";
import { list, record } from "../containers.js";
import { choice, index, integer, kind, optional, unique } from "../fields.js";

const SHARES = Object.keys(TENSORS).filter((name) => TENSORS[name].is_share);
const POOLINGS = ["max", "mean"];
const DTYPES = ["float32", "float16", "uint8"];

/** @typedef {import("../arrays.js").DType} DType */

/**
 * @typedef {object} Select
 * @property {string[]} tensors
 * @property {number[] | null} layers
 * @property {import("../../types.d.ts").Kind[] | null} kinds
 * @property {number[] | null} heads
 * @property {[start: number, stop: number] | null} rows
 * @property {number | null} resolution
 * @property {"max" | "mean"} pooling
 * @property {DType} dtype
 */

/** @param {Select} select @returns {string | null} */
function fitsTogether({ tensors, rows, resolution, pooling, dtype }) {
  const allShares = tensors.every((name) => SHARES.includes(name));
  if (rows !== null && rows[0] >= rows[1]) {
    return "rows are [start, stop) with start < stop: at least one row";
  }
  if (resolution !== null && !allShares) {
    return `resolution is for ${SHARES.join(", ")}; ask for the others without it`;
  }
  if (resolution !== null && rows !== null) {
    return "resolution shrinks whole patterns; send either resolution or rows";
  }
  if (resolution === null && pooling !== "max") {
    return "pooling merges the cells of a block; send a resolution with it";
  }
  if (dtype === "uint8" && !allShares) {
    return `uint8 is for ${SHARES.join(", ")}; ask for the others as float32 or float16`;
  }
  return null;
}

export const SELECT = record(
  "Select",
  {
    tensors: [unique(list(choice(Object.keys(TENSORS)), { min: 1 })), ["pattern"]],
    layers: [optional(unique(list(index))), null],
    kinds: [optional(unique(list(kind, { min: 1 }))), null],
    heads: [optional(unique(list(index, { min: 1 }))), null],
    rows: [optional(list(index, { min: 2, max: 2 })), null],
    resolution: [optional(integer({ ge: 1, le: 1024 })), null],
    pooling: [choice(POOLINGS), "max"],
    dtype: [choice(DTYPES), "float32"],
  },
  fitsTogether,
);

/** @type {Select} what a request without `select` asks for: every head's pattern */
export const EVERY_PATTERN = SELECT({}, [], []);
