// Texts that show what a mechanism does: a target for cross-attention, a shorter text to pad, the same words in another order.
// Pure.

import { pieces } from "../../engine/scratch/pieces.js";
import LIMITS from "../../facts/limits.json" with { type: "json" };
import { gettext } from "../../language/gettext.js";

/** @import { Choice } from "../../types.d.ts" */
/** @typedef {Pick<Choice, "texts" | "targets" | "pairs" | "scratch">} Texts */

/** The target of cross-attention until the reader types one. */
export const DEFAULT_TARGET = "Where did they go?";

/** The tokens of a text, without the space before them. @param {string} text @param {Pick<Choice, "scratch">} choice */
const words = (text, { scratch }) => {
  const unit = scratch.tokens ?? "words";
  const found = pieces(text, unit);
  return unit === "words" ? found.map((word) => word.trim()) : found;
};

/** Whether some text is shorter than another, so that it is padded. @param {Texts} choice */
export const hasPadding = (choice) =>
  new Set(choice.texts.map((text) => words(text, choice).length)).size > 1;

/** Why no text can be padded; "": one is padded, or a shorter one can be added. @param {Texts} choice */
export const noRoom = (choice) =>
  hasPadding(choice) || choice.texts.length < LIMITS.texts
    ? ""
    : gettext("There are {texts} texts, all of the same length. Shorten or remove one.", {
        texts: choice.texts.length,
      });

/**
 * Add a shorter text unless there is one, and show it, since its row of tokens is the one that is padded.
 * @param {Texts} choice
 * @returns {Partial<Choice>}
 */
export function withShorter(choice) {
  if (hasPadding(choice)) return shortest(choice);
  if (noRoom(choice)) return {};
  const { texts, targets, pairs } = choice;
  const all = words(texts[0], choice);
  const short = all.slice(0, Math.max(1, Math.floor(all.length / 2))).join(" ");
  const text = all.length > 1 ? short : `${texts[0]} ${texts[0]}`;
  const target = targets[0] ?? "";
  const place = texts.length;
  return {
    texts: [...texts, text],
    targets: [...at(targets, place), target],
    pairs: pairs && [...at(pairs, place), ""],
    shown: all.length > 1 ? place : 0,
    query: null,
  };
}

/** @param {Texts} choice @returns {Partial<Choice>} */
function shortest(choice) {
  const sizes = choice.texts.map((text) => words(text, choice).length);
  const shown = sizes.indexOf(Math.min(...sizes));
  return /** @type {Partial<Choice>} */ ({ shown, query: null });
}

/** @param {string[]} list @param {number} n */
const at = (list, n) => Array.from({ length: n }, (_, index) => list[index] ?? "");

/**
 * A target for each text, with a default where it is empty: cross-attention needs queries.
 * @param {string[]} targets
 * @param {number} n
 */
export const withTargets = (targets, n) => at(targets, n).map((text) => text || DEFAULT_TARGET);

/**
 * The words in reverse order.
 * @param {string} text
 * @param {Pick<Choice, "scratch">} choice
 */
export const reversed = (text, choice) =>
  words(text, choice)
    .reverse()
    .join(choice.scratch.tokens === "characters" ? "" : " ");

/** Whether two texts have the same words in another order. @param {string} a @param {string} b @param {Pick<Choice, "scratch">} choice */
export function isPermuted(a, b, choice) {
  const [one, other] = [a, b].map((text) => words(text, choice).map((word) => word.toLowerCase()));
  return one.join("\n") !== other.join("\n") && one.sort().join("\n") === other.sort().join("\n");
}
