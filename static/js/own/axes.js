// Which axis of an array is which: a guess from names, sizes and sums, and arrays with their axes in one fixed order.

import { FileError } from "../files/errors.js";
import { isHooked } from "./names.js";

/** @import { NumberArray } from "./formats/contents.js" */
/** @import { Named } from "./names.js" */
/** @typedef {"layer" | "text" | "head" | "query" | "key" | "position" | "channel"} Axis */

/** The axes that a pattern has, and those that q, k and v have, in our order. */
export const AXES = /** @type {const} */ ({
  pattern: ["layer", "text", "head", "query", "key"],
  vectors: ["layer", "text", "head", "position", "channel"],
});

/** @typedef {keyof typeof AXES} Family */

const SAMPLES = 200; // rows that are summed for a guess
const CLOSE = 0.02; // to one: float16 and bfloat16 round

/**
 * @param {Family} family
 * @param {NumberArray} array the first of its family
 * @param {Named} named
 * @param {number | null} n_tokens null: not known
 * @returns {Axis[]}
 */
export function guessAxes(family, array, named, n_tokens) {
  const { shape } = array;
  const usual = usualAxes(family, shape, named);
  const fits =
    family === "pattern"
      ? (/** @type {Axis[]} */ axes) => fitsPattern(array, axes, n_tokens)
      : (/** @type {Axis[]} */ axes) =>
          n_tokens === null || shape[axes.indexOf("position")] === n_tokens;
  if (fits(usual)) return usual;
  const right = orders(usual).filter(fits);
  const isSquare = (/** @type {Axis[]} */ axes) =>
    shape[axes.indexOf("query")] === shape[axes.indexOf("key")];
  return right.find(isSquare) ?? right[0] ?? usual;
}

/** @param {Family} family @param {number[]} shape @param {Named} named @returns {Axis[]} */
function usualAxes(family, shape, { name, layer }) {
  const all = AXES[family];
  if (shape.length < 2 || shape.length > all.length) {
    throw new FileError(
      `${name} has the shape [${shape.join(", ")}]; expected 2 to ${all.length} axes, such as [${all.filter((axis) => axis !== "text").join(", ")}].`,
    );
  }
  const hooked = isHooked(name) && shape.length === 4;
  if (hooked) return ["text", "position", "head", "channel"];
  // with a number in its name, an array is one layer: its first axis is then the batch
  const first = shape.length === 4 && layer !== null ? "text" : "layer";
  const rest = all.filter(
    (axis) => shape.length === 5 || axis !== (first === "text" ? "layer" : "text"),
  );
  return [...rest.slice(rest.length - shape.length)];
}

/** @param {NumberArray} array @param {Axis[]} axes @param {number | null} n_tokens */
function fitsPattern({ shape, data }, axes, n_tokens) {
  const key = axes.indexOf("key");
  if (n_tokens !== null && shape[key] !== n_tokens) return false;
  const stride = shape.slice(key + 1).reduce((a, b) => a * b, 1);
  const n_rows = data.length / shape[key];
  for (let sample = 0; sample < Math.min(SAMPLES, n_rows); sample++) {
    const row = Math.floor((sample * n_rows) / Math.min(SAMPLES, n_rows));
    const begin = Math.floor(row / stride) * stride * shape[key] + (row % stride);
    let sum = 0;
    for (let at = 0; at < shape[key]; at++) sum += data[begin + at * stride];
    if (Math.abs(sum - 1) > CLOSE && sum !== 0) return false;
  }
  return true;
}

/** Every order of some axes. @param {Axis[]} axes @returns {Axis[][]} */
function orders(axes) {
  if (axes.length < 2) return [axes];
  return axes.flatMap((axis, index) =>
    orders(axes.filter((_, other) => other !== index)).map((rest) => [axis, ...rest]),
  );
}

/**
 * What is wrong with the axes that a reader chose; "" for nothing.
 * @param {Family} family
 * @param {Axis[]} axes
 */
export function axesProblem(family, axes) {
  const twice = axes.find((axis, index) => axes.indexOf(axis) !== index);
  if (twice) return `Two axes are called “${AXIS_LABELS[twice]}”. Each can be chosen once.`;
  const missing = AXES[family].slice(3).find((axis) => !axes.includes(axis));
  return missing ? `No axis is called “${AXIS_LABELS[missing]}”, which is needed.` : "";
}

/** @type {Record<Axis, string>} */
export const AXIS_LABELS = {
  layer: "layer",
  text: "text",
  head: "head",
  query: "query",
  key: "key",
  position: "token",
  channel: "d_head",
};

/**
 * An array with all five axes of its family in our order; axes that it does not have get size 1.
 * @param {Family} family
 * @param {NumberArray} array
 * @param {Axis[]} axes
 * @returns {NumberArray}
 */
export function ordered(family, { shape, dtype, data }, axes) {
  const places = AXES[family].map((axis) => axes.indexOf(axis));
  const sizes = places.map((place) => (place < 0 ? 1 : shape[place]));
  const inOrder = places
    .filter((place) => place >= 0)
    .every((place, at, all) => at === 0 || place > all[at - 1]);
  if (inOrder) return { shape: sizes, dtype, data };
  const strides = places.map((place) =>
    place < 0 ? 0 : shape.slice(place + 1).reduce((a, b) => a * b, 1),
  );
  const found = data.slice();
  const [a, b, c, d, e] = sizes;
  let to = 0;
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++)
      for (let k = 0; k < c; k++)
        for (let l = 0; l < d; l++) {
          let from = i * strides[0] + j * strides[1] + k * strides[2] + l * strides[3];
          for (let m = 0; m < e; m++, from += strides[4]) found[to++] = data[from];
        }
  return { shape: sizes, dtype, data: found };
}
