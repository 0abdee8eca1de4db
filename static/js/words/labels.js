// The labels of heads, from their scores, as words and numbers. An undefined score never looks like 0.

import { commas, gettext, translated } from "../language/gettext.js";
import { fixed, LTR } from "../language/language.js";
import { BY_METRIC, FINDS, keeps, relationOf, rowOf, STRONG } from "../state/finds.js";

/** @import { Drawn, Find, HeadScores, Score, Scores } from "../types.d.ts" */
/** @import { MetricFind } from "../state/finds.js" */
/** @typedef {Extract<MetricFind, keyof Scores>} Measured */

const BROAD = 0.8; // of the largest possible entropy
const MIN_QUERIES = 3; // a mean over fewer queries means little

/** The metrics that a label may come from, the most specific first: it wins a tie. */
const SHARES = FINDS.flatMap((row) =>
  row.unit === "share" ? [{ ...row, metric: /** @type {Measured} */ (row.metric) }] : [],
);
const BROAD_ROW = BY_METRIC.normalised_entropy;
const FITS = 6; // letters under a thumbnail; longer names keep their first four

/**
 * @typedef {object} Label
 * @property {import("../state/finds.js").MetricFind | "relation" | null} metric null if nothing is strong enough
 * @property {string} name in words; "" if there is no metric
 * @property {string} does in words that complete "this head …"
 * @property {string} brief
 * @property {number | null} value null if it is not defined
 * @property {string | null} reason why it is not defined
 * @property {readonly Drawn[]} [others] the other relations that the head draws, the strongest first
 * @property {Half | null} [half] the label that it would have, if it did all that the label asks for
 * @property {string} [unsure] what the label asks for and is not known of the head, in words
 */

/** A label of which a head does half: where it looks, and what it does not do. @typedef {{name: string, value: number, fails: string, least: number}} Half `least`: how much it does do */

/** The scores of a head, of which some may be missing. @typedef {{scores: Partial<Record<Find, import("../types.d.ts").Score>>, drawn?: Drawn[]}} Found */

/** Why a head has no weight between two tokens of a long text. */
export const POOLED = gettext("in a text this long, tokens are pooled in the small pictures");
const NOT_SCORED = { value: null, over: 0, reason: gettext("it was not measured") };

const NOT_DRAWN = { value: null, reason: gettext("another head does it better") };

/** @type {Label} */
const NONE = { metric: null, name: "", does: "", brief: "", value: 0, reason: null };

/**
 * The label that describes a head best.
 * @param {Partial<Scores>} scores a score that is missing is not known
 * @param {Drawn[]} [drawn] the relations that it draws in sentences, the strongest first
 * @returns {Label}
 */
export function strongest(scores, drawn = []) {
  /** @type {Half | null} */
  let half = null;
  let best = NONE;
  let most = STRONG;
  for (const find of SHARES) {
    const { value, over } = scores[find.metric] ?? NOT_SCORED;
    if (value === null || over < MIN_QUERIES || value < most + (best === NONE ? 0 : 1e-6)) continue;
    const { fails = null, unsure } = otherHalf(BY_METRIC[find.metric], scores);
    if (fails) {
      half = { name: find.name, value, ...fails };
      continue;
    }
    best = { ...find, value, reason: null, unsure };
    most = value;
  }
  return { ...named(scores, best, most, drawn), half: half && half.value >= most ? half : null };
}

/**
 * What a label asks for besides a share of attention: whether the head fails at it, or whether it is not known.
 * @param {import("../state/finds.js").FindRow} find
 * @param {Partial<Scores>} scores
 * @returns {{fails?: {fails: string, least: number}, unsure?: string}}
 */
function otherHalf({ also }, scores) {
  if (!also) return {};
  const { fails, unknown } = BY_METRIC[also.metric].asked ?? { fails: "", unknown: "" };
  const { value, reason } = scores[also.metric] ?? NOT_SCORED;
  if (value === null) return { unsure: unsureInWords({ unknown, reason }) };
  return value < also.least ? { fails: { fails, least: value } } : {};
}

/**
 * The label of a head whose strongest share is known.
 * @param {Partial<Scores>} scores @param {Label} best @param {number} most its value @param {Drawn[]} drawn
 * @returns {Label}
 */
function named(scores, best, most, drawn) {
  const relation = strongestRelation(drawn);
  if (relation && (!isTelling(best) || relation.value > most)) return relation;
  const broad = scores.normalised_entropy?.value ?? null;
  if (best !== NONE || broad === null || broad < BROAD) return best;
  return { ...BROAD_ROW, value: broad, reason: null };
}

/** Whether a label is as specific as a relation between words; the others apply to heads that found nothing better. @param {Label} label */
const isTelling = ({ metric }) => FINDS.some((row) => row.metric === metric && "telling" in row);

/** The strongest relation, with the others. @param {Drawn[]} drawn */
function strongestRelation(drawn) {
  const [first, ...others] = drawn.filter(({ value }) => value >= STRONG);
  return first ? { ...labelOfRelation(first), others } : null;
}

/** @param {Drawn} relation */
function labelOfRelation({ label, does, value }) {
  const name = translated(label);
  return {
    metric: /** @type {const} */ ("relation"),
    name,
    does: translated(does),
    brief: briefly(name),
    value,
    reason: null,
  };
}

/** A name under a small picture. @param {string} name */
export const briefly = (name) => (name.length > FITS ? name.slice(0, 4) : name);

/** Relations of a head, with their numbers. @param {readonly Drawn[]} [drawn] */
export const relations = (drawn = []) =>
  commas(drawn.map(({ label, value }) => `${translated(label)} ${fixed(value, 2)}`));

/**
 * The label of a head.
 * @param {Found} head
 * @param {Find | null} find null: its strongest label
 * @returns {Label}
 */
export function labelOf({ scores, drawn }, find) {
  const relation = relationOf(find);
  if (relation !== null) {
    const found = drawn?.find(({ label }) => label === relation);
    const none = { label: relation, does: "", value: 0 };
    return found ? labelOfRelation(found) : { ...labelOfRelation(none), ...NOT_DRAWN };
  }
  const chosen = rowOf(find);
  if (!chosen) return strongest(scores, drawn);
  const { value, reason } = scores[chosen.metric] ?? NOT_SCORED;
  return { ...chosen, value, reason };
}

/** The unit of a label's number. @param {NonNullable<Label["metric"]>} metric */
const unitOf = (metric) => (metric === "relation" ? "share" : BY_METRIC[metric].unit);

/** A number that fits a thumbnail: ".98", "1.0"; tokens as "4.2". @param {Label} label */
export function brief({ metric, value }) {
  if (value === null) return "–";
  if (metric === null) return "";
  if (unitOf(metric) === "tokens") return fixed(value, 1);
  return value >= 0.995 ? fixed(1, 1) : fixed(value, 2).replace(/^0/, LTR);
}

/** A number for the table: three decimals; one for tokens, two for a weight read off a thumbnail. @param {Label} label */
export function exact({ metric, value }) {
  if (value === null) return "–";
  if (metric === null) return "";
  return fixed(value, { tokens: 1, weight: 2, share: 3, part: 3, entropy: 3 }[unitOf(metric)]);
}

/** @param {{unknown: string, reason: string | null}} half */
const unsureInWords = ({ unknown, reason }) => `${unknown}: ${reason}`;

/** A head that does half of what a label asks for. @param {Half} half */
const halfInWords = ({ name, value, fails, least }) =>
  gettext("looks where {name} looks ({value}), but {but} ({least})", {
    name,
    value: fixed(value, 2),
    but: fails,
    least: fixed(least, 2),
  });

/** "previous token 0.98". @param {Label} label */
export function inWords(label) {
  const { half, unsure } = label;
  return [alone(label), half && halfInWords(half), unsure].filter(Boolean).join("; ");
}

/** A label without what it lacks. @param {Label} label */
function alone({ metric, name, value, reason, others = [] }) {
  if (value === null)
    return gettext("{name} not defined here: {reason}", { name, reason: translated(reason ?? "") });
  if (metric === null) return "";
  if (others.length > 0) return commas([`${name} ${fixed(value, 2)}`, relations(others)]);
  if (metric === "between") return gettext("weight {value}", { value: fixed(value, 2) });
  return unitOf(metric) === "tokens"
    ? gettext("looks {value} tokens {away}", {
        value: fixed(value, 1),
        away: BY_METRIC[/** @type {MetricFind} */ (metric)].away ?? "",
      })
    : `${name} ${fixed(value, 2)}`;
}

/** What is added to a label that a head has from other texts. */
export const NOT_HERE = gettext("but not in this sentence");

/**
 * The label of a head that is named by habit: what it does here, if that is less than half of it.
 * @param {Label} label
 * @param {{value: number | null} | null} here the same score on this sentence; null: the page does not know it
 * @param {boolean} mayRelate whether the head may draw a relation here
 */
export function habitInWords(label, here, mayRelate) {
  const { metric, name, value } = label;
  if (metric === null || value === null) return inWords(label);
  const habit = fixed(value, 2);
  if (metric === "relation") {
    return mayRelate
      ? inWords(label)
      : gettext("{name} by habit ({habit}), {but}", { name, habit, but: NOT_HERE });
  }
  if (!here) return inWords(label);
  if (here.value === null) {
    return gettext("{name} by habit ({habit}); this sentence has no token to measure it on", {
      name,
      habit,
    });
  }
  return keeps(here, value)
    ? inWords(label)
    : gettext("{name} by habit ({habit}), {but} ({value})", {
        name,
        habit,
        but: NOT_HERE,
        value: fixed(here.value, 2),
      });
}

/**
 * The heads as rows of a table: the highest first, undefined values last.
 * @param {(Found & Pick<HeadScores, "layer" | "head">)[]} heads
 * @param {Find | null} find
 * @returns {{layer: number, head: number, label: Label, share: number}[]} `share` is the length of the bar, and what the filter compares
 */
export function ranked(heads, find) {
  const rows = heads.map((one) => ({
    layer: one.layer,
    head: one.head,
    label: labelOf(one, find),
  }));
  const most =
    rowOf(find)?.unit === "tokens"
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
 * The progress of the probe, in words.
 * @param {import("../types.d.ts").Probe | null} probe
 */
export function progressOf(probe) {
  if (!probe) return gettext("waiting for the probe of the heads …");
  const { state, progress, error } = probe;
  if (state === "computing")
    return gettext("probing the heads: {done} of {total}", {
      done: progress.done,
      total: progress.total,
    });
  return state === "failed"
    ? gettext("The heads could not be probed: {error}", { error: error ?? "" })
    : "";
}
