// The cache while a text is written: everything that people read in this panel. Pure.

import { BYTES } from "../../sources/scratch/kept.js";
import { grouped, quote, shorten } from "../../words/format.js";

/** @import { Status, Writing } from "./steps.js" */

export const SLIDER = "The token that is written";
export const NONE = "There is no text to write yet.";
/** Why nothing can be kept. */
export const REASONS = {
  ahead:
    "Here tokens look at later ones, so each new token changes what all others have found: nothing can be kept. Switch the causal mask on.",
  softmax:
    "Here each new token takes part in the softmax of those before it and changes their weights: nothing can be kept.",
};

/** @type {Record<Status, string>} */
export const STATUSES = {
  new: "written now",
  kept: "kept",
  gone: "thrown away",
  summed: "in the sums",
  later: "to come",
};

/** @param {string} token @param {Status} status */
export const chipInWords = (token, status) => `${quote(token)}: ${STATUSES[status]}`;

/** @param {number} numbers */
const bytes = (numbers) => `${grouped(BYTES * numbers)} bytes in float16`;

/** @param {number} n */
const tokens = (n) => (n === 1 ? "1 token" : `${grouped(n)} tokens`);

/** What happens at the present step. @param {Writing} writing @param {number} at */
export function stepInWords({ tokens: all, steps, each, sums }, at) {
  const { statuses, kept, numbers } = steps[at];
  const now = quote(shorten(all[at], 24));
  if (sums !== null)
    return `${now} is added to the sums of each head. They take ${grouped(numbers)} numbers (${bytes(numbers)}) in this layer, however long the text gets.`;
  const gone = statuses.filter((one) => one === "gone").length;
  const lost = gone > 0 ? ` ${tokens(gone)} can be thrown away: no later token sees them.` : "";
  return `${now} is written. ${tokens(kept)} of ${grouped(each)} numbers each: this layer keeps ${grouped(numbers)} numbers (${bytes(numbers)}).${lost}`;
}

/** What it would take otherwise. @param {Writing} writing @param {number} at */
export function otherwiseInWords({ steps }, at) {
  const { numbers, whole } = steps[at];
  const written = at + 1;
  const again = (written * (written + 1)) / 2;
  const than =
    numbers === whole
      ? ""
      : ` If every head kept a key and a value of every token, it would be ${grouped(whole)}.`;
  return `Without a cache, all ${tokens(written)} would be computed again for each new one: ${grouped(again)} times so far, in place of ${grouped(written)}.${than}`;
}

export const PICTURE = "What is kept after each token";
export const COLUMNS = { name: "token", value: "numbers", scale: [] };
export const CSV = ["step", "token", "tokens kept", "numbers", "numbers of all heads and tokens"];
/** @param {{place: number, token: string}} step */
export const barName = ({ place, token }) => `${place} ${token}`;
