// What is said of composition, wherever it is shown.

import { gettext } from "../../language/gettext.js";
import { percentage } from "../../language/language.js";
import { nearly } from "../../words/format.js";

/** How composition is chosen. */
export const CHOICES = {
  through: gettext("Through"),
  throughs: /** @type {const} */ ([
    ["k", gettext("keys"), gettext("What the later head’s keys are made of")],
    ["q", gettext("queries"), gettext("What the later head’s queries are made of")],
    ["v", gettext("values"), gettext("What the later head moves")],
  ]),
  measured: gettext("Measured"),
  measures: /** @type {const} */ ([
    [
      "text",
      gettext("on this text"),
      gettext("Exact shares of what the later head read in this text"),
    ],
    [
      "weights",
      gettext("from weights"),
      gettext("How well the matrices fit together, whatever the text"),
    ],
  ]),
};

/** How the numbers are defined. */
export const ABOUT = {
  text: gettext(
    "Keys and queries: by how much what the earlier head wrote lifts the scores of the tokens that the later head attends to above the others. Values: its share of the later head’s output. Norms are frozen, and all parts together sum to the whole.",
  ),
  weights: gettext(
    "‖W_OV W_QK‖ / ‖W_OV‖ ‖W_QK‖ and its like (Elhage et al. 2021). What chance would give is drawn as nothing.",
  ),
};

/** A head in little room; in an encoder–decoder, of which attention. @param {string} site @param {number} head */
export function headIn(site, head) {
  const layer = site.match(/\d+/)?.[0] ?? "";
  if (site.endsWith(".cross")) return gettext("cross L{layer}·H{head}", { layer, head });
  if (site.startsWith("encoder.")) return gettext("enc L{layer}·H{head}", { layer, head });
  return site.startsWith("decoder.")
    ? gettext("dec L{layer}·H{head}", { layer, head })
    : `L${layer}·H${head}`;
}

/**
 * A pair of heads in one line: "L0·H2 → L1·H3 through K: 0.42".
 * @param {{earlier: {site: string, head: number}, later: {site: string, head: number}, value: number, through: "q" | "k" | "v"}} cell
 * @param {boolean} byWeights
 */
export function linkName({ earlier, later, value, through }, byWeights) {
  const [one, other] = [earlier, later].map(({ site, head }) => headIn(site, head));
  const short = through.toUpperCase();
  return through === "v" && !byWeights
    ? gettext("{one} → {other} through V: {share}", {
        one,
        other,
        share: percentage(nearly(100 * value)),
      })
    : gettext("{one} → {other} through {short}: {value}", {
        one,
        other,
        short,
        value: nearly(value),
      });
}

/**
 * One cell of the composition.
 * @param {{earlier: {site: string, head: number}, later: {site: string, head: number}, value: number, through: "q" | "k" | "v", lift: number}} cell
 * @param {number | null} baseline of composition by weights; null: on a text
 */
export function composedSentence({ earlier, later, value, through, lift }, baseline) {
  const [one, other] = [earlier, later].map(({ site, head }) => headIn(site, head));
  const number = nearly(value);
  if (baseline !== null) {
    const chance = nearly(baseline);
    return {
      k: gettext("{other} reads {one} through its keys: {number}, where chance gives {chance}.", {
        other,
        one,
        number,
        chance,
      }),
      q: gettext(
        "{other} reads {one} through its queries: {number}, where chance gives {chance}.",
        { other, one, number, chance },
      ),
      v: gettext("{other} reads {one} through its values: {number}, where chance gives {chance}.", {
        other,
        one,
        number,
        chance,
      }),
    }[through];
  }
  return {
    k: gettext(
      "{other} reads {one} through its keys: it lifts what {other} attends to by {number}, of {all} in all.",
      { other, one, number, all: nearly(lift) },
    ),
    q: gettext(
      "{other} reads {one} through its queries: it lifts what {other} attends to by {number}, of {all} in all.",
      { other, one, number, all: nearly(lift) },
    ),
    v: gettext("{other} moves what {one} wrote: that is {share} of what {other} writes.", {
      other,
      one,
      share: percentage(nearly(100 * value)),
    }),
  }[through];
}
