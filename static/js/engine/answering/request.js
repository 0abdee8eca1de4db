// A request document (that of POST /api/trace) with its defaults, and the inputs that it names. The page makes the requests, so their form is
// not checked here, only what a reader can cause: how many texts there are and how long. The server checks all: server/api/schemas/.

import { UnavailableError } from "../errors.js";
import { ROWS } from "../masks/rules.js";
import { analyseOf } from "./analyses.js";
import { checkBytes, checkNumber, checkTexts } from "./limits.js";
import { SETTINGS } from "./settings.js";

/** @import { Inputs, MaskSettings, MutedHead } from "../types.d.ts" */
/** @import { Limits } from "./limits.js" */

/**
 * What a request wants sent back of each site.
 * @typedef {object} Select
 * @property {string[]} tensors
 * @property {number[] | null} layers
 * @property {import("../types.d.ts").Kind[] | null} kinds
 * @property {number[] | null} heads
 * @property {[start: number, stop: number] | null} rows
 * @property {number | null} resolution
 * @property {"max" | "mean"} pooling
 * @property {"pieces" | "words"} units
 * @property {import("./arrays.js").DType} dtype
 */

/**
 * @typedef {object} Predict
 * @property {number} top_k
 * @property {number | null} position
 * @property {number} temperature
 * @property {number | null} top_p
 * @property {number[]} tokens
 * @property {boolean} unedited
 */

/**
 * A request. Fields that were left out have their defaults.
 * @typedef {object} TraceRequest
 * @property {string | null} model
 * @property {string[]} texts
 * @property {number[][] | null} ids
 * @property {boolean | null} special_tokens
 * @property {string[] | null} targets
 * @property {string[] | null} pairs
 * @property {MaskSettings} masks
 * @property {([number, number] | MutedHead)[]} muted
 * @property {unknown[]} interventions
 * @property {unknown} answer
 * @property {Omit<import("../types.d.ts").Generate, "known"> | null} generate
 * @property {Select} select
 * @property {Map<string, Select> | null} parts
 * @property {import("./analyses.js").Analyse} analyse
 * @property {Predict | null} predict
 * @property {Record<string, any>} settings those of one source each, by name; null if it is not asked
 * @property {Set<string>} given the names of the fields that were not left out
 */

const REQUEST = {
  model: null,
  texts: [],
  ids: null,
  special_tokens: null,
  targets: null,
  pairs: null,
  muted: [],
  interventions: [],
  answer: null,
};
/** @type {Select} */
const SELECT = {
  tensors: ["pattern"],
  layers: null,
  kinds: null,
  heads: null,
  rows: null,
  resolution: null,
  pooling: "max",
  units: "pieces",
  dtype: "float32",
};
/** @type {Predict} */
const PREDICT = {
  top_k: 10,
  position: null,
  temperature: 1,
  top_p: null,
  tokens: [],
  unedited: false,
};
const GENERATE = { sampled: false, temperature: 1, seed: 0, top_k: null, top_p: null };
const CELL = { text: null, layer: null, head: null, query: null, key: null, kind: null };
const OWN_MASKS = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [name, row.default]),
);

/**
 * @param {unknown} document what JSON keeps of it is read, as if it had been sent to a server
 * @param {Limits} limits
 * @returns {TraceRequest}
 * @throws {import("../errors.js").LimitError} it is too large
 */
export function readRequest(document, limits) {
  const json = JSON.stringify(document);
  checkBytes(json, limits);
  const sent = JSON.parse(json);
  const { masks = {}, generate, select, parts, analyse = {}, predict } = sent;
  const selected = (/** @type {Partial<Select>} */ given) => ({ ...SELECT, ...given });
  return {
    ...REQUEST,
    ...sent,
    masks: { ...OWN_MASKS, ...masks },
    generate: generate ? { ...GENERATE, ...generate } : null,
    select: selected(select),
    parts: parts
      ? new Map(Object.entries(parts).map(([name, given]) => [name, selected(given)]))
      : null,
    analyse: analyseOf(analyse),
    predict: predict === null ? null : { ...PREDICT, ...predict },
    settings: Object.fromEntries(SETTINGS.map(({ name }) => [name, sent[name] ?? null])),
    given: new Set(Object.keys(sent)),
  };
}

/**
 * The inputs that determine the trace. The order and repetition of painted cells and mutes do not matter, so equal traces get equal
 * inputs.
 * @param {TraceRequest} request
 * @param {Limits} limits
 * @returns {Inputs}
 * @throws {import("../errors.js").InputError} a limit is exceeded, or the settings do not fit together
 */
export function inputsOf(request, limits) {
  const { texts, ids, special_tokens, targets, pairs, masks, muted, generate } = request;
  if (request.interventions.length > 0) {
    throw new UnavailableError(
      "Interventions need a run that can be changed at every part, which the engine in the page does not make. Open this page from a Headlight server.",
      { field: "interventions" },
    );
  }
  if (request.answer) {
    throw new UnavailableError(
      "Other answers than the prediction need a server, which reads them. Open this page from a Headlight server.",
      { field: "answer" },
    );
  }
  if (ids !== null) checkNumber(ids, "ids", limits);
  for (const [field, rows] of /** @type {const} */ ([
    ["texts", ids ? null : texts],
    ["targets", targets],
    ["pairs", pairs],
  ])) {
    if (rows !== null) checkTexts(rows, field, (ids ?? texts).length, limits);
  }
  return {
    texts,
    ids,
    targets,
    pairs,
    special_tokens,
    masks: maskSettingsOf(masks),
    muted: mutedHeads(muted),
    generate: generate === null ? null : { ...generate, known: null },
    settings: settingsOf(request),
  };
}

/**
 * The settings for the model. The order and repetition of painted cells do not matter.
 * @param {MaskSettings} masks
 * @returns {MaskSettings}
 */
export function maskSettingsOf(masks) {
  const cells = (/** @type {import("../types.d.ts").Cell[]} */ painted) =>
    sorted(
      painted.map((cell) => ({ ...CELL, ...cell })),
      asPython,
    );
  return { ...masks, blocked: cells(masks.blocked), allowed: cells(masks.allowed) };
}

/** @param {([number, number] | MutedHead)[]} heads @returns {MutedHead[]} */
export const mutedHeads = (heads) =>
  sorted(
    heads.map(([layer, head, kind = null]) => [layer, head, kind]),
    ([layer, head, kind]) => asPython({ layer, head, kind }),
  );

/**
 * Without repetition, in the order of the server, which sorts by how Python writes an item: the same inputs name the same cell
 * in an error.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} written
 */
function sorted(items, written) {
  const found = new Map(items.map((item) => [written(item), item]));
  return [...found.keys()].sort().map((key) => /** @type {T} */ (found.get(key)));
}

/** The fields as Python writes them. @param {object} item */
const asPython = (item) =>
  Object.entries(item)
    .map(([name, value]) => `${name}=${value === null ? "None" : JSON.stringify(value)}`)
    .join(", ");

/** @param {TraceRequest} request @throws {InputError} they do not fit together */
function settingsOf({ settings }) {
  const row = SETTINGS.find(({ name }) => settings[name] !== null);
  return row ? row.configOf(settings[row.name]) : null;
}
