// What the explanations say, in words.

import { decimal, enumerated, percent, threeDigits } from "../../words/format.js";

/** @typedef {import("./reading.js").Hearing} Hearing */
/** @typedef {import("../../types.d.ts").OtherAttention} OtherAttention */

export const COMPUTING =
  "Computing: the sentence runs hundreds of times, each time without other tokens …";
export const NO_ANSWER = "There are no numbers for this text.";
/** What a model lacks. */
export const LACKS = {
  prediction: "This model predicts nothing, so there is no prediction to explain.",
  edits: "This model takes no edits, so no token can be left out: there is no judge.",
};

const CHOICE =
  "The tab Next token chooses the answer, and the tab Attribution another one to compare it with.";

/** What is explained. @param {Hearing} hearing */
export function question({ token, against, read, fills, court }) {
  const where = fills ? `at “${read}”` : `after “${read}”`;
  const answer =
    against === null
      ? `“${token}” (${percent(court.token.probability)})`
      : `“${token}” rather than “${against}”`;
  return `Why ${answer} ${where}?`;
}

/** @param {Hearing} hearing */
export const subject = (hearing) => `${question(hearing)} Each column is an explanation. ${CHOICE}`;

/** A rank correlation with two decimals. @param {number | null} tau */
export const tauText = (tau) =>
  tau === null ? "–" : `${tau < 0 ? "−" : ""}${Math.abs(tau).toFixed(2)}`;

/**
 * Which explanation agrees best with ablation, and what of raw attention.
 * @param {Hearing} hearing
 * @param {{one: {name: string, label: string}, tau: number} | null} best
 */
export function verdict({ columns, chance, n }, best) {
  if (!best || chance === null) {
    return "Ablation puts these tokens in no order: leaving each out changes nothing, or there are too few of them.";
  }
  const limit = chance.toFixed(2);
  const label = best.one.label.toLowerCase();
  const first =
    best.tau > chance
      ? `On this sentence, ablation agrees best with ${label}: τ = ${tauText(best.tau)} over ${n} tokens.`
      : `On this sentence, no explanation agrees with ablation more than a random order might: the best, ${label}, has τ = ${tauText(best.tau)}, and 1 in 20 random orders of ${n} tokens is beyond ±${limit}.`;
  const raw = columns.find(({ one }) => one.name === "weight")?.tau ?? null;
  if (raw === null) return `${first} Raw attention puts the tokens in no order.`;
  if (best.one.name === "weight" && raw > chance) {
    return `${first} So here the mean attention of the layer does tell which tokens matter.`;
  }
  if (raw > chance) {
    return `${first} Raw attention agrees, too: τ = ${tauText(raw)}, where 1 in 20 random orders is beyond ±${limit}.`;
  }
  return `${first} Raw attention is no explanation here: its τ = ${tauText(raw)} is within what random orders reach (±${limit}).`;
}

export const CAUTION =
  "This is one prediction, and one way of leaving a token out: nobody may look at it, in any layer or head. τ is Kendall’s rank correlation: 1 is the same order, −1 the reverse, 0 none.";

export const TABLE = {
  caption: "What each explanation says of each token",
  token: "token",
  judge: "the judge",
  agreement: "τ with ablation",
  none: "no number",
};
/** A number of a cell. @param {number} value */
export const number = (value) => threeDigits(value);

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
  areas: "The area under each curve",
  columns: ["order of", "deletion (small is good)", "insertion (large is good)"],
};
/** @param {"deletion" | "insertion"} kind @param {string[]} names */
export const curvesLabel = (kind, names) =>
  `${CURVES[kind]}. Lines: ${enumerated(names)}. The areas are in the table below.`;
export const curvesNote =
  "Hidden tokens can be looked at by nobody. The random order is the mean of four. No order needs to beat the others: hiding several tokens at once is not the sum of hiding each.";

export const MATRIX = {
  title: "How far all of them agree with one another",
  caption: "Kendall’s τ between each pair of explanations",
};

export const ABOUT = { title: "What each column is, and what it leaves out" };
/** @param {string} definition @param {string} source */
export const defined = (definition, source) => `${definition} (${source})`;
/** A further number of a witness. @param {string} meaning @param {number} value */
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
  `The search replaces how layer ${layer} · head ${head} looks at the tokens from “${read}”, and nothing else.`;

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

export const COLUMNS = ["key", "token"];
