// What the branches say.

import { isolated, percent, quote } from "../../words/format.js";
import { parts } from "../../words/parts.js";

export const FOLLOWING = "Following the five likeliest tokens …";
export const NONE = "There are no branches yet.";
export const NOT_NEXT = {
  fill: "This model fills gaps; it does not continue a text.",
  class: "This model tells classes of texts apart; it does not continue a text.",
  tag: "This model tells classes of tokens apart; it does not continue a text.",
};
export const ELSE =
  "Something else is asked than the next token, so no text is continued. Choose that as the answer to see branches.";
export const HINT =
  "Each line begins with one of the likeliest tokens and goes on with the likeliest after it. Press one to write it; ⇄ compares two.";
export const SECOND = "Press ⇄ on another branch to compare the two.";
export const ENDS = " (ends here)";
export const OWN = "So your sentence goes on.";
export const COMPARE = "Compare this branch with another one";
export const SPECIAL = "It begins with a special token, which cannot be typed.";
export const PART = "It contains a part of a character, which cannot be typed.";
export const SOURCE = "Each branch goes on with the likeliest token after all before it.";
export const COLUMNS = { name: "branch", value: "first token" };
export const CSV = ["branch", "token", "id", "text", "probability"];

/** @param {string} after a token of the text, quoted */
export const summary = (after) => parts`After ${after} the model would say:`;
/** @param {string} after a token of the text, quoted */
export const pictureTitle = (after) => `What the model would say after ${after}`;
/** @param {string} lacks why a recording cannot be run again */
export const recorded = (lacks) => `Branches need the model itself: ${lacks}.`;
/** @param {string} token */
export const compareLabel = (token) => `Compare the branch of ${quote(token)} with another one`;

/** The tooltip of a branch. @param {{probability: number, text: string}} branch */
export const taken = ({ probability, text }) =>
  `Write it into the sentence: ${isolated(text)} (all of it together: ${percent(probability)})`;
