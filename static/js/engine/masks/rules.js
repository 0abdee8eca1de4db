// The masks that a reader may set: one row each, which is a field of MaskSettings. What is said of a mask is data
// (static/js/facts/masks.json); its rule, for the cells that it blocks or, for some masks, unblocks, is here and in model/masks/rules.py.

import facts from "../../facts/masks.json" with { type: "json" };
import { InputError } from "../errors.js";

/** @import { Cell, MaskSettings } from "../types.d.ts" */
/** @typedef {keyof MaskSettings} MaskName */

/** Why a cell is blocked. Reasons combine: a cell may be in the future and also padding; MODEL is another mask of its own. */
export const BLOCKED_BY =
  /** @type {Readonly<Record<"CAUSAL" | "PADDING" | "PAINTED" | "MODEL", number>>} */ (
    Object.fromEntries(facts.reasons.map(({ name, bit }) => [name.toUpperCase(), bit]))
  );

/**
 * What a rule knows about one text.
 * @typedef {object} Places
 * @property {number} diagonal how far past itself a query may look under the causal mask
 * @property {Readonly<Record<number, number>>} order the number of each token among the text's real ones, from 0; infinite for padding
 */

/** Whether a mask affects a cell, given the value of its setting. @typedef {(value: any, query: number, key: number, at: Places) => boolean} Affects */

/**
 * @typedef {object} Rule
 * @property {number} reason
 * @property {Affects} affects
 * @property {boolean} of_padding skipped if there is no padding
 * @property {boolean} frees it removes the reason from its cells instead of adding it
 * @property {boolean} within_text it compares positions in one text, so it does not apply to cross-attention
 */

/**
 * The meaning and limits of one setting.
 * @typedef {object} Row
 * @property {any} default
 * @property {number | null} minimum of a number of tokens
 * @property {number | null} maximum
 * @property {boolean} edits whether it changes any number
 * @property {readonly string[] | null} choices
 * @property {Rule | null} rule null for painted cells, and for a setting of another mask
 */

/** The rules, by the names of the masks that have one. @type {Readonly<Record<string, Affects>>} */
export const AFFECTS = {
  causal: (_, query, key, { diagonal }) => key > query + diagonal,
  padding: (_, _query, key, { order }) => order[key] === Infinity,
  // the token itself and window − 1 to each side; correct with padding on either side, which shifts queries and keys equally
  window: (window, query, key) => Math.abs(query - key) >= window,
  // Raffel et al. 2020, figure 4; the queries are the same tokens as the keys
  prefix: (n, query, key, { order }) => order[query] < n && order[key] < n,
  // Xiao et al. 2023, section 3.2; no effect without a window
  sinks: (n, _, key, { order }) => order[key] < n,
};

/**
 * What the table says of a mask.
 * @typedef {object} Fact
 * @property {any} default
 * @property {number | null} [minimum]
 * @property {number | null} [maximum]
 * @property {boolean} [edits]
 * @property {{options: readonly {value: unknown}[]}} [choose]
 * @property {{reason: string, of_padding?: boolean, frees?: boolean, within_text?: boolean}} [rule]
 */

/** @type {Map<string, number>} */
const BITS = new Map(facts.reasons.map(({ name, bit }) => [name, bit]));
const FACTS = /** @type {Record<MaskName, Fact>} */ (facts.rows);
const NAMES = /** @type {MaskName[]} */ (Object.keys(FACTS));

/** @type {Readonly<Record<MaskName, Row>>} */
export const ROWS = /** @type {any} */ (
  Object.fromEntries(NAMES.map((name) => [name, row(name, FACTS[name])]))
);

/** @param {MaskName} name @param {Fact} fact @returns {Row} */
function row(name, { default: usual, minimum = null, maximum = null, edits = true, ...fact }) {
  const given = { of_padding: false, frees: false, within_text: true, ...fact.rule };
  const reason = BITS.get(given.reason ?? "") ?? 0;
  const rule = fact.rule ? { ...given, reason, affects: AFFECTS[name] } : null;
  const values = fact.choose?.options.map(({ value }) => value) ?? [];
  const choices =
    values.every((value) => typeof value === "string") && values.length ? values : null;
  return { default: usual, minimum, maximum, edits, choices, rule };
}

/** Every rule, those that free cells last. */
const RULES = [false, true].flatMap((frees) =>
  NAMES.flatMap((name) => {
    const { rule } = ROWS[name];
    return rule !== null && rule.frees === frees ? [{ name, rule }] : [];
  }),
);

/**
 * Settings with every field present, checked.
 * @param {Partial<MaskSettings>} [given]
 * @returns {MaskSettings}
 */
export function maskSettings(given = {}) {
  const settings = /** @type {MaskSettings} */ ({ ...defaults(() => true), ...given });
  for (const name of NAMES) {
    const [value, { minimum }] = [settings[name], ROWS[name]];
    if (minimum === null || value === null || Number(value) >= minimum) continue;
    const tokens = minimum === 1 ? "token" : "tokens";
    throw new InputError(
      `Expected \`${name}\` to be at least ${minimum} ${tokens}; got ${value}.`,
      { field: `masks.${name}` },
    );
  }
  return settings;
}

/** The chosen fields, each with its default. @param {(row: Row) => boolean} chosen @returns {Partial<MaskSettings>} */
const defaults = (chosen) =>
  Object.fromEntries(
    NAMES.filter((name) => chosen(ROWS[name])).map((name) => [name, ROWS[name].default]),
  );

/**
 * The settings without painted cells past n tokens, for texts that are still being generated.
 * @param {MaskSettings} settings
 * @param {number} n
 * @returns {MaskSettings}
 */
export function within(settings, n) {
  /** @param {readonly Cell[]} cells */
  const kept = (cells) => cells.filter(({ query, key }) => Math.max(query ?? 0, key ?? 0) < n);
  return { ...settings, blocked: kept(settings.blocked), allowed: kept(settings.allowed) };
}

/** The model's own masks. Settings that change no number stay as requested. @param {MaskSettings} settings */
export const unedited = (settings) => ({ ...settings, ...defaults(({ edits }) => edits) });

/** The settings for cross-attention, without masks that compare positions in one text. @param {MaskSettings} settings */
export const acrossTexts = (settings) => ({
  ...settings,
  ...defaults(({ rule }) => rule?.within_text === true),
});

/** The painted cells, by their field in a request. @param {MaskSettings} settings */
export const painted = ({ blocked, allowed }) => ({
  "masks.blocked": blocked,
  "masks.allowed": allowed,
});

/**
 * Every rule that is on, with the value of its setting; rules that free cells come last.
 * @param {MaskSettings} settings
 * @returns {{rule: Rule, value: any}[]}
 */
export const rulesOf = (settings) =>
  RULES.map(({ name, rule }) => ({ rule, value: settings[name] })).filter(
    ({ value }) => value !== null && value !== false,
  );

/**
 * The bits of one cell, as the masks that are rules give it.
 * @param {MaskSettings} settings
 * @param {boolean} cross whether queries and keys come from different texts
 * @param {number} query
 * @param {number} key
 * @param {Places["order"]} order
 */
export const affected = (settings, cross, query, key, order) =>
  rulesOf(cross ? acrossTexts(settings) : settings).reduce((bits, { rule, value }) => {
    if (!rule.affects(value, query, key, { diagonal: 0, order })) return bits;
    return rule.frees ? bits & ~rule.reason : bits | rule.reason;
  }, 0);
