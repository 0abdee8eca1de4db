// What the activities of a class say.

import SHARED from "../../facts/class.json" with { type: "json" };
import { minus, quote } from "../../words/format.js";

/** The kinds of activity, and what each is about. */
export const NAMES = SHARED.activities;
/** The parts of the inspector that can be marked, by their id in the page. @type {Record<string, string>} */
export const PLACES = SHARED.places;

export const ROUNDS = ["Before the discussion", "After the discussion"];

export const SENDING = "Sending …";
export const SENT = "Your answer is in. You can change it until the teacher closes the question.";
export const POSTED = "All can see it. You can take it back.";
export const VOTED = "Your vote counts.";
export const WAITS = "Your teacher sees it first, and then shows it to all.";
export const SHOWN = "Your teacher has shown it to all.";
export const TAKEN_BACK = "You took it back.";
export const CLOSED = "The question is closed. The answer comes soon.";
export const CLOSED_LIVE = "Your teacher has closed it.";
export const TALK = "Talk about it with your neighbours. Then you can answer again.";
export const FROZEN = "The teacher has stopped the class for a moment. You can answer again soon.";
/** @param {string} answer @param {boolean | null} isRight null: there is no right answer */
export const yourAnswer = (answer, isRight) =>
  isRight === null
    ? `You answered: ${answer}`
    : isRight
      ? `✓ You were right: ${answer}`
      : `You answered something else: ${answer}`;
export const REVEALED = "Here is the answer.";
export const COUNTED = "Here is what all of you answered.";
export const ON_DEVICES = "Answer on your own device.";
/** Some who answered may have left since. @param {number} answered @param {number} people */
export const answered = (answered, people) =>
  answered > people
    ? `${answered} have answered, here now: ${people}`
    : `${answered} of ${people} have answered`;
export const NOT_SENT = "Your answer did not arrive. Try again.";
/** @param {string} name @param {string} text */
export const started = (name, text) => `${name}: ${text}`;
export const FOLD = "Fold away";
export const UNFOLD = "Show the question";
export const SECOND_ROUND = "Vote again, now that you have discussed it.";

/** @param {number} n */
export const answers = (n) => (n === 1 ? "1 answer" : `${n} answers`);
/** @param {number} n @param {number} share 0 to 1 */
export const counted = (n, share) => `${n} · ${Math.round(100 * share)}%`;
export const ANSWER = "Answer";
export const RIGHT = "right";
export const NOBODY = "Nobody has answered.";

/** A probability in whole percent; one below half a percent never reads as 0. @param {number} share */
export const percent = (share) =>
  share > 0 && share < 0.005 ? "< 1%" : `${Math.round(100 * share)}%`;
/** A change in percentage points, with its sign. @param {number} points */
export const points = (points) => minus(`${points > 0 ? "+" : ""}${points.toFixed(1)} points`);

// drawing
const LEVELS = ["nothing", "a little", "some", "a lot"];
export const HOW_TO_DRAW =
  "Tap a cell to fill it: once for a little, twice for some, three times for a lot. With the keyboard, go with the arrow keys and press 0 to 3.";
export const CAUSAL = "The hatched cells are blocked: no word sees what comes after it.";
export const GRID = "Your drawing: rows look at columns";
/** @param {string} query */
export const looksAt = (query) => `${quote(query)} looks at`;
/** @param {string} query @param {string} key @param {number} level */
export const cellInWords = (query, key, level) =>
  `${quote(query)} → ${quote(key)}: ${LEVELS[level]}`;
/** @param {string} query @param {string} key */
export const blockedInWords = (query, key) => `${quote(query)} → ${quote(key)}: blocked`;
export const SEND_DRAWING = "Send my drawing";
export const SEND_CHANGES = "Send what I have changed";
export const DRAWING_SENT = "Your drawing is in";
export const EMPTY_DRAWING = "Fill at least one cell first.";
export const AVERAGE = "What you drew, on average";
export const TRUTH = "What the head does";
export const DIFFERENCE = "The difference";
/** @param {string} query @param {string} key @param {{share: number, too: "much" | "little"}} mistake */
export const mistakeInWords = (query, key, { share, too }) =>
  too === "much"
    ? `The most common mistake: ${percent(share)} of you gave ${quote(query)} → ${quote(key)} too much.`
    : `The most common mistake: ${percent(share)} of you gave ${quote(query)} → ${quote(key)} too little.`;
export const TYPICAL = "Typical drawings";
export const A_DRAWING = "A drawing";
/** @param {number} like @param {number} n */
export const drewIt = (like, n) => `${like} of ${n}`;
/** @param {string} query @param {string} key @param {string} value */
export const weightInWords = (query, key, value) => `${quote(query)} → ${quote(key)}: ${value}`;

// hunt
export const CHOOSE_CELL = "Select a head, then tap the cell of its picture that shows it.";
/** @param {{layer: number, head: number}} at @param {string} query @param {string} key */
export const evidence = ({ layer, head }, query, key) =>
  `Layer ${layer} · head ${head}, and the cell ${quote(query)} → ${quote(key)}`;
export const SUBMIT_HEAD = "Submit this head";
export const MEASURING = "Muting the head to measure its effect …";
export const NO_EFFECT = "This model predicts nothing, so the effect of a head cannot be measured.";
export const CANNOT_MUTE = "The heads of this model cannot be muted, so there is no evidence.";
/** @param {{layer: number, head: number, effect: number}} find @param {string} token */
export const submitted = ({ layer, head, effect }, token) =>
  `Layer ${layer} · head ${head} is in. Muting it changes ${quote(token)} by ${points(effect)}.`;
export const FINDS = ["", "Head", "Cell", "When muted", "After"];
/** @param {{layer: number, head: number}} find */
export const headOf = ({ layer, head }) => `L${layer} · H${head}`;
/** @param {[number, number]} cell @param {boolean} shows what the head does */
export const cellOf = ([query, key], shows) => `${query} → ${key}${shows ? " ✓" : ""}`;
/** @param {number} n @param {number} right */
export const evidenceSaid = (n, right) =>
  `Right heads with a cell that shows what they do (✓): ${n} of ${right}.`;
/** @param {number} seconds */
export const seconds = (seconds) => `${Math.round(seconds)} s`;
/** @param {{layer: number, head: number, after_s: number}} find */
export const firstFind = ({ layer, head, after_s }) =>
  `The first right head was layer ${layer} · head ${head}, after ${seconds(after_s)}.`;
export const NO_RIGHT_FIND = "Nobody has found it yet.";
export const FOUND_GRID = "How many found each head: rows are layers, columns are heads";
/** @param {number} n */
export const allFinds = (n) => `All ${n}, in the order of their arrival`;
/** @param {number} layer */
export const layerOf = (layer) => `L${layer}`;
/** @param {{layer: number, head: number}} at @param {number} n @param {boolean} isRight */
export const foundBy = ({ layer, head }, n, isRight) =>
  isRight
    ? `Layer ${layer} · head ${head}, which is right: ${answers(n)}`
    : `Layer ${layer} · head ${head}: ${answers(n)}`;
export const IS_RIGHT = "right";
export const IS_WRONG = "not this one";

// bets
/** @param {number} before @param {number} after */
export const fromTo = (before, after) => `${percent(before)} → ${percent(after)}`;
/** @param {number} before */
export const fromNow = (before) => `${percent(before)} → ?`;
export const MOVE_FIRST = "Move the slider first.";
export const BET = "My bet";
export const PLACE_BET = "Place my bet";
/** @param {{truth: number, before: number}} at */
export const outcome = ({ truth, before }) =>
  `The model decides: ${percent(before)} before, ${percent(truth)} with the head muted.`;
/** @param {number} median @param {number} closest */
export const betsInWords = (median, closest) =>
  `Half of you bet ${percent(median)} or less. ${percent(closest)} of you were within 5 points.`;
/** @param {number} place of ten */
export const tenth = (place) => `${10 * place}–${10 * place + 10}%`;
export const BETS = "Bets";
export const MODEL = "the model";

// wall
export const SENTENCE = "What did you find?";
export const PUT_ON_WALL = "Put what I see on the wall";
export const WRITE_FIRST = "Write a sentence about it first.";
/** @param {number} most */
export const wallFull = (most) =>
  `You have ${most} finds on the wall. Take one back to add another.`;
export const TOO_LONG_STATE =
  "This view is too long for the wall. Use a shorter text or fewer painted cells.";
export const TAKE_BACK = "Take back";
export const EMPTY_WALL = "Nothing is on the wall yet.";
export const OPEN_FOR_ALL = "Open for all";
export const HIDE = "Hide";
export const SHOW_AGAIN = "Show to all";
/** @param {string} sentence */
export const openFor = (sentence) => `Open for all: ${sentence}`;
/** @param {string} sentence */
export const takeBackOf = (sentence) => `Take back: ${sentence}`;
/** @param {string} sentence */
export const hideOf = (sentence) => `Hide: ${sentence}`;
/** @param {string} sentence */
export const showOf = (sentence) => `Show to all: ${sentence}`;
export const PICTURE = "Picture of the head";

// board
export const YOUR_QUESTION = "Your question";
export const PUT_ON_BOARD = "Ask it";
export const WRITE_QUESTION = "Write your question first.";
export const EMPTY_BOARD = "Nobody has asked anything yet.";
/** @param {number} most */
export const boardFull = (most) =>
  `You have ${most} questions on the board. Take one back to ask another.`;
/** @param {number} n */
export const wantedBy = (n) => `▲ ${n}`;
/** @param {string} text @param {number} n */
export const voteFor = (text, n) => `▲ ${n} Vote for: ${text}`;

// questions
export const NOT_UNDERSTOOD = "I do not understand this";
export const WHAT = "What do you not understand?";
export const NOTE = "Your question, if you can put it into words";
export const MARK = "Mark it";
export const CANCEL = "Cancel";
export const MARKED = "Your teacher sees the mark, without your name.";
export const NO_MARKS = "Nobody has marked anything.";
export const MARKS = "Not understood";
/** @param {number} n */
export const markedBy = (n) => (n === 1 ? "1 person" : `${n} people`);
/** @param {number} n marks on a page @param {number} whole of these, of the page as a whole */
export const marksHere = (n, whole) => {
  if (n === 0) return "Nobody has marked anything here.";
  const marks = n === 1 ? "1 mark here" : `${n} marks here`;
  return whole === 0 ? `${marks}.` : `${marks}, ${whole} of the page as a whole.`;
};
/** @param {string[]} at a lesson, and a heading in it */
export const inLesson = ([lesson, heading]) =>
  heading ? `Lesson ${quote(lesson)}: ${heading.replaceAll("-", " ")}` : `Lesson ${quote(lesson)}`;
/** @param {string} lesson */
export const seeOver = (lesson) => `See it over the lesson ${quote(lesson)}`;
export const THIS_PAGE = "This page as a whole";
