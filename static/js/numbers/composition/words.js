// What is said of composition, wherever it is shown.

import { nearly } from "../../words/format.js";

/** How composition is chosen. */
export const CHOICES = {
  through: "Through",
  throughs: /** @type {const} */ ([
    ["k", "keys", "What the later head’s keys are made of"],
    ["q", "queries", "What the later head’s queries are made of"],
    ["v", "values", "What the later head moves"],
  ]),
  measured: "Measured",
  measures: /** @type {const} */ ([
    ["text", "on this text", "Exact shares of what the later head read in this text"],
    ["weights", "from weights", "How well the matrices fit together, whatever the text"],
  ]),
};

/** How the numbers are defined. */
export const ABOUT = {
  text: "Keys and queries: by how much what the earlier head wrote lifts the scores of the tokens that the later head attends to above the others. Values: its share of the later head’s output. Norms are frozen, and all parts together sum to the whole.",
  weights:
    "‖W_OV W_QK‖ / ‖W_OV‖ ‖W_QK‖ and its like (Elhage et al. 2021). What chance would give is drawn as nothing.",
};

/** A head in little room; in an encoder–decoder, of which attention. @param {string} site @param {number} head */
export function headIn(site, head) {
  const layer = site.match(/\d+/)?.[0] ?? "";
  if (site.endsWith(".cross")) return `cross L${layer}·H${head}`;
  if (site.startsWith("encoder.")) return `enc L${layer}·H${head}`;
  return site.startsWith("decoder.") ? `dec L${layer}·H${head}` : `L${layer}·H${head}`;
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
    ? `${one} → ${other} through V: ${nearly(100 * value)} %`
    : `${one} → ${other} through ${short}: ${nearly(value)}`;
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
      k: `${other} reads ${one} through its keys: ${number}, where chance gives ${chance}.`,
      q: `${other} reads ${one} through its queries: ${number}, where chance gives ${chance}.`,
      v: `${other} reads ${one} through its values: ${number}, where chance gives ${chance}.`,
    }[through];
  }
  return {
    k: `${other} reads ${one} through its keys: it lifts what ${other} attends to by ${number}, of ${nearly(lift)} in all.`,
    q: `${other} reads ${one} through its queries: it lifts what ${other} attends to by ${number}, of ${nearly(lift)} in all.`,
    v: `${other} moves what ${one} wrote: that is ${nearly(100 * value)} % of what ${other} writes.`,
  }[through];
}
