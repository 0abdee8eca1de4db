// What the branches say.

import { gettext } from "../../language/gettext.js";
import { isolated, percent, quote } from "../../words/format.js";
import { parts } from "../../words/parts.js";

export const FOLLOWING = gettext("Following the five likeliest tokens …");
export const NONE = gettext("There are no branches yet.");
export const NOT_NEXT = {
  fill: gettext("This model fills gaps; it does not continue a text."),
  class: "This model tells classes of texts apart; it does not continue a text.",
  tag: gettext("This model tells classes of tokens apart; it does not continue a text."),
};
export const ELSE = gettext(
  "Something else is asked than the next token, so no text is continued. Choose that as the answer to see branches.",
);
export const HINT = gettext(
  "Each line begins with one of the likeliest tokens and goes on with the likeliest after it. Press one to write it; ⇄ compares two.",
);
export const SECOND = gettext("Press ⇄ on another branch to compare the two.");
export const ENDS = gettext("(ends here)");
export const OWN = gettext("So your sentence goes on.");
export const COMPARE = gettext("Compare this branch with another one");
export const SPECIAL = gettext("It begins with a special token, which cannot be typed.");
export const PART = gettext("It contains a part of a character, which cannot be typed.");
export const SOURCE = gettext("Each branch goes on with the likeliest token after all before it.");
export const COLUMNS = { name: gettext("branch"), value: gettext("first token") };
export const CSV = ["branch", "token", "id", "text", "probability"];

/** @param {string} after a token of the text, quoted */
export const summary = (after) => parts("After {after} the model would say:", { after });
/** @param {string} after a token of the text, quoted */
export const pictureTitle = (after) => gettext("What the model would say after {after}", { after });
/** @param {string} lacks why a recording cannot be run again */
export const recorded = (lacks) => gettext("Branches need the model itself: {lacks}.", { lacks });
/** @param {string} token */
export const compareLabel = (token) =>
  gettext("Compare the branch of {token} with another one", { token: quote(token) });

/** The tooltip of a branch. @param {{probability: number, text: string}} branch */
export const taken = ({ probability, text }) =>
  gettext("Write it into the sentence: {text} (all of it together: {probability})", {
    text: isolated(text),
    probability: percent(probability),
  });
