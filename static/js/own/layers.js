// The layers of a reader's own file: arrays cut into layers, and checked against each other.

import { FileError } from "../files/errors.js";
import { AXES, ordered } from "./axes.js";
import { checkFinite, checkPattern } from "./checks.js";
import { LIMITS, SHORTER } from "./limits.js";

/** @import { Kind, Tensor } from "../types.d.ts" */
/** @import { Contents, NumberArray } from "./formats/contents.js" */
/** @import { Group, Settings } from "./guess.js" */
/** @import { Part } from "./names.js" */

/** One layer of a kind: its arrays are (text, head, …). @typedef {{kind: Kind, layer: number, parts: Partial<Record<Part, Tensor>>}} Layer */

/**
 * The layers of one kind of sites, checked, each with its axes in order.
 * @param {Group} group
 * @param {Contents} contents
 * @param {Settings} settings
 * @param {string[]} remarks
 * @returns {Layer[]}
 */
export function layersOf({ kind, parts }, { arrays }, { axes, first }, remarks) {
  /** @type {Partial<Record<Part, Tensor[]>>} */
  const lists = {};
  for (const [part, all] of Object.entries(parts)) {
    const family = part === "pattern" ? "pattern" : "vectors";
    const order = axes[family];
    if (!order) continue;
    lists[/** @type {Part} */ (part)] = all.flatMap(({ name }) => {
      const array = /** @type {NumberArray} */ (arrays.get(name));
      if (array.shape.length !== order.length) {
        throw new FileError(
          `${name} has ${array.shape.length} axes, [${array.shape.join(", ")}], but the others have ${order.length}. All layers need the same axes.`,
        );
      }
      if (array.data.length === 0)
        throw new FileError(`${name} is empty: its shape is [${array.shape.join(", ")}].`);
      checkFinite(name, array, order);
      const whole = ordered(family, array, order);
      if (part === "pattern") remarks.push(...checkPattern(name, whole, AXES.pattern));
      return split(whole).map((layer) => someTexts(layer, first));
    });
  }
  const n_layers = agreed(lists, kind);
  const used = lists.q && lists.k ? lists : { pattern: lists.pattern ?? [] };
  return Array.from({ length: n_layers }, (_, layer) => ({
    kind,
    layer,
    parts: Object.fromEntries(Object.entries(used).map(([part, list]) => [part, list[layer]])),
  }));
}

/** The layers of an array. @param {NumberArray} array (layer, …) @returns {Tensor[]} (…) */
function split({ shape, data }) {
  const numbers = data instanceof Uint8Array ? Float32Array.from(data) : data;
  const [n_layers, ...rest] = shape;
  const size = numbers.length / n_layers;
  return Array.from({ length: n_layers }, (_, layer) => ({
    shape: rest,
    data: numbers.slice(layer * size, (layer + 1) * size),
  }));
}

/** Of a batch as many texts as the page shows, from `first` on. @param {Tensor} layer (text, …) @param {number} first @returns {Tensor} */
function someTexts({ shape: [texts, ...rest], data }, first) {
  if (texts <= LIMITS.texts) return { shape: [texts, ...rest], data };
  const from = Math.min(Math.max(0, first), texts - 1);
  const until = Math.min(texts, from + LIMITS.texts);
  const size = data.length / texts;
  return { shape: [until - from, ...rest], data: data.slice(from * size, until * size) };
}

/** The number of layers, if the parts agree on it and on their sizes. @param {Partial<Record<Part, Tensor[]>>} lists @param {Kind} kind */
function agreed(lists, kind) {
  const { pattern, q, k, v } = lists;
  if (q && !k && !pattern)
    throw new FileError("The file has q but no k. Save both, or the pattern.");
  const all = Object.entries(lists);
  const [[first, { length }]] = all;
  for (const [part, { length: other }] of all) {
    if (other !== length) {
      throw new FileError(
        `The shapes do not agree: ${first} has ${layersIn(length)}, ${part} has ${layersIn(other)}${kind === "self" ? "" : ` (${kind})`}.`,
      );
    }
  }
  for (let layer = 0; layer < length; layer++) {
    const [one, query, key, value] = [pattern, q, k, v].map((list) => list?.[layer].shape);
    /** @param {boolean} isRight @param {string} what */
    const expect = (isRight, what) => {
      if (!isRight) {
        const shapes = { pattern: one, q: query, k: key, v: value };
        const list = Object.entries(shapes).flatMap(([part, shape]) =>
          shape ? `${part} [${shape.join(", ")}]` : [],
        );
        throw new FileError(
          `The shapes do not agree in layer ${layer}: ${what}. It has ${list.join(", ")} (text, head, then the rest).`,
        );
      }
    };
    if (query && key) {
      expect(query[0] === key[0], "q and k have different numbers of texts");
      expect(query[3] === key[3], "q and k differ in d_head");
      expect(query[1] % key[1] === 0, "the heads of q are not a multiple of those of k");
      if (value) {
        expect(value[1] === key[1], "k and v have different numbers of heads");
        expect(
          value[2] === key[2] && value[0] === key[0],
          "k and v have different numbers of tokens",
        );
      }
      if (one) {
        expect(
          one[0] === query[0] && one[1] === query[1],
          "the pattern and q have different numbers of heads",
        );
        expect(
          one[2] === query[2] && one[3] === key[2],
          "the pattern and q, k have different numbers of tokens",
        );
      }
    }
  }
  return length;
}

/** @param {number} n */
const layersIn = (n) => (n === 1 ? "1 layer" : `${n} layers`);

/** The numbers of texts and tokens. @param {Layer[]} layers @param {boolean} two */
export function sizesOf(layers, two) {
  /** @type {{texts: number, keys: number | null, queries: number | null}} */
  const sizes = { texts: 0, keys: null, queries: null };
  let heads = 0;
  for (const { kind, layer, parts } of layers) {
    const { pattern, q, k } = parts;
    const shape = pattern?.shape ?? [...(q?.shape.slice(0, 3) ?? []), k?.shape[2] ?? 0];
    const [texts, n_heads, n_query, n_key] = shape;
    heads += n_heads;
    const isDecoder = kind === "decoder";
    const isCross = kind === "cross" || (kind === "self" && two);
    if (!isCross && n_query !== n_key) {
      throw new FileError(
        `The shapes do not agree: layer ${layer} has ${n_query} queries and ${n_key} keys. If these are two sequences, say so; otherwise check which axis is which.`,
      );
    }
    /** @param {"texts" | "keys" | "queries"} what @param {number} n */
    const agree = (what, n) => {
      const before = sizes[what];
      if (before && before !== n)
        throw new FileError(
          `The shapes do not agree: layer ${layer}${kind === "self" ? "" : ` (${kind})`} has ${n} ${what}, others have ${before}.`,
        );
      sizes[what] = n;
    };
    agree("texts", texts);
    if (!isDecoder) agree("keys", n_key);
    if (isDecoder || isCross) agree("queries", n_query);
  }
  const tokens = Math.max(sizes.keys ?? 0, sizes.queries ?? 0);
  limit(tokens, LIMITS.tokens, "tokens", SHORTER);
  limit(heads, LIMITS.heads, "heads in all layers", "Save some of the layers, or of the heads.");
  return { ...sizes, keys: sizes.keys ?? 0 };
}

/** @param {number} n @param {number} most @param {string} what @param {string} advice */
export function limit(n, most, what, advice) {
  if (n > most)
    throw new FileError(
      `The file has ${n.toLocaleString("en")} ${what}; the page shows up to ${most.toLocaleString("en")}. ${advice}`,
    );
}
