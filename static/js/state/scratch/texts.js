// The texts that a mechanism needs to be seen: a second one to look from, a shorter one to pad, the same words in another
// order. Pure.

/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {Pick<Choice, "texts" | "targets" | "pairs" | "scratch">} Texts */

const MAX_TEXTS = 8; // texts of a request, unless the server is set up otherwise

/** What asks in cross-attention until the reader types something. */
export const SECOND = "Where did they go?";

/** What the tokens of a text are, about: the server cuts them. @param {string} text @param {Pick<Choice, "scratch">} choice */
export const pieces = (text, { scratch }) =>
  scratch.tokens === "characters"
    ? [...text]
    : (text.match(/[\p{L}\p{N}_]+(?:['’-][\p{L}\p{N}_]+)*|[^\p{L}\p{N}_\s]/gu) ?? []);

/** Whether some text is shorter than another, so that it is padded. @param {Texts} choice */
export const hasPadding = (choice) =>
  new Set(choice.texts.map((text) => pieces(text, choice).length)).size > 1;

/** Why no text can be padded; "": one is, or can be put in. @param {Texts} choice */
export const noRoom = (choice) =>
  hasPadding(choice) || choice.texts.length < MAX_TEXTS
    ? ""
    : `There are ${choice.texts.length} texts, all of one length: shorten one, or remove one.`;

/**
 * A shorter text beside the others, where none is; it is shown, since its row of tokens is the one that is padded.
 * @param {Texts} choice
 * @returns {Partial<Choice>}
 */
export function withShorter(choice) {
  if (hasPadding(choice)) return shortest(choice);
  if (noRoom(choice)) return {};
  const { texts, targets, pairs } = choice;
  const words = pieces(texts[0], choice);
  const short = words.slice(0, Math.max(1, Math.floor(words.length / 2))).join(" ");
  const text = words.length > 1 ? short : `${texts[0]} ${texts[0]}`;
  const target = targets[0] ?? "";
  const place = texts.length;
  return {
    ...{ texts: [...texts, text], targets: [...at(targets, place), target] },
    pairs: pairs && [...at(pairs, place), ""],
    ...{ shown: words.length > 1 ? place : 0, query: null },
  };
}

/** @param {Texts} choice @returns {Partial<Choice>} */
function shortest(choice) {
  const sizes = choice.texts.map((text) => pieces(text, choice).length);
  const shown = sizes.indexOf(Math.min(...sizes));
  return /** @type {Partial<Choice>} */ ({ shown, query: null });
}

/** @param {string[]} list @param {number} n */
const at = (list, n) => Array.from({ length: n }, (_, place) => list[place] ?? "");

/**
 * A target for each text, where cross-attention has none to look from.
 * @param {string[]} targets
 * @param {number} n
 */
export const asking = (targets, n) => at(targets, n).map((text) => text || SECOND);

/**
 * The words the other way round; the same where that changes nothing.
 * @param {string} text
 * @param {Pick<Choice, "scratch">} choice
 */
export const reversed = (text, choice) =>
  pieces(text, choice)
    .reverse()
    .join(choice.scratch.tokens === "characters" ? "" : " ");

/** Whether two texts have the same words in another order. @param {string} a @param {string} b @param {Pick<Choice, "scratch">} choice */
export function isPermuted(a, b, choice) {
  const [one, other] = [a, b].map((text) => pieces(text, choice).map((word) => word.toLowerCase()));
  return one.join("\n") !== other.join("\n") && one.sort().join("\n") === other.sort().join("\n");
}
