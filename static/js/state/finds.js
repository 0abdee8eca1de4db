// What ranks and labels the heads: the metrics, one row each in static/js/facts/metrics.json, in the order of the page, and the relations
// between words that a model's heads draw, which come with the model's examples. Pure.

import METRIC_FACTS from "../facts/metrics.json" with { type: "json" };
import { worded } from "../language/facts.js";

const FACTS = worded(METRIC_FACTS, "metrics");

/**
 * @typedef {object} FindRow
 * @property {string} metric its name in the API; "between" is not there: the page reads it off the pattern; "picture" is an analysis of its own
 * @property {string} name the text of its button
 * @property {string} brief short enough for a small thumbnail
 * @property {string} does a few words that complete "this head …"
 * @property {"share" | "entropy" | "part" | "tokens" | "weight"} unit
 * @property {boolean} [telling] whether it says as much about a head as a relation between words does
 * @property {string} [was] its former name, which old links use
 * @property {string} [away] for a number of tokens: the direction
 * @property {{metric: "copying", least: number}} [also] what a head must do as well, to be named after it, where that is known of it:
 *   as on the server
 * @property {{fails: string, unknown: string}} [asked] where another metric asks for it: words for a head that does not, after "but",
 *   and for one where that is unknown
 */

/** @typedef {Extract<typeof FACTS.rows[number], {find: object}>["name"]} MetricFind */

/** @type {readonly (FindRow & {metric: MetricFind})[]} */
export const FINDS = FACTS.rows.flatMap((row) =>
  "find" in row
    ? [{ ...row.find, metric: row.name, ...("also" in row ? { also: row.also } : {}) }]
    : [],
);

/** @typedef {`relation.${string}`} RelationFind by the relation's label */
/** @typedef {MetricFind | RelationFind} FindName */

/** The rows by metric. @type {Record<MetricFind, FindRow & {metric: MetricFind}>} */
export const BY_METRIC = /** @type {any} */ (
  Object.fromEntries(FINDS.map((row) => [row.metric, row]))
);

/** The smallest share of attention that gives a head a label. */
export const STRONG = FACTS.strong;

/**
 * Whether a head does on a text what it does by habit: half as much counts.
 * @param {{value: number | null}} here its score on the text
 * @param {number} habit
 */
export const keeps = ({ value }, habit) => value !== null && value >= habit / 2;

/** @param {string} label @returns {RelationFind} */
export const byRelation = (label) => `relation.${label}`;

/** The relation that ranks the heads; null if a metric does. @param {FindName | null} find */
export const relationOf = (find) => find?.match(/^relation\.(.*)$/)?.[1] ?? null;

/** The row of the metric that ranks the heads; null if a relation does, or nothing. @param {FindName | null} find */
export const rowOf = (find) => FINDS.find(({ metric }) => metric === find) ?? null;

/**
 * What a link names, if it names a metric or a relation. Only a model's examples know which relations there are.
 * @param {string | null} text
 * @returns {FindName | null}
 */
export function findNamed(text) {
  if (text && /^relation\.[\p{L}\p{N} _-]{1,40}$/u.test(text))
    return /** @type {RelationFind} */ (text);
  const row = FINDS.find((row) => row.metric === text || row.was === text);
  return row?.metric ?? null;
}
