// What the explanations say, in words.

import { decimal, enumerated, percent, quote, threeDigits } from "../../words/format.js";

/** @import { Comparison } from "./reading.js" */
/** @import { OtherAttention } from "../../types.d.ts" */

export const COMPUTING =
  "Computing: the sentence runs again and again, each time without another token …";
export const NO_ANSWER = "There are no numbers for this text.";
/** What a model lacks. */
export const LACKS = {
  prediction: "This model predicts nothing, so there is no prediction to explain.",
  edits: "This model takes no edits, so no token can be left out: there is no reference.",
};

const CHOICE =
  "To explain another prediction, press ◎ beside it in the list. To compare it with a second one, choose that in the Attribution tab.";

/** What is explained. @param {Comparison} comparison */
export function question({ token, against, read, fills, explanations }) {
  const where = fills ? `at ${read}` : `after ${read}`;
  const answer =
    against === null
      ? `${quote(token)} (${percent(explanations.token.probability)})`
      : `${quote(token)} rather than ${quote(against)}`;
  return `Why ${answer} ${where}?`;
}

/** @param {Comparison} comparison */
export const subject = (comparison) =>
  `${question(comparison)} Each column is an explanation. ${CHOICE}`;

/** A rank correlation with two decimals. @param {number | null} tau */
export const tauText = (tau) =>
  tau === null ? "–" : `${tau < 0 ? "−" : ""}${Math.abs(tau).toFixed(2)}`;

/**
 * Which explanation agrees best with ablation, and what of raw attention.
 * @param {Comparison} comparison
 * @param {{one: {name: string, label: string}, tau: number} | null} best
 */
export function verdict({ columns, chance, n, explanations }, best) {
  if (chance === null) {
    const counted = n === 1 ? "1 token" : `${n} tokens`;
    return `Too few tokens to tell: with ${counted}, even perfect agreement with ablation proves nothing.`;
  }
  if (!best) {
    return "There is nothing to compare: leaving out any of these tokens changes the answer by the same amount, or no explanation puts them in an order.";
  }
  const label = best.one.label.toLowerCase();
  const raw = columns.find(({ one }) => one.name === "weight")?.tau ?? null;
  const layer = layerOf(explanations);
  const few = `With only ${n} tokens, that cannot be told from chance.`;
  /** @param {number} tau */
  const bound = (tau) => {
    const [said, limit] = apart(Math.abs(tau), chance);
    const random = `at most 1 in 20 random orders of ${n} tokens reach ±${limit}`;
    return { tau: tau < 0 ? `−${said}` : said, random };
  };
  if (best.tau < chance) {
    const { tau, random } = bound(best.tau);
    const first = `On this sentence, no explanation agrees with ablation more than a random order might: the best, ${label}, has τ = ${tau}, and ${random}. ${few}`;
    return best.one.name === "weight" ? first : `${first} ${rawAlone(raw, chance, layer)}`;
  }
  const first = `On this sentence, the explanation that agrees best with ablation is ${label}: τ = ${tauText(best.tau)} over ${n} tokens.`;
  if (best.one.name === "weight") {
    return `${first} So here the mean attention of layer ${layer} does tell which tokens matter.`;
  }
  if (raw === null || raw <= -chance) return `${first} ${rawAlone(raw, chance, layer)}`;
  const { tau, random } = bound(raw);
  return raw < chance
    ? `${first} Raw attention, the mean over the heads of layer ${layer}, agrees no more than a random order might: τ = ${tau}, and ${random}. ${few}`
    : `${first} Raw attention, the mean over the heads of layer ${layer}, agrees, too: τ = ${tau}, where ${random}.`;
}

/** The layer whose raw attention is read. @param {{weights_of: string}} explanations */
const layerOf = ({ weights_of }) => /\d+/.exec(weights_of)?.[0] ?? "";

/** What raw attention says, without the bound. @param {number | null} raw @param {number} chance @param {string} layer */
function rawAlone(raw, chance, layer) {
  if (raw === null) return `Raw attention of layer ${layer} puts the tokens in no order.`;
  return raw <= -chance
    ? `Raw attention, the mean over the heads of layer ${layer}, rather ranks them the other way round: τ = ${tauText(raw)}.`
    : `Raw attention, the mean over the heads of layer ${layer}, has τ = ${tauText(raw)}.`;
}

/** Two numbers with two decimals, or with as many as tell them apart. @param {number} a @param {number} b */
export function apart(a, b) {
  let digits = 2;
  while (a !== b && digits < 12 && a.toFixed(digits) === b.toFixed(digits)) digits += 1;
  return [a.toFixed(digits), b.toFixed(digits)];
}

export const CAUTION =
  "This is one prediction, and one way of leaving a token out: nobody may look at it, in any layer or head. τ is Kendall’s rank correlation: 1 is the same order, −1 the reverse, 0 none.";

export const TABLE = {
  caption: "What each explanation says of each token",
  token: "token",
  references: { reference: "the reference", "second reference": "another reference" },
  agreement: "τ with ablation",
  none: "no number",
};
/** A number beside a curve. @param {number} value */
export const number = (value) => threeDigits(value);

/**
 * How the numbers of a column are written: all with the decimals that give its largest three digits, and below 100 with at least
 * two. A number that is too small for them never reads as 0.
 * @param {number[]} values
 * @returns {(value: number) => string}
 */
export function columnNumber(values) {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const fewest = most > 0 && most < 100 ? 2 : 0;
  const decimals = most > 0 ? Math.min(20, Math.max(fewest, 2 - Math.floor(Math.log10(most)))) : 0;
  const least = (10 ** -decimals).toFixed(decimals);
  return (value) => {
    const text = Math.abs(value).toFixed(decimals);
    if (value !== 0 && Number(text) === 0) return value < 0 ? `>−${least}` : `<${least}`;
    return value < 0 ? `−${text}` : text;
  };
}

export const RANKED = {
  label: "Rank tokens by",
  options: { value: "value", size: "size" },
  titles: {
    value: "A token that speaks against the answer ranks last",
    size: "A token that speaks against the answer ranks by how much it does",
  },
};
export const COUNTED = {
  label: "Count",
  options: { all: "all tokens", words: "no special tokens" },
};

export const CURVES = {
  title: "Taking tokens away, or giving them, in the order of each explanation",
  deletion: "Deletion: the logit falls as the most important tokens are hidden first",
  insertion: "Insertion: from nothing, the most important tokens are shown first",
  x: { deletion: "tokens hidden →", insertion: "tokens shown →" },
  y: "logit",
  random: "random order",
  computing: "Computing: the sentence runs hundreds of times, each time without other tokens …",
  areas: "The area under each curve",
  columns: ["order of", "deletion (small is good)", "insertion (large is good)"],
};
/** @param {"deletion" | "insertion"} kind @param {string[]} names */
export const curvesLabel = (kind, names) =>
  `${CURVES[kind]}. Lines: ${enumerated(names)}. The areas are in the table below.`;
export const curvesNote =
  "No token can look at a hidden one. The random order is the mean of four. No order needs to beat the others: hiding several tokens at once is not the sum of hiding each.";

export const MATRIX = {
  title: "How far all of them agree with one another",
  caption: "Kendall’s τ between each pair of explanations",
};

export const ABOUT = { title: "What each column is, and what it leaves out" };
/** @param {string} definition @param {string} source */
export const defined = (definition, source) => `${definition} (${source})`;
/** A further number of a method. @param {string} meaning @param {number} value */
export const note = (meaning, value) => `${decimal(value)}: ${meaning}.`;
/** @param {string} reason */
export const silent = (reason) => `Nothing to say: ${reason}.`;

export const SEARCH = {
  title: "Would another attention pattern give the same answer?",
  button: "Search for another attention pattern",
  running: "Searching …",
  wrongKind:
    "Choose a head that reads the source tokens at the prediction: a cross-attention head.",
  about:
    "Jain & Wallace (2019) search by gradient ascent for the pattern that differs most while the answer moves by at most 0.05 (total variation distance). What is found is confirmed by a run with it. The search may miss patterns; it starts from the same seed each time.",
  real: "as it is",
  other: "the other",
  before: "as it is",
  after: "with the other",
  answer: "answer",
  caption: "The row of the head as it is and the other one",
  answers: "The likeliest answers with both",
};
/** @param {{layer: number, head: number}} place @param {string} read */
export const searchHint = ({ layer, head }, read) =>
  `The search replaces how layer ${layer} · head ${head} looks at the tokens from ${read}, and nothing else.`;

/** What the search found. @param {OtherAttention} found */
export function outcome({ found, jsd, tvd, tried, tvd_without }) {
  const without = percent(tvd_without);
  if (jsd === null || tvd === null) {
    return `None was found: each of the ${tried} patterns that were tried moved the answer by more than 5%. So this head’s attention matters here. Without what this head gives here, the answer moves by ${without}.`;
  }
  const near = tvd_without <= 0.05;
  if (!found) {
    return `None was found: of ${tried} patterns that were tried, the one that differs most while the answer moves by at most 5% is almost the same (Jensen–Shannon divergence ${jsd.toFixed(2)} of at most 0.69). Without what this head gives here, the answer moves by ${without}.`;
  }
  return near
    ? `Found: a pattern that differs by ${jsd.toFixed(2)} (Jensen–Shannon divergence, at most 0.69) moves the answer by only ${percent(tvd)}. But this row hardly matters: without what this head gives here, the answer moves by only ${without} (Wiegreffe & Pinter 2019).`
    : `Found: a pattern that differs by ${jsd.toFixed(2)} (Jensen–Shannon divergence, at most 0.69) moves the answer by only ${percent(tvd)}, though without what this head gives here it would move by ${without}. So the weights of this row do not have to be what they are.`;
}
