// Text: everything that people read in this view. Pure.

import { commas, gettext, ngettext, sentences } from "../../language/gettext.js";
import { fixed, LESS, percentage } from "../../language/language.js";
import { isMuted } from "../../state/choice.js";
import { enumerated, isRepeated, quote, quoteAt, shorten } from "../../words/format.js";
import { reasonsIn } from "../../words/hatch.js";
import { headName, layerName, shortHeadName } from "../../words/heads.js";
import { sumsInWords } from "../../words/picture.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Head, Role, Weights } from "./weights.js" */

const MIN_SHARE = 0.01; // a smaller weight is neither listed nor written under its token
const MAX_LISTED = 4; // tokens in a sentence
const MAX_LETTERS = 24; // of a token

export const TOOLS = {
  /** What is coloured when a token is pointed at. */
  role: {
    legend: gettext("The token"),
    options: { query: gettext("Looks at"), key: gettext("Is looked at by") },
  },
  /** Whose weights they are. */
  over: {
    legend: gettext("Heads"),
    options: { head: gettext("This head"), layer: gettext("Layer mean"), set: gettext("Set mean") },
  },
  set: gettext("Heads of the set"),
  add: gettext("Keep this head in the set while you look at others"),
};
export const TEXTS = {
  query: { name: gettext("target"), tokens: gettext("Tokens of the target") },
  key: { name: gettext("source"), tokens: gettext("Tokens of the source") },
  only: gettext("Tokens of the text"),
  secondSegment: "B",
};
export const SCALE = {
  name: gettext("weight"),
  /** @param {number} low */
  orLess: (low) => gettext("{low} or less", { low }),
};

/** The name of the numbers in a file. @param {number} n heads */
export const columnName = (n) =>
  n > 1 ? gettext("mean weight of {n} heads", { n }) : gettext("weight");

/** A share of attention: "97%". It is 100% only of everything, and 0% only of nothing. @param {number} value */
export function percent(value) {
  if (value < MIN_SHARE) return value > 0 ? `${LESS}\u202f${percentage("1")}` : percentage("0");
  const rounded = Math.round(100 * value);
  const isOne = rounded === 100 && value < 0.9995;
  return percentage(isOne ? fixed(100 * value, 1) : String(rounded));
}

/** The number under a token; "" if it is too small. @param {number} value */
export const under = (value) => (value >= MIN_SHARE ? percent(value) : "");

/** @param {string[]} labels @param {number} place */
const named = (labels, place) => quoteAt(labels, place, MAX_LETTERS);

/** The same with a share: "“cat” (token 3, 12%)". @param {string[]} labels @param {number} place @param {string} share */
function namedWith(labels, place, share) {
  const text = shorten(labels[place], MAX_LETTERS);
  return isRepeated(labels, place)
    ? gettext("{text} (token {place}, {share})", { text: quote(text), place, share })
    : `${quote(text)} (${share})`;
}

/**
 * Where a token looks, or who looks at it.
 * @param {Role} role
 * @param {number} place of the token
 * @param {string[]} own the labels of its text
 * @param {string[]} others the labels of the text that is coloured
 * @param {Weights | null} weights
 */
export function sentence(role, place, own, others, weights) {
  const name = named(own, place);
  if (!weights) return gettext("The numbers of {name} are not available.", { name });
  const { values, blocked } = weights;
  const open = others
    .map((_, token) => token)
    .filter((token) => !blocked[token] || values[token] > 0);
  if (open.length === 0) {
    return role === "query"
      ? gettext("{name} looks at nothing: every token is blocked.", { name })
      : gettext("No token looks at {name}: it is blocked everywhere.", { name });
  }
  const ranked = open.sort((a, b) => values[b] - values[a]);
  const listed = ranked.filter((token) => values[token] >= MIN_SHARE).slice(0, MAX_LISTED);
  const rest = {
    n: ranked.length - listed.length,
    isSmall: values[ranked[listed.length] ?? -1] < MIN_SHARE,
    isAll: listed.length === 0,
  };
  if (role === "query") {
    const items = listed.map((token) =>
      gettext("{share} to {token}", { share: percent(values[token]), token: named(others, token) }),
    );
    return gettext("{name} gives {shares}.", {
      name,
      shares: enumerated(rest.n > 0 ? [...items, givenToRest(rest)] : items),
    });
  }
  const items = listed.map((token) => namedWith(others, token, percent(values[token])));
  return gettext("{name} is looked at by {shares}.", {
    name,
    shares: enumerated(rest.n > 0 ? [...items, takenByRest(rest)] : items),
  });
}

/** @typedef {{n: number, isSmall: boolean, isAll: boolean}} Rest the tokens that are not listed; `isSmall`: below 1% each */

/** @param {Rest} rest */
function givenToRest({ n, isSmall, isAll }) {
  if (!isSmall) return ngettext("less to one other token", "less to {n} other tokens", n);
  if (isAll) return gettext("less than 1% to each token");
  return ngettext("less than 1% to one other token", "less than 1% to each of {n} other tokens", n);
}

/** @param {Rest} rest */
function takenByRest({ n, isSmall, isAll }) {
  if (!isSmall) return ngettext("one other token with less", "{n} other tokens with less", n);
  if (isAll) return gettext("each token with less than 1%");
  return ngettext(
    "one other token with less than 1%",
    "each of {n} other tokens with less than 1%",
    n,
  );
}

/**
 * Whose weights the colours are.
 * @param {Pick<State, "over">} state
 * @param {import("../../types.d.ts").Site} site
 * @param {number} head
 * @param {Head[]} heads
 */
export function titleOf({ over }, site, head, heads) {
  if (heads.length === 1) return headName(site, head);
  if (over === "layer")
    return gettext("{site} · mean of its {heads} heads", {
      site: layerName(site),
      heads: heads.length,
    });
  return gettext("Mean of {n} heads: {heads}", {
    n: heads.length,
    heads: commas(heads.map(shortHeadName)),
  });
}

/**
 * What to know about the numbers.
 * @param {Readonly<State>} state
 * @param {import("../../numbers/detail.js").Detail & {}} detail
 * @param {Head[]} heads
 * @param {Weights | null} weights
 */
export function notes(state, { site, head, pooled }, heads, weights) {
  const muted = heads.filter(([layer, one]) => isMuted(state.muted, site.kind, layer, one)).length;
  const isSingle = heads.length === 1;
  const reasons = weights ? reasonsIn(weights.blocked).map(({ words }) => words) : [];
  const problem = state.text?.problem;
  return sentences([
    gettext("Colours are attention weights. {heads}.", {
      heads: titleOf(state, site, head, heads),
    }),
    reasons.length > 0 &&
      gettext("Hatched tokens are blocked by {masks}.", { masks: enumerated(reasons) }),
    weights && !weights.exact && gettext("A long text: these weights are rounded to 1/255."),
    !weights &&
      pooled &&
      gettext("For a text this long, only the rows of the selected head can be shown."),
    !weights &&
      !isSingle &&
      problem &&
      gettext("These numbers are not available: {reason}", { reason: problem.message }),
    muted > 0 && mutedInWords(muted, isSingle),
    sumsInWords(site, state),
  ]);
}

/** @param {number} n @param {boolean} isSingle whether only one head is shown */
function mutedInWords(n, isSingle) {
  if (isSingle) return gettext("This head is muted: it still looks, but passes nothing on.");
  return ngettext("{n} of these heads is muted.", "{n} of these heads are muted.", n);
}
