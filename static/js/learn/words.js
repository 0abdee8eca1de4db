// What the figures and questions of a lesson say, as whole sentences with named places.

import { gettext } from "../language/gettext.js";
import { minus, quote } from "../words/format.js";

// beside the heatmap
export const WHY_BLOCKED = gettext("Why cells are blocked");
export const ROW_NUMBERS = gettext("The numbers of this row");

/** While no cell is pointed at. @param {string} row a sentence about the current row */
export const restingRow = (row) => gettext("{row} Point at a cell for its numbers.", { row });

// a figure
export const RESET = gettext("Reset");
export const OPEN = gettext("Open in the inspector");
export const MEASURED = gettext("Measured");

/** @param {string} name */
export const unknownModel = (name) =>
  gettext("This figure needs the model {name}, which this server does not have.", {
    name: quote(name),
  });

/** @param {string} name */
export const unknownFigure = (name) =>
  gettext("The JSON file of this lesson has no figure {name}.", { name: quote(name) });

/** @param {{message: string}} problem */
export const notMeasured = ({ message }) =>
  gettext("This cannot be measured: {message}", { message });

/** What a figure was set to when it was printed. @param {{name: string, value: string}[]} settings */
export const settingsInWords = (settings) =>
  settings.map(({ name, value }) => `${name}: ${value}`).join(" · ");

// the names of the choosers
export const SENTENCE = gettext("Sentence");
export const LAYER = gettext("Layer");
export const HEAD = gettext("Head");

// the list of lessons
/** @param {{n: number, all: number}} done questions and exercises */
export const progressWords = ({ n, all }) =>
  n === all ? gettext("· all right") : gettext("· {n} of {all} right", { n, all });

// arrows that turn
export const DIRECTION = gettext("Direction of q");
export const LENGTH = gettext("Length of q");
/** @param {string} angle */
export const degrees = (angle) => gettext("{angle} degrees", { angle: minus(angle) });
/** @param {string} length of the longest key: 2.2 */
export const longAs = (length) => gettext("{length} long", { length });
/** @param {string} dot @param {number} weight */
export const dotAndWeight = (dot, weight) => `${dot} · ${Math.round(100 * weight)}%`;

// questions
export const RIGHT = gettext("Right.");
export const WRONG = gettext("Not quite.");
export const CHOOSE_FIRST = gettext("Give an answer first: a guess is enough.");
/** @param {string} part */
export const moveUp = (part) => gettext("Move up: {part}", { part });
/** @param {string} part */
export const moveDown = (part) => gettext("Move down: {part}", { part });
export const INCOMPLETE = gettext("Part of this question is missing.");
export const BACK = gettext("Back to the question");

/** Before the right answer. @param {number} number of the question, from 1 @param {string} verdict */
export const answered = (number, verdict) =>
  gettext("Question {number}: {verdict}", { number, verdict });
