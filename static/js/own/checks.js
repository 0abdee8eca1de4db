// What the numbers of a reader's own file must be, and what they usually are.

import { FileError } from "../files/errors.js";

/** @import { NumberArray } from "./formats/contents.js" */

const SLACK = 0.02; // of a row's sum: float16 and bfloat16 round
const NEGATIVE = -1e-6;

/** @param {readonly string[]} axes @param {number[]} shape @param {number} at */
function placeOf(axes, shape, at) {
  let rest = at;
  const places = shape.map((_, axis) => {
    const stride = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    const place = Math.floor(rest / stride);
    rest %= stride;
    return place;
  });
  // an axis of size 1 says nothing
  const named = axes.flatMap((axis, index) => (shape[index] > 1 ? `${axis} ${places[index]}` : []));
  return named.join(", ") || "its only place";
}

/**
 * @param {string} name
 * @param {NumberArray} array
 * @param {readonly string[]} axes
 * @throws {FileError} saying where the first number is that is not finite
 */
export function checkFinite(name, { shape, data }, axes) {
  if (data instanceof Uint8Array) return;
  const first = data.findIndex((number) => !Number.isFinite(number));
  if (first < 0) return;
  const count = data.reduce((n, number) => n + (Number.isFinite(number) ? 0 : 1), 0);
  const what = Number.isNaN(data[first]) ? "NaN" : data[first] > 0 ? "Infinity" : "−Infinity";
  const more =
    count > 1
      ? ` and ${(count - 1).toLocaleString("en")} more such ${count === 2 ? "number" : "numbers"}`
      : "";
  const advice =
    what === "NaN"
      ? "A row that may attend to nothing is NaN after a softmax: set it to zeros."
      : "Save the pattern after the softmax, not masked scores.";
  throw new FileError(`${name} has ${what} at ${placeOf(axes, shape, first)}${more}. ${advice}`);
}

/**
 * @param {string} name
 * @param {NumberArray} array a pattern, its last axis the keys
 * @param {readonly string[]} axes
 * @returns {string[]} warnings
 * @throws {FileError} if it cannot be a pattern
 */
export function checkPattern(name, { shape, data }, axes) {
  const negative = data.findIndex((number) => number < NEGATIVE);
  if (negative >= 0) {
    throw new FileError(
      `${name} has ${data[negative].toPrecision(3)} at ${placeOf(axes, shape, negative)}, but a share of attention is never negative. These may be scores: save the pattern after the softmax.`,
    );
  }
  const n_key = shape[shape.length - 1];
  let off = 0;
  let worst = { sum: 1, row: 0 };
  let isBelow = true;
  for (let row = 0; row * n_key < data.length; row++) {
    let sum = 0;
    for (let at = row * n_key; at < (row + 1) * n_key; at++) sum += data[at];
    if (sum === 0 || Math.abs(sum - 1) <= SLACK) continue;
    off += 1;
    isBelow &&= sum < 1;
    if (Math.abs(sum - 1) > Math.abs(worst.sum - 1)) worst = { sum, row };
  }
  if (off === 0) return [];
  const rows = data.length / n_key;
  const where = placeOf(axes.slice(0, -1), shape.slice(0, -1), worst.row);
  return [
    `${off === rows ? "No row" : `${off.toLocaleString("en")} of ${rows.toLocaleString("en")} rows`} of ${name} ${off === rows ? "sums" : "do not sum"} to 1; furthest is ${where}, with a sum of ${worst.sum.toPrecision(3)}. The numbers are shown as they are. ${isBelow ? "The rest may have gone to a sink, as in gpt-oss, or to keys that are not in the file." : "Perhaps query and key are exchanged, or these are not shares of attention."}`,
  ];
}
