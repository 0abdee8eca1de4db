// Pairs of sentences to patch with, each of which asks one question: in such a pair one word decides the answer. Pure.

import { gettext } from "../language/gettext.js";

/** @typedef {{text: string, clean: string, asks: string}} Pair */

/** @type {readonly Pair[]} */
export const PAIRS = [
  {
    text: "The dogs near the river",
    clean: "The dog near the river",
    asks: gettext("Where does the model keep whether the subject is one or many?"),
  },
  {
    text: "When Mary and John went to the store, John gave a drink to",
    clean: "When Mary and John went to the store, Mary gave a drink to",
    asks: gettext("How does the name that was said twice give way to the other one?"),
  },
  {
    text: "Mary saw herself and John saw",
    clean: "Mary saw herself and Sarah saw",
    asks: gettext("What tells “himself” from “herself”?"),
  },
  {
    text: "the old cat sat on the mat and the old",
    clean: "the old dog sat on the mat and the old",
    asks: gettext("How is a word repeated after what it followed before?"),
  },
];

/** The sentence that a known one is compared with, or "". @param {string} text */
export function partnerOf(text) {
  const same = text.trim();
  const pair = PAIRS.find((one) => one.text === same || one.clean === same);
  return pair ? (pair.text === same ? pair.clean : pair.text) : "";
}
