// The answer to one request: its document (the JSON part) and its tensors. Mirrors server/api/wire.py.

import LIMITS from "../../facts/limits.json" with { type: "json" };
import { LimitError, sentence } from "../errors.js";
import { blockedSlices, derivedTogether } from "../trace/site.js";
import { nuclei, predict, readPositions } from "../trace/trace.js";
import { wordsOfRow } from "../trace/words.js";
import { ANALYSES, nbytes, read, requested } from "./analyses.js";
import { nested, toArray } from "./arrays.js";
import { arraysOf, chosenSites, ITEM_BYTES, JSON_BYTES, lookBytes, prefixOf } from "./looks.js";
import { appliedSettings } from "./settings.js";

/** @import { Site, Trace } from "../types.d.ts" */
/** @import { Stored } from "../../files/safetensors-writer.js" */
/** @import { Look } from "./looks.js" */
/** @import { Predict } from "./request.js" */
/** @typedef {{look: Look, sites: Site[]}[]} Chosen */

/**
 * @typedef {object} Asked
 * @property {Look[]} looks
 * @property {Predict | null} predict
 * @property {import("./analyses.js").Analyse} analyse
 * @property {import("./analyses.js").Further} further
 * @property {Trace | null} unedited needed if predictions are compared with those of the unedited run
 * @property {boolean} as_json with the tensors in the document, as nested lists
 * @property {number} most_bytes
 */

/** @typedef {{document: Record<string, any>, tensors: Map<string, Stored>}} Encoded */

const TOKEN_BYTES = 140;
const ADVICE = sentence(
  "Ask for fewer heads, rows or layers, for a lower resolution, or for uint8 patterns.",
);

/**
 * @param {Trace} trace
 * @param {Asked} asked
 * @returns {Encoded}
 * @throws {import("../errors.js").InputError} this trace does not have a layer, head, row, position or token
 * @throws {import("../errors.js").UnavailableError} a site does not have a tensor, or the model does not predict
 * @throws {LimitError} the answer would be too large (code "answer_too_large")
 * @throws {import("../errors.js").NumericsError} a number is not finite
 */
export function encode(trace, asked) {
  const { looks, analyse } = asked;
  const choose = () => looks.map((look) => ({ look, sites: chosenSites(look, trace) }));
  let chosen = choose();
  checkSize(trace, chosen, asked);
  const predicted = predictedOf(trace, asked);
  if (readsPatternsOften(trace, chosen, analyse)) {
    trace = { ...trace, sites: derivedTogether(trace.sites) };
    chosen = choose();
  }
  const found = read(trace, analyse, asked.further);
  const arrays = chosen.flatMap(({ look, sites }) =>
    sites.map((site) => ({ look, site, named: arraysOf(look, site, trace) })),
  );
  /** @type {Map<string, Stored>} */
  const matrices = new Map();
  for (const { name } of ANALYSES) {
    const matrix = /** @type {import("../types.d.ts").Tensor | null} */ (found[name]);
    if (!(matrix?.data instanceof Float32Array)) continue;
    matrices.set(name, toArray(matrix, analysisDtype(chosen), "select"));
    found[name] = null;
  }
  const document = { ...documentOf(trace, chosen), ...predicted, ...found };
  if (asked.as_json) {
    return { document: withLists(document, looks, arrays, matrices), tensors: new Map() };
  }
  const tensors = arrays.flatMap(({ look, site, named }) =>
    Array.from(
      named,
      ([name, array]) => /** @type {const} */ ([`${prefixOf(look)}${site.name}.${name}`, array]),
    ),
  );
  return { document, tensors: new Map([...tensors, ...matrices]) };
}

/**
 * The document with its tensors as nested lists.
 * @param {Record<string, any>} document
 * @param {Look[]} looks
 * @param {{look: Look, site: Site, named: Map<string, Stored>}[]} arrays
 * @param {Map<string, Stored>} matrices
 */
function withLists(document, looks, arrays, matrices) {
  const parts =
    looks[0].part === null ? null : Object.fromEntries(looks.map(({ part }) => [part, {}]));
  const sites = new Map(
    document.sites.map((/** @type {{name: string}} */ site) => [site.name, site]),
  );
  for (const { look, site, named } of arrays) {
    const lists = Object.fromEntries(Array.from(named, ([name, array]) => [name, nested(array)]));
    if (look.part === null) sites.get(site.name).tensors = lists;
    else parts[look.part][site.name] = lists;
  }
  const analysed = Array.from(matrices, ([name, array]) => [name, nested(array)]);
  return { ...document, parts, ...Object.fromEntries(analysed) };
}

/** Whether the patterns are read several times, or of several sites, and are small enough. @param {Trace} trace @param {Chosen} chosen @param {Asked["analyse"]} analyse */
function readsPatternsOften(trace, chosen, analyse) {
  const numbers = trace.sites.map(({ n_heads, mask }) => n_heads * mask.n_query * mask.n_key);
  if (numbers.reduce((a, b) => a + b, 0) * trace.tokens.length > LIMITS.pattern_numbers)
    return false;
  return (
    chosen.some(({ sites }) => sites.length > 1) ||
    requested(analyse).some(({ readsPatterns }) => readsPatterns)
  );
}

/** Refuse an answer that would be too large, before deriving anything for it. @param {Trace} trace @param {Chosen} chosen @param {Asked} asked */
function checkSize(trace, chosen, { analyse, as_json, most_bytes }) {
  const numberBytes = as_json ? JSON_BYTES : ITEM_BYTES;
  const analysed = nbytes(trace, analyse, numberBytes[analysisDtype(chosen)]);
  const rows = [...trace.tokens, ...(trace.target_tokens ?? [])];
  let total = 0;
  for (const bytes of analysed.values()) total += bytes;
  for (const row of rows) total += TOKEN_BYTES * row.length;
  for (const { look, sites } of chosen) {
    total += lookBytes(look, sites, trace.tokens.length, numberBytes);
  }
  if (total <= most_bytes) return;
  const mostly = [...analysed].find(([, bytes]) => bytes > total / 2)?.[0];
  const advice = mostly?.tooLarge ?? null;
  throw new LimitError(
    sentence("The response would take about {n} bytes; at most {most} are sent. {advice}", {
      n: total,
      most: most_bytes,
      advice: advice ?? ADVICE,
    }),
    {
      code: "answer_too_large",
      field: advice === null ? fieldOfLooks(chosen) : `analyse.${mostly?.name}`,
      limit: most_bytes,
    },
  );
}

/** @param {Chosen} chosen */
const fieldOfLooks = ([{ look }]) => (look.part === null ? "select" : "parts");

/** The dtype of `select`; with `parts`, whose dtypes may differ, it is float32. @param {Chosen} chosen */
const analysisDtype = ([{ look }]) => (look.part === null ? look.select.dtype : "float32");

/** The predictions, the positions that they are read at, and the nuclei. @param {Trace} trace @param {Asked} asked */
function predictedOf(trace, { predict: settings, unedited }) {
  if (settings === null) return { predictions: null, predicted_at: null, nucleus: null };
  const { position, temperature, top_p } = settings;
  return {
    predictions: predict(trace, { ...settings, unedited }),
    predicted_at: readPositions(trace, position, "predict"),
    nucleus: top_p === null ? null : nuclei(trace, { position, temperature, top_p }),
  };
}

/** With several parts it lists every site with all heads. @param {Trace} trace @param {Chosen} chosen */
function documentOf(trace, chosen) {
  const [{ look, sites }] = chosen;
  const heads = look.part === null ? look.select.heads : null;
  return {
    model: trace.model,
    tokens: trace.tokens,
    target_tokens: trace.target_tokens,
    rendered: null,
    ...wordsIn(trace, chosen),
    ...appliedSettings(trace.settings),
    sites: (look.part === null ? sites : trace.sites).map((site) => siteOf(site, heads)),
    parts: null,
    measured: null,
  };
}

/** The words of the texts, if any look is in words. @param {Trace} trace @param {Chosen} chosen */
const wordsIn = (trace, chosen) =>
  chosen.every(({ look }) => look.select.units === "pieces")
    ? { words: null, target_words: null }
    : {
        words: trace.tokens.map(wordsOfRow),
        target_words: trace.target_tokens?.map(wordsOfRow) ?? null,
      };

/** @param {Site} site @param {number[] | null} chosen */
function siteOf(site, chosen) {
  const blocked = blockedSlices(site);
  const byRows = site.softmax_over === "key";
  const heads = chosen ?? Array.from({ length: site.n_heads }, (_, head) => head);
  const { name, kind, layer, n_kv_heads, scale, soft_cap, softmax_over, mask_applied, kernel } =
    site;
  const { muted, query_tokens, key_tokens } = site;
  return {
    name,
    kind,
    layer,
    heads,
    n_kv_heads,
    scale,
    soft_cap,
    has_bias: site.bias !== null,
    has_gate: site.gate !== null,
    minus: site.minus,
    sink: site.sink && heads.map((head) => site.sink?.data[head]),
    softmax_over,
    mask_applied,
    kernel,
    muted,
    query_tokens,
    key_tokens,
    blocked_rows: byRows ? blocked : [],
    blocked_columns: byRows ? [] : blocked,
  };
}
