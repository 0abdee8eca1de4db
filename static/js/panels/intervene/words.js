// What interventions are called, and what their dialog says.

import { commas, gettext, ngettext } from "../../language/gettext.js";
import { kindOf } from "../../state/address/interventions.js";
import { capitalised, enumerated, minus, quote, shorten } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { Intervention } from "../../types.d.ts" */

/** @type {import("../../types.d.ts").Kind} */
const ONLY = "self"; // the kind of sites in a single stack
const LONG = 24; // characters of a sentence

/** @type {Record<Intervention["at"], (one: Pick<Intervention, "layer" | "head" | "site">) => string>} */
const PLACES = {
  head({ layer, head, site }) {
    if (head !== undefined) return headInText({ kind: site ?? ONLY, layer, head });
    return site
      ? gettext("all heads of {site} layer {layer}", { site, layer })
      : gettext("all heads of layer {layer}", { layer });
  },
  mlp: ({ layer }) => gettext("feed-forward of layer {layer}", { layer }),
  resid_pre: ({ layer }) => gettext("stream before layer {layer}", { layer }),
  resid_mid: ({ layer }) => gettext("stream within layer {layer}", { layer }),
  resid_post: ({ layer }) => gettext("stream after layer {layer}", { layer }),
};

/** The part that is changed. @param {Pick<Intervention, "at" | "layer" | "head" | "site">} one */
export const placeInWords = (one) => PLACES[one.at](one);

/** An intervention in one line, such as “layer 2, head 3 × 0.5 at position 4”. @param {Intervention} one */
export function chip(one) {
  const { factor, texts, source, positions, pairs, text } = one;
  const [first = "", ...more] = texts ?? (source === undefined ? [] : [source]);
  const plain =
    first && `${quote(shorten(first, LONG))}${more.length > 0 ? ` + ${more.length}` : ""}`;
  const sentence = one.kind === "add" ? addedInWords(one) : plain;
  const at = pairs?.map(([, to]) => to) ?? positions;
  const where =
    at &&
    ngettext("at position {places}", "at positions {places}", at.length, { places: commas(at) });
  const which = text === undefined ? "" : gettext("in text {text}", { text: text + 1 });
  const times = one.kind === "add" && factor !== undefined ? `${minus(String(factor))} ×` : factor;
  return [placeInWords(one), kindOf(one.kind)?.sign, times, sentence, where, which]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

/** @param {Intervention} one */
function addedInWords({ source, minus: less, token, vector }) {
  if (vector) return gettext("a vector of {vector} numbers", { vector: vector.length });
  if (typeof token === "number") return gettext("the direction of token {token}", { token });
  if (token !== undefined) return gettext("the direction of {token}", { token: quote(token) });
  const from = quote(shorten(source ?? "", LONG));
  return less === undefined ? from : `(${from} − ${quote(shorten(less, LONG))})`;
}

/** What each kind does, as a sentence. @type {Record<Intervention["kind"], string>} */
export const ABOUT = {
  zero: gettext("It gives nothing."),
  scale: gettext("0.5 halves it, 0 removes it, 2 doubles it, −1 turns it round."),
  mean: gettext("It gives its mean over all tokens of these sentences, special tokens included."),
  resample: gettext(
    "It gives what it gives in this sentence at the same position. Both need the same number of tokens.",
  ),
  patch: gettext(
    "It gives what it gives in this sentence at the same position: one that the model answers differently shows what this part carries. Both need the same number of tokens.",
  ),
  add: gettext(
    "A vector is added to what it gives: the direction that makes a token likelier, or what it gives at the end of one sentence, less what it gives at the end of another. This steers the model.",
  ),
  freeze_pattern: gettext(
    "It looks where it looks without your mutes and interventions, while its values change with them.",
  ),
  freeze_values: gettext(
    "Its values stay as they are without your mutes and interventions, while it looks elsewhere with them.",
  ),
};

/** @param {Pick<Intervention, "at" | "layer" | "head" | "site">} place */
export const option = (place) => capitalised(placeInWords(place));

/** @param {string} token @param {number} position */
export const atToken = (token, position) =>
  gettext("{token} (position {position})", { token: quote(token), position });
export const NO_TOKEN = gettext("the selected token");

export const NO_NUMBER = gettext("Type a number from −1000 to 1000.");
export const NO_DIRECTION = gettext("Name a token, or type a sentence.");
export const BOTH_DIRECTIONS = gettext("Name a token or type sentences, not both.");
/** @param {{token: string, n: number}} read */
export const notOneToken = ({ token, n }) =>
  gettext(
    "The model reads {token} as {n} tokens; expected one. Begin it with a space where the model’s words do.",
    { token: quote(token), n },
  );
export const NO_DIFFERENCE = gettext(
  "Type a sentence: a token’s own direction speaks for that token.",
);
export const NOT_OF_HEADS = gettext(
  "What heads give has no words of its own; choose the stream, or the feed-forward network.",
);
export const SPEAKING = gettext("Reading the sentences …");
/** @param {Record<"raises" | "lowers", {text: string}[]> & {near: {text: string}[] | null}} decoded */
export const directionInWords = ({ raises, lowers, near }) => {
  /** @param {{text: string}[]} tokens */
  const listed = (tokens) => enumerated(tokens.map(({ text }) => quote(text.trim() || text)));
  const nearby = near ? gettext(" Embeddings near it: {near}.", { near: listed(near) }) : "";
  return gettext("At the end of the stream it speaks for {raises}, and against {lowers}.{nearby}", {
    raises: listed(raises),
    lowers: listed(lowers),
    nearby,
  });
};
export const NO_SENTENCE = gettext("Type a sentence.");

/** @param {string} reason */
export const whyNot = (reason) =>
  gettext("This model cannot be changed elsewhere: {reason}", { reason });
/** @param {string} reason */
export const notAtAll = (reason) => gettext("No interventions: {reason}", { reason });

/** @param {string} chip */
export const remove = (chip) => gettext("Remove: {chip}", { chip });
