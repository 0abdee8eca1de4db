// Turns a reader's arrays, with what the reader says of them, into a recording, as if a server had answered with it.

import { maskSettings } from "../engine/masks/rules.js";
import { FileError } from "../files/errors.js";
import { axesProblem } from "./axes.js";
import { layersOf, limit, sizesOf } from "./layers.js";
import { LIMITS, SHORTER } from "./limits.js";
import { reconcile } from "./reconcile.js";
import { numbered, tokensOf } from "./tokens.js";

/** @import { Kind, Site as SiteJson, Tensor, Token } from "../types.d.ts" */
/** @import { Recording } from "../engine/sources/recorded.js" */
/** @import { Contents } from "./formats/contents.js" */
/** @import { Found, Settings } from "./guess.js" */
/** @import { Layer } from "./layers.js" */

const [CAUSAL, PADDING] = [1, 2]; // bits of `blocked_by`

/**
 * @param {string} name of the model that it becomes
 * @param {Contents} contents
 * @param {Found} found
 * @param {Settings} settings
 * @returns {{recording: Recording, remarks: string[]}} `remarks`: what the reader should know
 * @throws {FileError} with what is wrong, and what to do
 */
export function build(name, contents, found, settings) {
  /** @type {string[]} */
  const remarks = [];
  for (const family of /** @type {const} */ (["pattern", "vectors"])) {
    const problem = settings.axes[family] && axesProblem(family, settings.axes[family]);
    if (problem) throw new FileError(problem);
  }
  const layers = found.groups.flatMap((group) => layersOf(group, contents, settings, remarks));
  const sizes = sizesOf(layers, settings.two);
  const { texts, keys: n_keys, queries: n_queries } = sizes;
  const { first } = settings;
  const keys = tokensOf(
    rowsFor(settings.tokens, { texts, first, n: n_keys, what: "tokens" }),
    settings.second,
  );
  const isOne = n_queries === null;
  const of = { texts, first, n: n_queries ?? 0, what: "tokens of the queries" };
  const queries = isOne ? null : tokensOf(rowsFor(settings.targets, of), null);
  checkTexts([...keys.texts, ...(keys.pairs ?? []), ...(queries?.texts ?? [])]);
  const trace = {
    model: name,
    tokens: keys.tokens,
    target_tokens: queries?.tokens ?? null,
    sites: layers.map((layer) => siteOf(layer, settings, isOne)),
    predictions: null,
    predicted_at: null,
    nucleus: null,
    scores: null,
    lens: null,
    mute_effects: null,
  };
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  trace.sites.forEach((site, index) => {
    const { parts } = layers[index];
    for (const [part, tensor] of Object.entries(parts)) tensors.set(`${site.name}.${part}`, tensor);
    const bits = blockedBy(site, trace, settings, parts);
    if (bits) tensors.set(`${site.name}.blocked_by`, bits);
  });
  const recording = {
    trace,
    tensors,
    inputs: {
      texts: keys.texts,
      targets: queries?.texts ?? [],
      pairs: keys.pairs,
      special_tokens: true,
      masks: maskSettings(),
      muted: [],
    },
    info: { description: `From a file of your own (${found.format}).` },
  };
  reconcile(recording, remarks);
  return { recording, remarks };
}

/**
 * The tokens of each text that is shown, or numbers in their place.
 * @param {string[][] | null} all those of these texts, or of the whole batch
 * @param {{texts: number, n: number, what: string, first: number}} of `first`: the first text of the batch that is shown
 */
function rowsFor(all, { texts, n, what, first }) {
  const rows = all && all.length > LIMITS.texts ? all.slice(first, first + LIMITS.texts) : all;
  if (!rows) return Array.from({ length: texts }, () => numbered(n));
  if (rows.length !== texts) {
    throw new FileError(
      `The arrays have ${texts} ${texts === 1 ? "text" : "texts"}, but there are ${what} for ${rows.length}.`,
    );
  }
  const other = rows.find((row) => row.length !== n);
  if (other)
    throw new FileError(
      `There are ${other.length} ${what}, but the arrays have ${n} places for them. Give one token for each place, with special tokens such as [CLS] and padding.`,
    );
  return rows;
}

/** @param {string[]} texts */
function checkTexts(texts) {
  for (const text of texts)
    limit([...text].length, LIMITS.characters, "characters in a text", SHORTER);
}

/** @param {Layer} layer @param {Settings} settings @param {boolean} isOne whether queries and keys are the same tokens @returns {SiteJson} */
function siteOf({ kind, layer, parts }, { scale }, isOne) {
  const { pattern, q, k } = parts;
  const n_heads = (pattern ?? q)?.shape[1] ?? 0;
  const site = kind === "self" && !isOne ? "cross" : kind;
  const target = site === "decoder" || site === "cross";
  return {
    name: NAMES[site](layer),
    kind: site,
    layer,
    heads: numbered(n_heads).map(Number),
    n_kv_heads: k?.shape[1] ?? n_heads,
    scale: scale ?? (q ? 1 / Math.sqrt(q.shape[3]) : 1),
    soft_cap: null,
    has_bias: false,
    has_gate: false,
    minus: null,
    sink: null,
    softmax_over: "key",
    mask_applied: "before",
    kernel: "exp",
    muted: [],
    blocked_rows: [],
    blocked_columns: [],
    query_tokens: target ? "target_tokens" : "tokens",
    key_tokens: site === "decoder" ? "target_tokens" : "tokens",
  };
}

/** @type {Record<Kind, (layer: number) => string>} */
export const NAMES = {
  self: (layer) => `layers.${layer}`,
  encoder: (layer) => `encoder.layers.${layer}`,
  decoder: (layer) => `decoder.layers.${layer}.self`,
  cross: (layer) => `decoder.layers.${layer}.cross`,
};

/**
 * The mask that the reader describes: causal, and padding where it is certain.
 * @param {SiteJson} site
 * @param {{tokens: Token[][], target_tokens: Token[][] | null}} trace
 * @param {Settings} settings
 * @param {Layer["parts"]} parts
 * @returns {Tensor | null} null: nothing is blocked
 */
function blockedBy({ kind, query_tokens, key_tokens }, trace, { causal, two }, { pattern }) {
  const [queries, keys] = [trace[query_tokens] ?? [], trace[key_tokens] ?? []];
  const [n_query, n_key] = [queries[0].length, keys[0].length];
  const isCausal =
    (kind === "decoder" || (kind === "self" && causal && !two)) &&
    !(pattern && looksAhead(pattern));
  const data = new Uint8Array(keys.length * n_query * n_key);
  keys.forEach((row, text) => {
    for (let key = 0; key < n_key; key++) {
      const padding = row[key].padding && (!pattern || isUnseen(pattern, text, key)) ? PADDING : 0;
      for (let query = 0; query < n_query; query++) {
        const future = isCausal && key > query ? CAUSAL : 0;
        data[(text * n_query + query) * n_key + key] = padding | future;
      }
    }
  });
  return data.some((bits) => bits > 0) ? { shape: [keys.length, 1, n_query, n_key], data } : null;
}

/** Whether no query attends to a key. @param {Tensor} pattern @param {number} text @param {number} key */
function isUnseen({ shape: [, n_heads, n_query, n_key], data }, text, key) {
  const begin = text * n_heads * n_query;
  for (let row = begin; row < begin + n_heads * n_query; row++)
    if (data[row * n_key + key] !== 0) return false;
  return true;
}

/** Whether a query attends to a later key. @param {Tensor} pattern */
function looksAhead({ shape: [, , n_query, n_key], data }) {
  return data.some((weight, at) => weight !== 0 && at % n_key > Math.floor(at / n_key) % n_query);
}
