// One look at a trace, a selection of tensors to send back: its sites, its size and its arrays. A request has one look, `select`,
// or several with names, `parts`. Mirrors server/api/looks.py.

import { InputError, UnavailableError } from "../errors.js";
import { derive, inWords, sizesOf, tensorsOf, thumbnail } from "../trace/site.js";
import { TENSORS } from "../trace/tensors.js";
import { wordsOfRow } from "../trace/words.js";
import { toArray } from "./arrays.js";

/** @import { Site, Trace } from "../types.d.ts" */
/** @import { Stored } from "../../files/safetensors-writer.js" */
/** @import { Select, TraceRequest } from "./request.js" */
/** @import { DType } from "./arrays.js" */

/** A selection from a trace, with its name in `parts`; null if it is the request's `select`. @typedef {{select: Select, part: string | null}} Look */

/** @type {Record<DType, number>} */
export const ITEM_BYTES = { float32: 4, float16: 2, uint8: 1 };
/** Per number in JSON. @type {Record<DType, number>} */
export const JSON_BYTES = { float32: 13, float16: 9, uint8: 4 };

/** The looks of a request: its `select`, or its `parts`. @param {TraceRequest} request @returns {Look[]} */
export const looksOf = ({ select, parts }) =>
  parts === null
    ? [{ select, part: null }]
    : Array.from(parts, ([part, chosen]) => ({ select: chosen, part }));

/** Its field in the request. @param {Look} look */
export const fieldOf = ({ part }) => (part === null ? "select" : `parts.${part}`);

/** The start of its tensors' names in safetensors. @param {Look} look */
export const prefixOf = ({ part }) => (part === null ? "" : `${part}/`);

/**
 * The selected sites, which are known to have everything that is selected.
 * @param {Look} look
 * @param {Trace} trace
 * @returns {Site[]}
 * @throws {InputError} this trace does not have a layer, head or row
 * @throws {UnavailableError} a site does not have a tensor
 */
export function chosenSites(look, trace) {
  const { layers, kinds } = look.select;
  const known = trace.sites.map(({ layer }) => layer);
  const strange = layers?.find((layer) => !known.includes(layer));
  if (strange !== undefined) {
    throw new InputError(
      `${trace.model} has layers ${Math.min(...known)} to ${Math.max(...known)}; got ${strange}.`,
      { field: `${fieldOf(look)}.layers` },
    );
  }
  const sites = trace.sites.filter(
    ({ layer, kind }) => (layers?.includes(layer) ?? true) && (kinds?.includes(kind) ?? true),
  );
  for (const site of sites) check(look, site);
  return sites;
}

/** @param {Look} look @param {Site} site */
function check(look, site) {
  const { rows, heads, tensors } = look.select;
  const { n_query } = site.mask;
  if (rows !== null && rows[1] > n_query) {
    throw new InputError(
      `${site.name} has query rows [0, ${n_query}); got [${rows[0]}, ${rows[1]}).`,
      { field: `${fieldOf(look)}.rows`, limit: n_query },
    );
  }
  const strange = heads?.find((head) => head >= site.n_heads);
  if (strange !== undefined) {
    throw new InputError(`${site.name} has heads 0 to ${site.n_heads - 1}; got ${strange}.`, {
      field: `${fieldOf(look)}.heads`,
    });
  }
  const given = tensorsOf(site);
  const missing = tensors.filter((name) => !given.includes(name));
  if (missing.length > 0) {
    throw new UnavailableError(
      `${site.name} does not have ${missing.join(", ")}; it has ${given.join(", ")}.`,
      { field: `${fieldOf(look)}.tensors` },
    );
  }
}

/**
 * The approximate size of its arrays in an answer, before anything is derived.
 * @param {Look} look
 * @param {Site[]} sites
 * @param {number} batch
 * @param {Record<DType, number>} numberBytes
 */
export function lookBytes({ select }, sites, batch, numberBytes) {
  let total = 0;
  for (const site of sites) {
    const heads = select.heads?.length ?? site.n_heads;
    for (const name of select.tensors) {
      total += batch * heads * cells(site, name, select) * numberBytes[dtypeOf(name, select)];
    }
  }
  return total;
}

/**
 * The tensors of one site, by name.
 * @param {Look} look
 * @param {Site} site
 * @param {Trace} trace that it is of
 * @returns {Map<string, Stored>}
 */
export function arraysOf(look, site, trace) {
  const { select } = look;
  const { tensors, heads, rows, resolution, pooling, units } = select;
  const words = units === "words" ? wordsOf(trace, site) : null;
  /** @param {string} name */
  const matrix = (name) =>
    words
      ? inWords(site, words, { name, heads, resolution, pooling })
      : thumbnail(site, Number(resolution), { name, heads, pooling });
  const derived =
    resolution === null && !words
      ? derive(site, tensors, { heads, rows })
      : new Map(tensors.map((name) => [name, matrix(name)]));
  return new Map(
    Array.from(derived, ([name, tensor]) => [
      name,
      toArray(tensor, dtypeOf(name, select), fieldOf(look)),
    ]),
  );
}

/** The words along both axes of a site. @param {Trace} trace @param {Site} site */
function wordsOf(trace, { query_tokens, key_tokens }) {
  const of = (/** @type {import("../types.d.ts").TokenAxis} */ axis) =>
    (trace[axis] ?? trace.tokens).map(wordsOfRow);
  return { queries: of(query_tokens), keys: of(key_tokens) };
}

/** @param {string} name @param {Select} select @returns {DType} */
const dtypeOf = (name, select) => (TENSORS[name].is_bits ? "uint8" : select.dtype);

/** The number of numbers per head and text. @param {Site} site @param {string} name @param {Select} select */
function cells(site, name, { rows, resolution }) {
  const sizes = { ...sizesOf(site) };
  if (rows !== null) sizes.row = rows[1] - rows[0];
  if (resolution !== null) {
    sizes.row = Math.min(resolution, sizes.row);
    sizes.key = Math.min(resolution, sizes.key);
  }
  return TENSORS[name].axes.reduce((product, axis) => product * sizes[axis], 1);
}
