// What a head is called, by its scores: labels, numbers and words. A score that is not defined never looks like a 0.

import { BY_METRIC, FINDS } from "../state/finds.js";

/** @typedef {import("../types.d.ts").Find} Find */
/** @typedef {import("../types.d.ts").Score} Score */
/** @typedef {import("../types.d.ts").Scores} Scores */
/** @typedef {import("../types.d.ts").HeadScores} HeadScores */
/** @typedef {import("../types.d.ts").Drawn} Drawn */

/** What the kinds of sites are called. @type {Record<import("../types.d.ts").Kind, string>} */
export const KIND_NAMES = { self: "", encoder: "Encoder", decoder: "Decoder", cross: "Cross" };

const STRONG = 0.3; // a share of attention that earns a head its label
const BROAD = 0.8; // of the entropy that is possible
const HABIT = 3; // queries: a mean over fewer says nothing

/** The shares of attention that a label may be, the more telling first: of two that are equal it stays. */
const SHARES = FINDS.filter(({ unit }) => unit === "share");
const BROAD_ROW = BY_METRIC.normalised_entropy;
const FITS = 6; // letters under a thumbnail; longer names keep their first four

/**
 * @typedef {object} Label
 * @property {Find | "relation" | null} metric null where nothing is strong enough to name
 * @property {string} name in words; "" where there is none
 * @property {string} brief
 * @property {number | null} value null where it is not defined
 * @property {string | null} reason why it is not defined
 * @property {number} [more] how many other relations the head draws
 */

/** What a head is labelled by: not every score is there. @typedef {{scores: Partial<Record<Find, import("../types.d.ts").Score>>, drawn?: Drawn[]}} Found */

const NOT_SCORED = { value: null, reason: "it was not measured" };

/** @type {Label} */
const NONE = { metric: null, name: "", brief: "", value: 0, reason: null };

/**
 * What a head does above all.
 * @param {Scores} scores
 * @param {Drawn[]} [drawn] the relations that it draws in sentences, the strongest first
 * @returns {Label}
 */
export function strongest(scores, drawn = []) {
  let best = NONE;
  let most = STRONG;
  for (const find of SHARES) {
    const { value, over } = scores[/** @type {import("../types.d.ts").MetricName} */ (find.metric)];
    if (value === null || over < HABIT || value < most + (best === NONE ? 0 : 1e-6)) continue;
    best = { ...find, value, reason: null };
    most = value;
  }
  const relation = relationOf(drawn);
  if (relation && (!isTelling(best) || relation.value > most)) return relation;
  const broad = scores.normalised_entropy.value;
  if (best !== NONE || broad === null || broad < BROAD) return best;
  return { ...BROAD_ROW, value: broad, reason: null };
}

/** Whether a label says as much as a relation in sentences does; others only say that there was nothing to find. @param {Label} label */
const isTelling = ({ metric }) => FINDS.some((row) => row.metric === metric && "telling" in row);

/** The strongest relation; how many others there are is said with its number. @param {Drawn[]} drawn */
function relationOf(drawn) {
  const [first, ...others] = drawn.filter(({ value }) => value >= STRONG);
  if (!first) return null;
  return {
    metric: /** @type {const} */ ("relation"),
    name: first.label,
    brief: first.label.length > FITS ? first.label.slice(0, 4) : first.label,
    value: first.value,
    reason: null,
    more: others.length,
  };
}

/** Every relation of a head, for whoever points at its label. @param {Drawn[]} [drawn] */
export const relations = (drawn = []) =>
  drawn.map(({ label, value }) => `${label} ${value.toFixed(2)}`).join(", ");

/**
 * What a head is labelled by.
 * @param {Found} head
 * @param {Find | null} find null is its strongest label
 * @returns {Label}
 */
export function labelOf({ scores, drawn }, find) {
  const chosen = FINDS.find(({ metric }) => metric === find);
  if (!chosen) return strongest(/** @type {Scores} */ (scores), drawn);
  const { value, reason } = scores[chosen.metric] ?? NOT_SCORED;
  return { ...chosen, value, reason };
}

/** What a label's number is of. @param {NonNullable<Label["metric"]>} metric */
const unitOf = (metric) => (metric === "relation" ? "share" : BY_METRIC[metric].unit);

/** A number that fits a thumbnail: ".98", "1.0"; tokens as "4.2". @param {Label} label */
export function brief({ metric, value }) {
  if (value === null) return "–";
  if (metric === null) return "";
  if (unitOf(metric) === "tokens") return value.toFixed(1);
  return value >= 0.995 ? "1.0" : value.toFixed(2).replace(/^0/, "");
}

/** A number for the table: three decimals; tokens with one, and two where it is read off a thumbnail. @param {Label} label */
export function exact({ metric, value }) {
  if (value === null) return "–";
  if (metric === null) return "";
  return value.toFixed({ tokens: 1, weight: 2, share: 3, entropy: 3 }[unitOf(metric)]);
}

/** "previous token 0.98". @param {Label} label */
export function inWords({ metric, name, value, reason, more }) {
  if (value === null) return `${name} not defined here: ${reason}`;
  if (metric === null) return "";
  if (more) return `${name} ${value.toFixed(2)} +${more}`;
  if (metric === "between") return `weight ${value.toFixed(2)}`;
  return unitOf(metric) === "tokens"
    ? `looks ${value.toFixed(1)} tokens ${BY_METRIC[/** @type {Find} */ (metric)].away}`
    : `${name} ${value.toFixed(2)}`;
}

/**
 * The heads as a table: the highest first, what is not defined last.
 * @param {(Found & Pick<HeadScores, "layer" | "head">)[]} heads
 * @param {Find | null} find
 * @returns {{layer: number, head: number, label: Label, share: number}[]} `share` is of the bar, and what the filter reads
 */
export function ranked(heads, find) {
  const rows = heads.map((one) => ({
    layer: one.layer,
    head: one.head,
    label: labelOf(one, find),
  }));
  const most =
    find && unitOf(find) === "tokens"
      ? Math.max(...rows.map(({ label }) => label.value ?? 0), 1e-9)
      : 1;
  return rows
    .map((row) => ({
      ...row,
      share: Math.min(1, Math.max(0, (row.label.value ?? 0) / most)),
    }))
    .sort((a, b) => order(b) - order(a) || a.layer - b.layer || a.head - b.head);
}

/** @param {{label: Label}} row */
const order = ({ label }) => label.value ?? Number.NEGATIVE_INFINITY;

/**
 * How far the probe is, in words.
 * @param {import("../types.d.ts").Probe | null} probe
 */
export function progressOf(probe) {
  if (!probe) return "waiting for the probe of the heads …";
  const { state, progress, error } = probe;
  if (state === "computing") return `probing the heads: ${progress.done} of ${progress.total}`;
  return state === "failed" ? `The heads could not be probed: ${error}` : "";
}
