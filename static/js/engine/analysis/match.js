// How well each head matches a picture: a set of cells [query, key] that a reader has painted. As model/analysis/match.py.
//
// For a query with paint, `share` is its attention on the painted keys, and `chance` is what a head would give them that looks at all
// allowed keys alike. Both are means over the queries at which heads can differ: the masks allow a painted key and one that is not
// painted. `lift` is share − chance.

import { InputError } from "../errors.js";
import { stripesOf } from "../masks/mask.js";
import { endSlice } from "../slices.js";
import { derive } from "../trace/site.js";
import { wordsOf } from "./words.js";

/** @import { Site, Trace } from "../types.d.ts" */
/** @typedef {[query: number, key: number]} Painted */
/** @typedef {{site: string, layer: number, head: number, share: number | null, chance: number | null, lift: number | null, over: number, reason: string | null}} HeadMatch */

const BLOCKED = "the masks block every painted cell";
const NOTHING_ELSE = "where a query has paint, every key that it may look at is painted";

/**
 * How much each head of one kind of site looks at the painted cells of a text.
 * @param {Trace} trace
 * @param {readonly Painted[]} cells
 * @param {{text?: number, kind?: Site["kind"] | null}} [of] null: the kind of the first site
 * @returns {HeadMatch[]} in the order of the sites
 * @throws {InputError} there is no such text, kind or cell
 */
export function match(trace, cells, { text = 0, kind = null } = {}) {
  if (!(text in trace.tokens)) {
    throw new InputError(`This trace has texts 0 to ${trace.tokens.length - 1}; got ${text}.`, {
      field: "analyse.match.text",
    });
  }
  const kinds = [...new Set(trace.sites.map((site) => site.kind))];
  if (kind !== null && !kinds.includes(kind)) {
    throw new InputError(
      `${trace.model} has these kinds of attention: ${kinds.join(", ")}; got ${kind}.`,
      { field: "analyse.match.kind" },
    );
  }
  return trace.sites
    .filter((site) => site.kind === (kind ?? kinds[0]))
    .flatMap((site) => ofSite(trace, site, cells, text));
}

/** @param {Trace} trace @param {Site} site @param {readonly Painted[]} cells @param {number} text @returns {HeadMatch[]} */
function ofSite(trace, site, cells, text) {
  const tokens = /** @type {import("../types.d.ts").Token[][]} */ (trace[site.query_tokens]);
  const { real } = wordsOf(tokens[text]);
  const painted = paintedIn(site, cells);
  const sums = Array.from({ length: site.n_heads }, () => ({ share: 0, chance: 0, over: 0 }));
  const isAllowed = sums.map(() => false);
  for (const [start, stop] of stripesOf(site.mask.n_query)) {
    const queries = [...painted.keys()].filter((row) => row >= start && row < stop && real[row]);
    if (queries.length === 0) continue;
    endSlice();
    const pattern = derive(site, ["pattern"], { rows: [start, stop], text }).get("pattern");
    const allowed = site.mask.allows(start, stop);
    sums.forEach((sum, head) => {
      for (const query of queries) {
        const weights = rowOf(pattern, 0, head, query - start);
        const free = rowOf(allowed, text, allowed.shape[1] === 1 ? 0 : head, query - start);
        const keys = [.../** @type {Set<number>} */ (painted.get(query))];
        const hit = keys.filter((key) => free[key]).length;
        const n = free.reduce((total, each) => total + (each ? 1 : 0), 0);
        if (hit > 0) isAllowed[head] = true;
        if (hit === 0 || hit === n) continue;
        sum.share += keys.reduce((total, key) => total + weights[key], 0);
        sum.chance += hit / n;
        sum.over++;
      }
    });
  }
  return sums.map(({ share, chance, over }, head) => ({
    site: site.name,
    layer: site.layer,
    head,
    share: over ? share / over : null,
    chance: over ? chance / over : null,
    lift: over ? (share - chance) / over : null,
    over,
    reason: over ? null : isAllowed[head] ? NOTHING_ELSE : BLOCKED,
  }));
}

/** The painted keys of each query. @param {Site} site @param {readonly Painted[]} cells */
function paintedIn({ name, mask: { n_query, n_key } }, cells) {
  /** @type {Map<number, Set<number>>} */
  const painted = new Map();
  for (const [query, key] of cells) {
    if (query >= n_query || key >= n_key) {
      throw new InputError(
        `${name} has queries 0 to ${n_query - 1} and keys 0 to ${n_key - 1}; got the cell [${query}, ${key}]. Paint cells that the text has.`,
        { field: "analyse.match.cells" },
      );
    }
    painted.set(query, (painted.get(query) ?? new Set()).add(key));
  }
  return painted;
}

/** One row of a matrix. @param {{shape: number[], data: any}} tensor (batch, head, row, key) @param {number} text @param {number} head @param {number} row @returns {number[]} */
function rowOf({ shape: [, n_heads, n_rows, n_key], data }, text, head, row) {
  const start = ((text * n_heads + head) * n_rows + row) * n_key;
  return data.subarray(start, start + n_key);
}
