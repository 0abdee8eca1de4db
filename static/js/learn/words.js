// What the figures and questions of a lesson say, as whole sentences with named places.

import { minus, quote } from "../words/format.js";

// beside the heatmap
export const WHY_BLOCKED = "Why cells are blocked";
export const ROW_NUMBERS = "The numbers of this row";

/** While no cell is pointed at. @param {string} row a sentence about the current row */
export const restingRow = (row) => `${row} Point at a cell for its numbers.`;

// a figure
export const RESET = "Reset";
export const OPEN = "Open in the inspector";
export const MEASURED = "Measured";

/** @param {string} name */
export const unknownModel = (name) =>
  `This figure needs the model ${quote(name)}, which this server does not have.`;

/** @param {string} name */
export const unknownFigure = (name) => `The JSON file of this lesson has no figure ${quote(name)}.`;

/** @param {{message: string}} problem */
export const notMeasured = ({ message }) => `This cannot be measured: ${message}`;

/** What a figure was set to when it was printed. @param {{name: string, value: string}[]} settings */
export const settingsInWords = (settings) =>
  settings.map(({ name, value }) => `${name}: ${value}`).join(" · ");

// the names of the choosers
export const SENTENCE = "Sentence";
export const LAYER = "Layer";
export const HEAD = "Head";

// the list of lessons
/** @param {{n: number, all: number}} done questions and exercises */
export const progressWords = ({ n, all }) => (n === all ? "· all right" : `· ${n} of ${all} right`);

// arrows that turn
export const DIRECTION = "Direction of q";
export const LENGTH = "Length of q";
/** @param {string} angle */
export const degrees = (angle) => `${minus(angle)} degrees`;
/** @param {string} length of the longest key: 2.2 */
export const longAs = (length) => `${length} long`;
/** @param {string} dot @param {number} weight */
export const dotAndWeight = (dot, weight) => `${dot} · ${Math.round(100 * weight)}%`;

// questions
export const RIGHT = "Right.";
export const WRONG = "Not quite.";
export const CHOOSE_FIRST = "Give an answer first: a guess is enough.";
/** @param {string} part */
export const moveUp = (part) => `Move up: ${part}`;
/** @param {string} part */
export const moveDown = (part) => `Move down: ${part}`;
export const INCOMPLETE = "Part of this question is missing.";
export const BACK = "Back to the question";

/** Before the right answer. @param {number} number of the question, from 1 @param {string} verdict */
export const answered = (number, verdict) => `Question ${number}: ${verdict} `;
