// What the explanations say, in words.

import { gettext, ngettext, sentences, translated } from "../../language/gettext.js";
import { fixed, LESS, MINUS } from "../../language/language.js";
import { decimal, enumerated, percent, quote, threeDigits } from "../../words/format.js";

/** @import { Comparison } from "./reading.js" */
/** @import { OtherAttention } from "../../types.d.ts" */

export const COMPUTING = gettext(
  "Computing: the sentence runs again and again, each time without another token …",
);
export const NO_ANSWER = gettext("There are no numbers for this text.");

const CHOICE = gettext(
  "To explain another prediction, press ◎ beside it in the list. To compare it with a second one, choose that in the Attribution tab.",
);

/** What is explained. @param {Comparison} comparison */
export function question({ token, against, read, fills, explanations }) {
  const where = fills ? gettext("at {read}", { read }) : gettext("after {read}", { read });
  const answer =
    against === null
      ? `${quote(token)} (${percent(explanations.token.probability)})`
      : gettext("{token} rather than {against}", { token: quote(token), against: quote(against) });
  return gettext("Why {answer} {where}?", { answer, where });
}

/** @param {Comparison} comparison */
export const subject = (comparison) =>
  gettext("{question} Each column is an explanation. {choice}", {
    question: question(comparison),
    choice: CHOICE,
  });

/** A rank correlation with two decimals. @param {number | null} tau */
export const tauText = (tau) =>
  tau === null ? "–" : `${tau < 0 ? MINUS : ""}${fixed(Math.abs(tau), 2)}`;

/**
 * Which explanation agrees best with ablation, and what of raw attention.
 * @param {Comparison} comparison
 * @param {{one: {name: string, label: string}, tau: number} | null} best
 */
export function verdict({ columns, chance, n, explanations }, best) {
  if (chance === null) {
    const counted = ngettext("{n} token", "{n} tokens", n);
    return gettext(
      "Too few tokens to tell: with {counted}, even perfect agreement with ablation proves nothing.",
      { counted },
    );
  }
  if (!best) {
    return gettext(
      "There is nothing to compare: leaving out any of these tokens changes the answer by the same amount, or no explanation puts them in an order.",
    );
  }
  const label = translated(best.one.label).toLowerCase();
  const raw = columns.find(({ one }) => one.name === "weight")?.tau ?? null;
  const layer = layerOf(explanations);
  const few = gettext("With only {n} tokens, that cannot be told from chance.", { n });
  /** @param {number} tau */
  const bound = (tau) => {
    const [said, limit] = apart(Math.abs(tau), chance);
    const random = gettext("at most 1 in 20 random orders of {n} tokens reach ±{limit}", {
      n,
      limit,
    });
    return { tau: tau < 0 ? `${MINUS}${said}` : said, random };
  };
  if (best.tau < chance) {
    const { tau, random } = bound(best.tau);
    const first = gettext(
      "On this sentence, no explanation agrees with ablation more than a random order might: the best, {label}, has τ = {tau}, and {random}. {few}",
      { label, tau, random, few },
    );
    return best.one.name === "weight" ? first : sentences([first, rawAlone(raw, chance, layer)]);
  }
  const first = gettext(
    "On this sentence, the explanation that agrees best with ablation is {label}: τ = {tau} over {n} tokens.",
    { label, tau: tauText(best.tau), n },
  );
  if (best.one.name === "weight") {
    return gettext(
      "{first} So here the mean attention of layer {layer} does tell which tokens matter.",
      { first, layer },
    );
  }
  if (raw === null || raw <= -chance) return sentences([first, rawAlone(raw, chance, layer)]);
  const { tau, random } = bound(raw);
  return raw < chance
    ? gettext(
        "{first} Raw attention, the mean over the heads of layer {layer}, agrees no more than a random order might: τ = {tau}, and {random}. {few}",
        { first, layer, tau, random, few },
      )
    : gettext(
        "{first} Raw attention, the mean over the heads of layer {layer}, agrees, too: τ = {tau}, where {random}.",
        { first, layer, tau, random },
      );
}

/** The layer whose raw attention is read. @param {{weights_of: string}} explanations */
const layerOf = ({ weights_of }) => /\d+/.exec(weights_of)?.[0] ?? "";

/** What raw attention says, without the bound. @param {number | null} raw @param {number} chance @param {string} layer */
function rawAlone(raw, chance, layer) {
  if (raw === null)
    return gettext("Raw attention of layer {layer} puts the tokens in no order.", { layer });
  return raw <= -chance
    ? gettext(
        "Raw attention, the mean over the heads of layer {layer}, rather ranks them the other way round: τ = {tau}.",
        { layer, tau: tauText(raw) },
      )
    : gettext("Raw attention, the mean over the heads of layer {layer}, has τ = {tau}.", {
        layer,
        tau: tauText(raw),
      });
}

/** Two numbers with two decimals, or with as many as tell them apart. @param {number} a @param {number} b */
export function apart(a, b) {
  let digits = 2;
  while (a !== b && digits < 12 && fixed(a, digits) === fixed(b, digits)) digits += 1;
  return [fixed(a, digits), fixed(b, digits)];
}

export const CAUTION = gettext(
  "This is one prediction, and one way of leaving a token out: nobody may look at it, in any layer or head. τ is Kendall’s rank correlation: 1 is the same order, −1 the reverse, 0 none.",
);

export const TABLE = {
  caption: gettext("What each explanation says of each token"),
  token: gettext("token"),
  references: {
    reference: gettext("the reference"),
    "second reference": gettext("another reference"),
  },
  agreement: gettext("τ with ablation"),
  none: gettext("no number"),
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
  const least = fixed(10 ** -decimals, decimals);
  return (value) => {
    const text = fixed(Math.abs(value), decimals);
    if (value !== 0 && text === fixed(0, decimals))
      return value < 0 ? `>${MINUS}${least}` : `${LESS}${least}`;
    return value < 0 ? `${MINUS}${text}` : text;
  };
}

export const RANKED = {
  label: gettext("Rank tokens by"),
  options: { value: gettext("signed value"), size: gettext("size") },
  titles: {
    value: gettext("A token that speaks against the answer ranks last"),
    size: gettext("A token that speaks against the answer ranks by how much it does"),
  },
};
export const COUNTED = {
  label: gettext("Count"),
  options: { all: gettext("all tokens"), words: gettext("no special tokens") },
};

export const CURVES = {
  title: gettext("Taking tokens away, or giving them, in the order of each explanation"),
  deletion: gettext("Deletion: the logit falls as the most important tokens are hidden first"),
  insertion: gettext("Insertion: from nothing, the most important tokens are shown first"),
  x: { deletion: gettext("tokens hidden →"), insertion: gettext("tokens shown →") },
  y: gettext("logit"),
  random: gettext("random order"),
  computing: gettext(
    "Computing: the sentence runs hundreds of times, each time without other tokens …",
  ),
  areas: gettext("The area under each curve"),
  columns: [
    gettext("order of"),
    gettext("deletion (small is good)"),
    gettext("insertion (large is good)"),
  ],
};
/** @param {"deletion" | "insertion"} kind @param {string[]} names */
export const curvesLabel = (kind, names) =>
  gettext("{curves}. Lines: {names}. The areas are in the table below.", {
    curves: CURVES[kind],
    names: enumerated(names),
  });
export const curvesNote = gettext(
  "No token can look at a hidden one. The random order is the mean of four. No order needs to beat the others: hiding several tokens at once is not the sum of hiding each.",
);

export const MATRIX = {
  title: gettext("How far all of them agree with one another"),
  caption: gettext("Kendall’s τ between each pair of explanations"),
};

export const ABOUT = { title: gettext("What each column is, and what it leaves out") };
/** @param {string} definition @param {string} source */
export const defined = (definition, source) => `${definition} (${source})`;
/** A further number of a method. @param {string} meaning @param {number} value */
export const note = (meaning, value) => `${decimal(value)}: ${meaning}.`;
/** @param {string} reason */
export const silent = (reason) => gettext("Nothing to say: {reason}.", { reason });

export const SEARCH = {
  title: gettext("Would another attention pattern give the same answer?"),
  button: gettext("Search for another attention pattern"),
  running: gettext("Searching …"),
  wrongKind: gettext(
    "Choose a head that reads the source tokens at the prediction: a cross-attention head.",
  ),
  about: gettext(
    "Jain & Wallace (2019) search by gradient ascent for the pattern that differs most while the answer moves by at most 0.05 (total variation distance). What is found is confirmed by a run with it. The search may miss patterns; it starts from the same seed each time.",
  ),
  real: gettext("as it is"),
  other: gettext("the other"),
  before: gettext("as it is"),
  after: gettext("with the other"),
  answer: gettext("answer"),
  caption: gettext("The row of the head as it is and the other one"),
  answers: gettext("The likeliest answers with both"),
};
/** @param {{layer: number, head: number}} place @param {string} read */
export const searchHint = ({ layer, head }, read) =>
  gettext(
    "The search replaces how layer {layer} · head {head} looks at the tokens from {read}, and nothing else.",
    { layer, head, read },
  );

/** What the search found. @param {OtherAttention} found */
export function outcome({ found, jsd, tvd, tried, tvd_without }) {
  const without = percent(tvd_without);
  if (jsd === null || tvd === null) {
    return gettext(
      "None was found: each of the {tried} patterns that were tried moved the answer by more than 5%. So this head’s attention matters here. Without what this head gives here, the answer moves by {without}.",
      { tried, without },
    );
  }
  const near = tvd_without <= 0.05;
  if (!found) {
    return gettext(
      "None was found: of {tried} patterns that were tried, the one that differs most while the answer moves by at most 5% is almost the same (Jensen–Shannon divergence {jsd} of at most 0.69). Without what this head gives here, the answer moves by {without}.",
      { tried, jsd: fixed(jsd, 2), without },
    );
  }
  return near
    ? gettext(
        "Found: a pattern that differs by {jsd} (Jensen–Shannon divergence, at most 0.69) moves the answer by only {tvd}. But this row hardly matters: without what this head gives here, the answer moves by only {without} (Wiegreffe & Pinter 2019).",
        { jsd: fixed(jsd, 2), tvd: percent(tvd), without },
      )
    : gettext(
        "Found: a pattern that differs by {jsd} (Jensen–Shannon divergence, at most 0.69) moves the answer by only {tvd}, though without what this head gives here it would move by {without}. So the weights of this row do not have to be what they are.",
        { jsd: fixed(jsd, 2), tvd: percent(tvd), without },
      );
}
