// A request document (that of POST /api/trace), validated as on the server, and the inputs that it names. Mirrors
// server/schemas/requests.py.

import { InputError, UnavailableError } from "../../errors.js";
import { ANALYSE_FIELDS } from "../analyses/index.js";
import { list, named, record } from "../containers.js";
import { boolean, index, optional, unicode } from "../fields.js";
import { checkBytes, checkNumber, checkTexts } from "../limits.js";
import { refusal } from "../refusal.js";
import { MASKS, MUTED, maskSettingsOf, mutedHeads, OWN_MASKS } from "./masks.js";
import { GENERATE, PREDICT, TEN_TOKENS } from "./predict.js";
import { EVERY_PATTERN, SELECT } from "./select.js";
import { SETTINGS, SETTINGS_FIELDS } from "./settings.js";

/** @typedef {import("../../types.d.ts").Inputs} Inputs */
/** @typedef {import("../limits.js").Limits} Limits */
/** @typedef {import("./predict.js").Predict} Predict */
/** @typedef {import("./select.js").Select} Select */

/**
 * A valid request. Fields that were left out have their defaults.
 * @typedef {object} TraceRequest
 * @property {string | null} model
 * @property {string[]} texts
 * @property {number[][] | null} ids
 * @property {boolean | null} special_tokens
 * @property {string[] | null} targets
 * @property {string[] | null} pairs
 * @property {import("../../types.d.ts").MaskSettings} masks
 * @property {([number, number] | import("../../types.d.ts").MutedHead)[]} muted
 * @property {unknown} interventions
 * @property {Omit<import("../../types.d.ts").Generate, "known"> | null} generate
 * @property {Select} select
 * @property {Map<string, Select> | null} parts
 * @property {import("../analyses/analysis.js").Analyse} analyse
 * @property {Predict | null} predict
 * @property {Record<string, any>} settings those of one source each, by name; null if it is not asked
 * @property {Set<string>} given the names of the fields that were not left out
 */

const ANALYSE = record("Analyse", ANALYSE_FIELDS);
const TEXTS = optional(list(unicode()));
/** Only the server makes interventions, and checks them. @param {unknown} given */
const unchecked = (given) => given;

const REQUEST = record(
  "TraceRequest",
  {
    model: [optional(unicode({ longest: 200 })), null],
    texts: [list(unicode(), { min: 1 }), []],
    ids: [optional(list(list(index), { min: 1 })), null],
    special_tokens: [optional(boolean), null],
    targets: [TEXTS, null],
    pairs: [TEXTS, null],
    ...SETTINGS_FIELDS,
    masks: [MASKS, OWN_MASKS],
    muted: [MUTED, []],
    interventions: [unchecked, []],
    generate: [optional(GENERATE), null],
    select: [SELECT, EVERY_PATTERN],
    parts: [optional(named(/^[a-z][a-z0-9_]{0,31}$/, SELECT, { min: 1, max: 8 })), null],
    analyse: [ANALYSE, ANALYSE({}, [], [])],
    predict: [optional(PREDICT), TEN_TOKENS],
  },
  ({ parts }, given) =>
    parts !== null && Object.hasOwn(given, "select")
      ? "expected `select` or `parts`; got both. Make `select` one of `parts`"
      : null,
);

/**
 * @param {unknown} document what JSON keeps of it is read, as if it had been sent to a server
 * @param {Limits} limits
 * @returns {TraceRequest}
 * @throws {import("../../errors.js").InputError} it is invalid, or too large
 */
export function readRequest(document, limits) {
  const json = JSON.stringify(document) ?? "null";
  checkBytes(json, limits);
  const sent = JSON.parse(json);
  /** @type {import("../fields.js").Problem[]} */
  const problems = [];
  const found = REQUEST(sent, [], problems);
  if (problems.length > 0) throw refusal(problems);
  const settings = Object.fromEntries(SETTINGS.map(({ name }) => [name, found[name]]));
  return { ...found, settings, given: new Set(Object.keys(sent)) };
}

/**
 * The inputs that determine the trace. The order and repetition of painted cells and mutes do not matter, so equal traces get equal
 * inputs.
 * @param {TraceRequest} request
 * @param {Limits} limits
 * @returns {Inputs}
 * @throws {import("../../errors.js").InputError} a limit is exceeded, or the settings do not fit together
 */
export function inputsOf(request, limits) {
  const { texts, ids, special_tokens, targets, pairs, masks, muted, generate } = request;
  checkOneInput(request);
  checkUnchanged(request);
  if (ids !== null) checkNumber(ids, "ids", limits);
  for (const [field, rows] of /** @type {const} */ ([
    ["texts", ids ? null : texts],
    ["targets", targets],
    ["pairs", pairs],
  ])) {
    if (rows !== null) checkTexts(rows, field, (ids ?? texts).length, limits);
  }
  return {
    ...{ texts, ids, targets, pairs },
    special_tokens,
    masks: maskSettingsOf(masks),
    muted: mutedHeads(muted),
    generate: generate === null ? null : { ...generate, known: null },
    settings: settingsOf(request),
  };
}

/** Refuse interventions. @param {TraceRequest} request */
function checkUnchanged({ interventions }) {
  if (Array.isArray(interventions) && interventions.length === 0) return;
  throw new UnavailableError(
    "Interventions need a run that can be changed at every part, which the engine in the page does not make. Open this page from a Headlight server.",
    { field: "interventions" },
  );
}

/** Require texts or ids, and not both. @param {TraceRequest} request */
function checkOneInput({ texts, ids }) {
  if (ids === null && texts.length === 0) {
    throw new InputError("Expected `texts`, or `ids` instead; got neither.", {
      ...{ code: "missing_field", field: "texts" },
    });
  }
  if (ids !== null && texts.length > 0)
    throw new InputError("Expected `texts` or `ids`; got both.", { field: "ids" });
}

/** @param {TraceRequest} request */
function settingsOf({ settings }) {
  const given = SETTINGS.filter(({ name }) => settings[name] !== null);
  if (given.length > 1) {
    const names = given.map(({ name }) => name);
    throw new InputError(`Expected the settings of one model; got ${names.join(" and ")}.`, {
      field: names[1],
    });
  }
  return given.length === 0 ? null : given[0].configOf(settings[given[0].name]);
}
