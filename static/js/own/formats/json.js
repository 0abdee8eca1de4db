// Arrays of numbers in JSON, as nested lists.

import { FileError } from "../../files/errors.js";
import { fromInseq, isInseq } from "./inseq.js";

/** @import { NumberArray } from "./contents.js" */

const DEEPEST = 8; // axes

/**
 * @param {string} text
 * @param {(numbers: number) => void} check throws if there are too many numbers
 * @returns {{arrays: Map<string, NumberArray>, facts: Record<string, any>}}
 */
export function readJson(text, check) {
  const document = parsed(text.replace(/^\uFEFF/, ""));
  const named = Array.isArray(document)
    ? { array: document }
    : isInseq(document)
      ? fromInseq(document)
      : document;
  /** @type {Map<string, NumberArray>} */
  const arrays = new Map();
  /** @type {Record<string, any>} */
  const facts = {};
  let numbers = 0;
  for (const [name, value] of Object.entries(named)) {
    if (!isNumbers(value)) {
      facts[name] = value;
      continue;
    }
    const shape = shapeOf(value, name);
    numbers += shape.reduce((a, b) => a * b, 1);
    check(numbers); // before anything of this size is made
    arrays.set(name, arrayOf(value, name, shape));
  }
  return { arrays, facts };
}

/** @param {string} text */
function parsed(text) {
  const isOfInseq = text.includes('"sequence_attributions"'); // whose NaN stand for what comes later
  try {
    return JSON.parse(isOfInseq ? text.replace(/(?<=[[,:\s])NaN(?=[\],}\s])/g, "null") : text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/[[,:\s]-?(NaN|Infinity)\b/.test(text)) {
      throw new FileError(
        "This file is not valid JSON: it has NaN or Infinity, which JSON does not know. Python writes them without a warning; a row that attends to nothing must be zeros.",
      );
    }
    throw new FileError(`This file is not valid JSON, or it is cut short: ${reason}.`);
  }
}

/** Whether it is a list of numbers, or lists of such. @param {any} value */
function isNumbers(value) {
  let first = value;
  while (Array.isArray(first) && first.length > 0) first = first[0];
  return Array.isArray(value) && (typeof first === "number" || first === null);
}

/** The shape, if all lists are as long as the first of their depth. @param {any[]} list @param {string} name */
function shapeOf(list, name) {
  /** @type {number[]} */
  const shape = [];
  for (let first = list; Array.isArray(first); first = first[0]) {
    shape.push(first.length);
    if (shape.length > DEEPEST)
      throw new FileError(`${name} has more than ${DEEPEST} lists in each other.`);
  }
  return shape;
}

/** @param {any[]} list @param {string} name @param {number[]} shape @returns {NumberArray} */
function arrayOf(list, name, shape) {
  const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
  let at = 0;
  /** @param {any} part @param {number} axis @param {string} where */
  const fill = (part, axis, where) => {
    if (axis === shape.length) {
      if (typeof part !== "number")
        throw new FileError(`${where} is ${shown(part)}; expected a number.`);
      data[at] = part;
      at += 1;
      return;
    }
    if (!Array.isArray(part)) throw new FileError(`${where} is ${shown(part)}; expected a list.`);
    if (part.length !== shape[axis]) {
      throw new FileError(
        `The lists of ${name} differ in length: the length of ${where} is ${part.length}, and that of the first is ${shape[axis]}. Pad the shorter ones.`,
      );
    }
    part.forEach((one, index) => {
      fill(one, axis + 1, `${where}[${index}]`);
    });
  };
  fill(list, 0, name);
  return { shape, dtype: "JSON", data };
}

/** @param {any} value */
const shown = (value) => (Array.isArray(value) ? "a list" : JSON.stringify(value));
