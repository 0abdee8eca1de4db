// The masks that a reader may set: one row each, which is a field of MaskSettings, as in model/mask_rules.py. A row holds its
// default and limits, and the rule for the cells that it blocks or, for some masks, unblocks.

import { InputError } from "./errors.js";

/** @typedef {import("./types.d.ts").Cell} Cell */
/** @typedef {import("./types.d.ts").MaskSettings} MaskSettings */
/** @typedef {keyof MaskSettings} MaskName */

/** Why a cell is blocked. Reasons combine: a cell may be in the future and also padding; MODEL is another mask of its own. */
export const BLOCKED_BY = { CAUSAL: 1, PADDING: 2, WINDOW: 4, PAINTED: 8, MODEL: 16 };

/**
 * What a rule knows about one text.
 * @typedef {object} Places
 * @property {number} diagonal how far past itself a query may look under the causal mask
 * @property {readonly number[]} order the number of each key among the text's real tokens, from 0; infinite for padding
 */

/**
 * Which cells a mask affects, given the value of its setting.
 * @typedef {object} Rule
 * @property {number} reason
 * @property {(value: any, query: number, key: number, at: Places) => boolean} affects
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
 * @property {Rule | null} rule null for painted cells, and for a setting of another mask
 */

/** @param {Partial<Rule> & Pick<Rule, "reason" | "affects">} given @returns {Rule} */
const rule = (given) => ({ of_padding: false, frees: false, within_text: true, ...given });

/** @param {any} usual @param {Partial<Row>} [given] @returns {Row} */
const row = (usual, given) => ({
  default: usual,
  minimum: null,
  maximum: null,
  edits: true,
  rule: null,
  ...given,
});

const COUNT = { minimum: 1, maximum: 1_000_000 };

/** @type {Readonly<Record<MaskName, Row>>} */
export const ROWS = {
  causal: row(null, {
    rule: rule({
      reason: BLOCKED_BY.CAUSAL,
      affects: (_, query, key, { diagonal }) => key > query + diagonal,
    }),
  }),
  padding: row(true, {
    rule: rule({
      reason: BLOCKED_BY.PADDING,
      affects: (_, _query, key, { order }) => order[key] === Infinity,
      of_padding: true,
      within_text: false,
    }),
  }),
  padding_side: row("right", { edits: false }),
  // the token itself and window − 1 to each side; correct with padding on either side, which shifts queries and keys equally
  window: row(null, {
    ...COUNT,
    rule: rule({
      reason: BLOCKED_BY.WINDOW,
      affects: (window, query, key) => Math.abs(query - key) >= window,
    }),
  }),
  // Raffel et al. 2020, figure 4; the queries are the same tokens as the keys
  prefix: row(null, {
    ...COUNT,
    rule: rule({
      reason: BLOCKED_BY.CAUSAL,
      affects: (n, query, key, { order }) => order[query] < n && order[key] < n,
      frees: true,
    }),
  }),
  // Xiao et al. 2023, section 3.2; no effect without a window
  sinks: row(null, {
    ...COUNT,
    rule: rule({
      reason: BLOCKED_BY.WINDOW,
      affects: (n, _, key, { order }) => order[key] < n,
      frees: true,
    }),
  }),
  blocked: row([]),
  allowed: row([]),
};

const NAMES = /** @type {MaskName[]} */ (Object.keys(ROWS));

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
