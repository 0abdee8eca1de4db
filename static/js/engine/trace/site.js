// A site, a place where attention happens, keeps its inputs and derives the rest on demand, as in model/trace/site.py. So it takes memory
// of O(tokens · d_model), and nothing is computed that nobody looks at.

import { InputError, NumericsError, UnavailableError } from "../errors.js";
import { STRIPE } from "../masks/mask.js";
import { endSlice } from "../slices.js";
import { allFinite, concat, emptyLike } from "../tensor/tensor.js";
import { givenBy, Part, TENSORS, withReads } from "./tensors.js";

/** @import { Word } from "./words.js" */
/** @import { AnyTensor, BlockedSlice, Site, TensorName } from "../types.d.ts" */

/** Slices of the softmax axis with no allowed cell: rows, or columns if over queries. @param {Site} site @returns {BlockedSlice[]} */
export const blockedSlices = ({ mask, softmax_over }) =>
  softmax_over === "key" ? mask.blocked_rows : mask.blocked_columns;

/** The names that `derive` accepts for this site. @param {Site} site */
export const tensorsOf = (site) =>
  givenBy([
    site.kernel,
    ...Object.entries(site)
      .filter(([, value]) => value !== null)
      .map(([name]) => name),
  ]);

/** The known sizes of the axes that tensors have besides batch and head. @param {Site} site @returns {Record<string, number>} */
export const sizesOf = ({ mask, q, w_o }) => ({
  row: mask.n_query,
  key: mask.n_key,
  ...(q === null ? {} : { d_head: q.shape[3] }),
  ...(w_o === null ? {} : { d_model: w_o.shape[2] }),
});

/**
 * The named tensors for some heads and query rows, of all texts or of one (batch of 1). The axes of each are batch, head and those
 * of its row in TENSORS. If the mask is the same for all heads, blocked_by has one head.
 * @param {Site} site
 * @param {readonly TensorName[]} names
 * @param {object} [chosen] null means all
 * @param {readonly number[] | null} [chosen.heads]
 * @param {[start: number, stop: number] | null} [chosen.rows]
 * @param {number | null} [chosen.text]
 * @returns {Map<TensorName, any>} Tensors, or Bits for blocked_by
 */
export function derive(site, names, { heads = null, rows = null, text = null } = {}) {
  const known = tensorsOf(site);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0)
    throw new UnavailableError(
      `${site.name} does not have ${missing.join(", ")}; it has ${known.join(", ")}.`,
      { field: "select.tensors" },
    );
  const strange = heads?.find((head) => !(head >= 0 && head < site.n_heads));
  if (strange !== undefined)
    throw new InputError(`${site.name} has heads 0 to ${site.n_heads - 1}; got ${strange}.`, {
      field: "select.heads",
    });
  const part = new Part(site, {
    heads,
    rows: rows ?? [0, site.mask.n_query],
    texts: text === null ? [0, site.mask.batch] : [text, text + 1],
    requested: withReads(names),
  });
  return new Map(
    names.map((name) => {
      const tensor = TENSORS[name].derive(part);
      if (!allFinite(tensor))
        throw new NumericsError(
          `${site.name}.${name} has numbers that are not finite; expected all finite.`,
        );
      return [name, tensor];
    }),
  );
}

/** The same sites, each with its pattern. @param {readonly Site[]} sites @returns {Site[]} */
export const derivedTogether = (sites) =>
  sites.map((site) => ({
    ...site,
    stored_pattern: site.stored_pattern ?? derive(site, ["pattern"]).get("pattern"),
  }));

/**
 * A tensor of rows and keys, pooled to at most `resolution`², derived in stripes of rows.
 *
 * By default a block has its largest cell, so that a bright one does not vanish among dark neighbours. Bits are 0 if any cell of
 * the bin has none, else all bits combined: a bin counts as blocked only if all of it is.
 * @param {Site} site
 * @param {number} resolution
 * @param {object} [chosen]
 * @param {TensorName} [chosen.name]
 * @param {readonly number[] | null} [chosen.heads]
 * @param {"max" | "mean"} [chosen.pooling]
 * @returns {any} a Tensor or Bits (batch, head, row, col)
 */
export function thumbnail(
  site,
  resolution,
  { name = "pattern", heads = null, pooling = "max" } = {},
) {
  const { n_query, n_key } = site.mask;
  const { is_bits } = TENSORS[name];
  if (is_bits && resolution >= Math.max(n_query, n_key))
    return derive(site, [name], { heads }).get(name);
  return inBins(
    site,
    { name, heads },
    binsOf(n_query, resolution),
    binsOf(n_key, resolution),
    is_bits ? commonBits : POOLINGS[pooling],
  );
}

/**
 * A tensor of rows and keys from word to word.
 * @param {Site} site
 * @param {{queries: readonly Word[][], keys: readonly Word[][]}} words of each text
 * @param {object} [chosen]
 * @param {TensorName} [chosen.name]
 * @param {readonly number[] | null} [chosen.heads]
 * @param {number | null} [chosen.resolution] the words are pooled to so many
 * @param {"max" | "mean"} [chosen.pooling]
 * @returns {any} a Tensor or Bits (batch, head, row, col)
 */
export function inWords(
  site,
  { queries, keys },
  { name = "pattern", heads = null, resolution = null, pooling = "max" } = {},
) {
  const { is_bits } = TENSORS[name];
  const [n_rows, n_cols] = [queries, keys].map((rows) =>
    Math.max(...rows.map(({ length }) => length)),
  );
  const whole = derive(site, [name], { heads }).get(name);
  const texts = queries.map((words, text) =>
    padded(merged(ofText(whole, text), words, keys[text], is_bits), n_rows, n_cols),
  );
  const found = concat(texts, 0);
  if (resolution === null || resolution >= Math.max(n_rows, n_cols)) return found;
  return pooled(
    found,
    binsOf(n_rows, resolution),
    binsOf(n_cols, resolution),
    is_bits ? commonBits : POOLINGS[pooling],
  );
}

/** A tensor of one text from word to word. @param {any} tensor @param {readonly Word[]} queries @param {readonly Word[]} keys @param {boolean} is_bits @returns {any} */
export function merged(tensor, queries, keys, is_bits) {
  const [rows, columns] = [queries, keys].map((words) =>
    words.map(({ start, stop }) => /** @type {Bin} */ ([start, stop])),
  );
  return pooled(tensor, rows, columns, is_bits ? commonBits : share);
}

/** @param {any} tensor @param {number} text */
function ofText({ shape, data }, text) {
  const size = shape[1] * shape[2] * shape[3];
  return { shape: [1, ...shape.slice(1)], data: data.subarray(text * size, (text + 1) * size) };
}

/** A text with fewer words than another has zeros after its own. @param {any} tensor @param {number} rows @param {number} cols @returns {any} */
function padded(tensor, rows, cols) {
  const [, heads, n_rows, n_cols] = tensor.shape;
  const to = emptyLike(tensor, heads * rows * cols);
  for (let head = 0; head < heads; head++)
    for (let row = 0; row < n_rows; row++) {
      const from = (head * n_rows + row) * n_cols;
      to.set(tensor.data.subarray(from, from + n_cols), (head * rows + row) * cols);
    }
  return { shape: [1, heads, rows, cols], data: to };
}

/** @param {Site} site @param {{name: TensorName, heads: readonly number[] | null}} chosen @param {Bin[]} bins @param {Bin[]} columns @param {typeof largest} pool */
function inBins(site, { name, heads }, bins, columns, pool) {
  const each = Math.max(1, Math.floor((STRIPE * bins.length) / site.mask.n_query)); // whole bins in a stripe
  const stripes = [];
  for (let first = 0; first < bins.length; first += each) {
    endSlice();
    const here = bins.slice(first, first + each);
    const [start, stop] = [here[0][0], here[here.length - 1][1]];
    const rows = here.map(([a, b]) => /** @type {Bin} */ ([a - start, b - start]));
    const whole = derive(site, [name], { heads, rows: [start, stop] }).get(name);
    stripes.push(pooled(whole, rows, columns, pool));
  }
  return concat(stripes, 2);
}

/** @typedef {[start: number, stop: number]} Bin */

/** At most `maximum` bins over n positions, cut as by torch's adaptive_max_pool2d. @param {number} n @param {number} maximum @returns {Bin[]} */
const binsOf = (n, maximum) => {
  const size = Math.min(n, maximum);
  return Array.from({ length: size }, (_, index) => [
    Math.floor((index * n) / size),
    Math.ceil(((index + 1) * n) / size),
  ]);
};

/**
 * One number for each bin of rows and columns.
 * @template {AnyTensor} T
 * @param {T} tensor (batch, head, row, key)
 * @param {readonly Bin[]} rows
 * @param {readonly Bin[]} columns
 * @param {(data: T["data"], from: number, rowBin: Bin, columnBin: Bin, n_key: number) => number} pool
 * @returns {T}
 */
function pooled(tensor, rows, columns, pool) {
  const { shape, data } = tensor;
  const [batch, n_heads, n_rows, n_key] = shape;
  const to = emptyLike(tensor, batch * n_heads * rows.length * columns.length);
  let cell = 0;
  for (let matrix = 0; matrix < batch * n_heads; matrix++)
    for (const rowBin of rows)
      for (const columnBin of columns)
        to[cell++] = pool(data, matrix * n_rows * n_key, rowBin, columnBin, n_key);
  return /** @type {T} */ ({ shape: [batch, n_heads, rows.length, columns.length], data: to });
}

/** @type {(data: ArrayLike<number>, from: number, rows: Bin, columns: Bin, n_key: number) => number} */
function largest(data, from, rows, columns, n_key) {
  let found = -Infinity;
  for (let row = rows[0]; row < rows[1]; row++)
    for (let key = columns[0]; key < columns[1]; key++) {
      const value = data[from + row * n_key + key];
      if (value > found) found = value;
    }
  return found;
}

/** A blocked cell counts as 0. @type {typeof largest} */
function mean(data, from, rows, columns, n_key) {
  let sum = 0;
  for (let row = rows[0]; row < rows[1]; row++)
    for (let key = columns[0]; key < columns[1]; key++) sum += data[from + row * n_key + key];
  return sum / ((rows[1] - rows[0]) * (columns[1] - columns[0]));
}

/** All that several tokens give to several, in their mean. @type {typeof largest} */
const share = (data, from, rows, columns, n_key) =>
  mean(data, from, rows, columns, n_key) * (columns[1] - columns[0]);

/** A kind of pooling is a row. */
const POOLINGS = { max: largest, mean };

/** All bits of a bin combined if each of its cells has one; else 0. @type {typeof largest} */
function commonBits(data, from, rows, columns, n_key) {
  let found = 0;
  for (let row = rows[0]; row < rows[1]; row++)
    for (let key = columns[0]; key < columns[1]; key++) {
      const bits = data[from + row * n_key + key];
      if (bits === 0) return 0;
      found |= bits;
    }
  return found;
}
