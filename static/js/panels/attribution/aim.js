// What an attribution is of, with the names of its parts, for everything that tells of it. Pure.

import { PLUS } from "../../language/language.js";
import { label, quoteAt, shorten, signedBriefly } from "../../words/format.js";
import { attributionIn, kindOfSite, sourcesOf } from "./sources.js";
import { largestOf } from "./waterfall.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {NonNullable<ReturnType<typeof attributionIn>>} Found */

/** @param {{text: string}} token */
export const nameOf = (token) => shorten(label(token), 16);

/** @param {Found} answer @returns {words.Aim} */
export const aimOf = ({ found, read, fills }) => ({
  token: nameOf(found.token),
  against: found.against && nameOf(found.against),
  read: quoteAt(read.map(label), found.position),
  fills,
});

/** Whether both tokens are the same, so that all numbers are 0. @param {Found} answer */
const isSame = ({ found }) => found.against?.id === found.token.id;

/** The sentences above the list. @param {Found} answer */
export function sentencesOf(answer) {
  const { found, model } = answer;
  if (isSame(answer)) return words.same(nameOf(found.token));
  const { logit, contributions } = found;
  const aim = aimOf(answer);
  const size = found.against ? Math.abs(logit) : logit;
  const heads = contributions.filter(({ part }) => part.kind === "head");
  const [first, head] = [largestOf(contributions), largestOf(heads)];
  const said = (/** @type {NonNullable<typeof first>} */ { part, value }) => ({
    part: words.partInText(part, kindOfSite(model, part.site)),
    value: signedBriefly(value),
    through: part.kind === "head" ? throughOf(answer, part, value) : null,
  });
  return [
    ...words.taken({ ...aim, logit: numberOf(size), isAbove: logit >= 0 }),
    ...(first ? [" ", ...words.most(said(first))] : []),
    ...(head && head !== first ? [" ", ...words.mostOfHeads(said(head))] : []),
  ];
}

/** A number without a sign, unless it is negative. @param {number} value */
export const numberOf = (value) => signedBriefly(value).replace(PLUS, "") || "0";

/**
 * The source token through which more than half of a head's contribution comes; null if there is none.
 * @param {Found} answer
 * @param {import("../../types.d.ts").Part} part a head
 * @param {number} value what it adds
 */
function throughOf({ found, model, tokens }, { site, layer, head }, value) {
  const only = { kind: kindOfSite(model, site), layer: layer ?? 0, head: head ?? 0 };
  const [of] = sourcesOf(found, model, only);
  const best = of && largestOf(of.values.map((value, index) => ({ value, place: index })));
  if (!best || best.value / value <= 0.5) return null;
  return quoteAt(tokens[of.axis].map(label), best.place);
}
