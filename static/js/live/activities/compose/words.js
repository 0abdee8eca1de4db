// What the desk's forms for new questions say.

import { quote } from "../../../words/format.js";
import { percent } from "../words.js";

export const TEXT = "Question";
export const CHOICES = "Answers, one a line";
export const CORRECT = "The right answer";
export const NO_CORRECT = "none: an opinion";
export const READY = "Ready questions";
export const OWN = "Write one";
/** @param {number} min @param {number} max */
export const howManyChoices = (min, max) => `Write ${min} to ${max} answers, one a line.`;
export const EQUAL_CHOICES = "Two of these answers are the same. Write different ones.";
export const NO_TEXT = "Write the question first.";

export const NOT_PROJECTED =
  "Open the inspector on the projector first: the question is made from what it shows.";
/** @param {string} model */
export const NOT_LOADED = (model) => `The model ${model} is not loaded yet. Try again in a moment.`;
export const TOO_LONG_STATE =
  "What the projector shows is too long for a question. Use a shorter text or fewer painted cells.";
export const READING = "Reading what the projector shows …";

/** @param {number} layer @param {number} head */
export const drawThis = (layer, head) =>
  `Where does each word look in layer ${layer}, head ${head}? Draw what you expect.`;
/** @param {string[]} tokens */
export const tokensToDraw = (tokens) =>
  `The class draws ${tokens.length} tokens: ${tokens.join(" ")}`;
/** @param {number} most */
export const tooManyTokens = (most) =>
  `This model looks in both directions, so the drawing needs all tokens, and at most ${most} fit. Shorten the sentence.`;
/** @param {number} fewest */
export const tooFewTokens = (fewest) => `A drawing needs at least ${fewest} tokens. Add a word.`;

export const HUNTED = "What to look for";
/** @param {string} does */
export const huntFor = (does) => `Find a head that ${does}.`;
/** @param {string} does @param {number} n */
export const huntable = (does, n) => (n === 1 ? `${does} (1 head)` : `${does} (${n} heads)`);
export const NOTHING_TO_HUNT = "No head of this model does one thing clearly enough to be hunted.";
export const NOT_SCORED =
  "The heads of this model are still being measured. Try again in a moment.";

/** @param {string} token @param {number} layer @param {number} head */
export const betThis = (token, layer, head) =>
  `Layer ${layer}, head ${head} will be muted. How likely is ${quote(token)} then?`;
/** @param {number} before @param {number} after */
export const betAnswer = (before, after) =>
  `Only you see this: ${percent(before)} before, ${percent(after)} with the head muted.`;

export const WHICH_MISTAKE = "Which mistake was made in this mechanism?";
export const MISTAKE = "The mistake";
export const NO_SCRATCH = "This server has no mechanism from scratch.";

export const WALL = "What did you find? Put it on the wall.";
export const BOARD = "What would you like to ask?";
