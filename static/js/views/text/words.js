// Text: what the picture shows, in sentences. Pure.

import { shares } from "../../sources/scratch/words.js";
import { isMuted } from "../../state/choice.js";
import { shorten } from "../../words/format.js";
import { reasonsIn } from "../../words/hatch.js";
import { headName } from "../../words/picture.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./weights.js").Head} Head */
/** @typedef {import("./weights.js").Role} Role */
/** @typedef {import("./weights.js").Weights} Weights */

const LEAST = 0.01; // a weight that is named, and written under its token
const LISTED = 4; // tokens in a sentence
const LETTERS = 24; // of a token

/** A share of attention: "97%"; never 100% of what is less, nor 0% of what is more. @param {number} value */
export function percent(value) {
  if (value < LEAST) return value > 0 ? "<\u202f1%" : "0%";
  const whole = Math.round(100 * value);
  return whole === 100 && value < 0.9995 ? `${(100 * value).toFixed(1)}%` : `${whole}%`;
}

/** What stands under a token; "" where there is too little to say. @param {number} value */
export const under = (value) => (value >= LEAST ? percent(value) : "");

/**
 * A token by its words; where several have the same, with its place.
 * @param {string[]} labels
 * @param {number} place
 * @param {string} [share] said with it
 */
function named(labels, place, share = "") {
  const same = labels.filter((label) => label === labels[place]).length > 1;
  const more = [same && `token ${place}`, share].filter(Boolean).join(", ");
  return `“${shorten(labels[place], LETTERS)}”${more && ` (${more})`}`;
}

/**
 * Where a token looks, or who looks at it.
 * @param {Role} role
 * @param {number} place of the token
 * @param {string[]} own labels of its text
 * @param {string[]} others of the text that is coloured
 * @param {Weights | null} weights
 */
export function sentence(role, place, own, others, weights) {
  const name = named(own, place);
  if (!weights) return `The numbers of ${name} are not here.`;
  const { values, blocked } = weights;
  const open = others.map((_, one) => one).filter((one) => !blocked[one] || values[one] > 0);
  if (open.length === 0) {
    return role === "query"
      ? `${name} looks at nothing: every token is blocked.`
      : `No token looks at ${name}: it is blocked everywhere.`;
  }
  const ranked = open.sort((a, b) => values[b] - values[a]);
  const first = ranked.filter((one) => values[one] >= LEAST).slice(0, LISTED);
  const rest = ranked.length - first.length;
  const small = values[ranked[first.length] ?? -1] < LEAST;
  if (role === "query") {
    const listed = first.map((one) => `${percent(values[one])} to ${named(others, one)}`);
    const each = small ? `less than 1% to ${eachOf(rest, first.length)}` : `less to ${more(rest)}`;
    return `${name} gives ${inRow(rest > 0 ? [...listed, each] : listed)}.`;
  }
  const listed = first.map((one) => named(others, one, percent(values[one])));
  const each = small
    ? `${eachOf(rest, first.length)} with less than 1%`
    : `${more(rest)} with less`;
  return `${name} is looked at by ${inRow(rest > 0 ? [...listed, each] : listed)}.`;
}

/** @param {number} n @param {number} listed */
const eachOf = (n, listed) =>
  listed === 0 ? "each token" : n === 1 ? "one other token" : `each of ${n} other tokens`;

/** @param {number} n */
const more = (n) => (n === 1 ? "one other token" : `${n} other tokens`);

/** @param {string[]} parts */
const inRow = (parts) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

/**
 * Whose weights the colours are.
 * @param {Pick<State, "over">} state
 * @param {import("../../types.d.ts").Site} site
 * @param {number} head
 * @param {Head[]} heads
 */
export function titleOf({ over }, site, head, heads) {
  const own = headName(site, head);
  if (heads.length === 1) return own;
  if (over === "layer") return `${own.split(" · ")[0]} · mean of its ${heads.length} heads`;
  return `Mean of ${heads.length} heads: ${heads.map(([l, h]) => `L${l}·H${h}`).join(", ")}`;
}

/**
 * What is to be known of the numbers.
 * @param {Readonly<State>} state
 * @param {import("../../numbers/detail.js").Detail & {}} detail
 * @param {Head[]} heads
 * @param {Weights | null} weights
 */
export function notes(state, { site, head, pooled }, heads, weights) {
  const muted = heads.filter(([layer, one]) => isMuted(state.muted, site.kind, layer, one)).length;
  const one = heads.length === 1;
  const reasons = weights ? reasonsIn(weights.blocked).map(({ words }) => words) : [];
  return [
    `Colours are attention weights. ${titleOf(state, site, head, heads)}.`,
    reasons.length > 0 && `Hatched tokens are blocked: ${reasons.join("; ")}.`,
    weights && !weights.exact && "A long text: these weights are rounded to 1/255.",
    !weights && pooled && "Of so long a text only the rows of the selected head can be shown.",
    !weights && !one && state.text?.problem && `They cannot be had: ${state.text.problem.message}`,
    muted > 0 && one && "This head is muted: it looks, but nothing of it goes on.",
    muted > 0 && !one && `${muted} of these heads ${muted === 1 ? "is" : "are"} muted.`,
    shares(site),
  ]
    .filter(Boolean)
    .join(" ");
}
