// What the sentence boxes say: of a text alone, or of one with a second segment or a target.

import { gettext } from "../language/gettext.js";

/** The second box of a sentence, and the tag of the first one beside it. */
export const BESIDE = {
  pairs: { tag: "B", hint: gettext("Type a second segment …"), first: "A" },
  targets: {
    tag: gettext("Target"),
    hint: gettext("What the decoder has written so far …"),
    first: gettext("Source"),
  },
};

/** @typedef {keyof typeof BESIDE} Beside */

export const TEXT_HINT = gettext("Type a sentence …");
export const REMOVE = gettext("Remove");
export const REMOVE_SEGMENTS = gettext("Remove the second segments");

/** The visible name of a box without a second one. @param {number} n from 1 @param {number} of */
export const textTag = (n, of) => (of === 1 ? gettext("Sentence") : textLabel(n));
/** @param {number} n from 1 */
export const textLabel = (n) => gettext("Sentence {n}", { n });
/** @param {Beside} key @param {number} n from 1 */
export const besideLabel = (key, n) =>
  key === "pairs"
    ? gettext("Second segment of sentence {n}", { n })
    : gettext("Target of sentence {n}", { n });
/** @param {number} n from 1 */
export const removeLabel = (n) => gettext("Remove sentence {n}", { n });
