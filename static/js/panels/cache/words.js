// The cache while a text is written: everything that people read in this panel. Pure.

import { gettext, ngettext, sentences } from "../../language/gettext.js";
import { BYTES } from "../../sources/scratch/kept.js";
import { quote, shorten } from "../../words/format.js";

/** @import { Status, Writing } from "./steps.js" */

export const SLIDER = gettext("The token that is written");
export const NONE = gettext("There is no text to write yet.");
/** Why nothing can be kept. */
export const REASONS = {
  ahead: gettext(
    "Here tokens look at later ones, so each new token changes what all others have found: nothing can be kept. Switch the causal mask on.",
  ),
  softmax: gettext(
    "Here each new token takes part in the softmax of those before it and changes their weights: nothing can be kept.",
  ),
};

/** @type {Record<Status, string>} */
export const STATUSES = {
  new: gettext("written now"),
  kept: gettext("kept"),
  gone: gettext("thrown away"),
  summed: gettext("in the sums"),
  later: gettext("to come"),
};

/** @param {string} token @param {Status} status */
export const chipInWords = (token, status) => `${quote(token)}: ${STATUSES[status]}`;

/** @param {number} numbers */
const bytes = (numbers) => ngettext("{n} byte in float16", "{n} bytes in float16", BYTES * numbers);

/** @param {number} n */
const tokens = (n) => ngettext("{n} token", "{n} tokens", n);

/** What happens at the present step. @param {Writing} writing @param {number} at */
export function stepInWords({ tokens: all, steps, each, sums }, at) {
  const { statuses, kept, numbers } = steps[at];
  const now = quote(shorten(all[at], 24));
  if (sums !== null)
    return gettext(
      "{now} is added to the sums of each head. They take {numbers} numbers ({bytes}) in this layer, however long the text gets.",
      { now, numbers, bytes: bytes(numbers) },
    );
  const gone = statuses.filter((one) => one === "gone").length;
  const keeps = gettext(
    "{now} is written. {tokens} of {each} numbers each: this layer keeps {numbers} numbers ({bytes}).",
    { now, tokens: tokens(kept), each, numbers, bytes: bytes(numbers) },
  );
  if (gone === 0) return keeps;
  const lost = gettext("{tokens} can be thrown away: no later token sees them.", {
    tokens: tokens(gone),
  });
  return sentences([keeps, lost]);
}

/** What it would take otherwise. @param {Writing} writing @param {number} at */
export function otherwiseInWords({ steps }, at) {
  const { numbers, whole } = steps[at];
  const written = at + 1;
  const again = (written * (written + 1)) / 2;
  const anew = gettext(
    "Without a cache, all {tokens} would be computed again for each new one: {again} times so far, in place of {written}.",
    { tokens: tokens(written), again, written },
  );
  if (numbers === whole) return anew;
  const than = gettext(
    "If every head kept a key and a value of every token, it would be {whole}.",
    { whole },
  );
  return sentences([anew, than]);
}

export const PICTURE = gettext("What is kept after each token");
export const COLUMNS = { name: gettext("token"), value: gettext("numbers"), scale: [] };
export const CSV = ["step", "token", "tokens kept", "numbers", "numbers of all heads and tokens"];
/** @param {{place: number, token: string}} step */
export const barName = ({ place, token }) => `${place} ${token}`;
