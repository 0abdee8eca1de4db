// What the desk's forms for new questions say.

import { gettext, ngettext } from "../../../language/gettext.js";
import { quote } from "../../../words/format.js";
import { percent } from "../words.js";

export const TEXT = gettext("Question");
export const CHOICES = gettext("Answers, one a line");
export const CORRECT = gettext("The right answer");
export const NO_CORRECT = gettext("none: an opinion");
export const READY = gettext("Ready questions");
export const OWN = gettext("Write one");
/** @param {number} min @param {number} max */
export const howManyChoices = (min, max) =>
  gettext("Write {min} to {max} answers, one a line.", { min, max });
export const EQUAL_CHOICES = gettext("Two of these answers are the same. Write different ones.");
export const NO_TEXT = gettext("Write the question first.");

export const NOT_PROJECTED = gettext(
  "Open the inspector on the projector first: the question is made from what it shows.",
);
/** @param {string} model */
export const NOT_LOADED = (model) =>
  gettext("The model {model} is not loaded yet. Try again in a moment.", { model });
export const TOO_LONG_STATE = gettext(
  "What the projector shows is too long for a question. Use a shorter text or fewer painted cells.",
);
export const READING = gettext("Reading what the projector shows …");

/** @param {number} layer @param {number} head */
export const drawThis = (layer, head) =>
  gettext("Where does each word look in layer {layer}, head {head}? Draw what you expect.", {
    layer,
    head,
  });
/** @param {string[]} tokens */
export const tokensToDraw = (tokens) =>
  gettext("The class draws {n} tokens: {tokens}", {
    n: tokens.length,
    tokens: tokens.join(" "),
  });
/** @param {number} most */
export const tooManyTokens = (most) =>
  gettext(
    "This model looks in both directions, so the drawing needs all tokens, and at most {most} fit. Shorten the sentence.",
    { most },
  );
/** @param {number} fewest */
export const tooFewTokens = (fewest) =>
  gettext("A drawing needs at least {fewest} tokens. Add a word.", { fewest });

export const HUNTED = gettext("What to look for");
/** @param {string} does */
export const huntFor = (does) => gettext("Find a head that {does}.", { does });
/** @param {string} does @param {number} n */
export const huntable = (does, n) =>
  ngettext("{does} ({n} head)", "{does} ({n} heads)", n, { does });
export const NOTHING_TO_HUNT = gettext(
  "No head of this model does one thing clearly enough to be hunted.",
);
export const NOT_SCORED = gettext(
  "The heads of this model are still being measured. Try again in a moment.",
);

/** @param {string} token @param {number} layer @param {number} head */
export const betThis = (token, layer, head) =>
  gettext("Layer {layer}, head {head} will be muted. How likely is {token} then?", {
    layer,
    head,
    token: quote(token),
  });
/** @param {number} before @param {number} after */
export const betAnswer = (before, after) =>
  gettext("Only you see this: {before} before, {after} with the head muted.", {
    before: percent(before),
    after: percent(after),
  });

export const WHICH_MISTAKE = gettext("Which mistake was made in this mechanism?");
export const MISTAKE = gettext("The mistake");
export const NO_SCRATCH = gettext("This server has no mechanism from scratch.");

export const WALL = gettext("What did you find? Put it on the wall.");
export const BOARD = gettext("What would you like to ask?");
