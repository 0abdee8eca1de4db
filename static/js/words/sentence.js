// What the sentence boxes say: of a text alone, or of one with a second segment or a target.

/** The second box of a sentence, and the tag of the first one beside it. */
export const BESIDE = {
  pairs: { tag: "B", hint: "Type a second segment …", first: "A" },
  targets: { tag: "Target", hint: "What the decoder has written so far …", first: "Source" },
};

/** @typedef {keyof typeof BESIDE} Beside */

export const TEXT_HINT = "Type a sentence …";
export const REMOVE = "Remove";
export const REMOVE_SEGMENTS = "Remove the second segments";

/** The visible name of a box without a second one. @param {number} n from 1 @param {number} of */
export const textTag = (n, of) => (of === 1 ? "Sentence" : `Sentence ${n}`);
/** @param {number} n from 1 */
export const textLabel = (n) => `Sentence ${n}`;
/** @param {Beside} key @param {number} n from 1 */
export const besideLabel = (key, n) =>
  key === "pairs" ? `Second segment of sentence ${n}` : `Target of sentence ${n}`;
/** @param {number} n from 1 */
export const removeLabel = (n) => `Remove sentence ${n}`;
