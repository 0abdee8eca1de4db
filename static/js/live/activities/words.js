// What the activities of a class say.

import SHARED from "../../facts/class.json" with { type: "json" };
import { worded } from "../../language/facts.js";
import { gettext, ngettext } from "../../language/gettext.js";
import { fixed, LESS, PLUS, percentage } from "../../language/language.js";
import { minus, quote } from "../../words/format.js";

/** The kinds of activity, and what each is about. */
export const NAMES = worded(SHARED, "class").activities;
/** The parts of the inspector that can be marked, by their id in the page. @type {Record<string, string>} */
export const PLACES = worded(SHARED, "class").places;

export const ROUNDS = [gettext("Before the discussion"), gettext("After the discussion")];

export const SENDING = gettext("Sending …");
export const SENT = gettext(
  "Your answer is in. You can change it until the teacher closes the question.",
);
export const POSTED = gettext("All can see it. You can take it back.");
export const VOTED = gettext("Your vote counts.");
export const WAITS = gettext("Your teacher sees it first, and then shows it to all.");
export const SHOWN = gettext("Your teacher has shown it to all.");
export const TAKEN_BACK = gettext("You took it back.");
export const CLOSED = gettext("The question is closed. The answer comes soon.");
export const CLOSED_LIVE = gettext("Your teacher has closed it.");
export const TALK = gettext("Talk about it with your neighbours. Then you can answer again.");
export const FROZEN = gettext(
  "The teacher has stopped the class for a moment. You can answer again soon.",
);
/** @param {string} answer @param {boolean | null} isRight null: there is no right answer */
export const yourAnswer = (answer, isRight) =>
  isRight === null
    ? gettext("You answered: {answer}", { answer })
    : isRight
      ? gettext("✓ You were right: {answer}", { answer })
      : gettext("You answered something else: {answer}", { answer });
export const REVEALED = gettext("Here is the answer.");
export const COUNTED = gettext("Here is what all of you answered.");
export const ON_DEVICES = gettext("Answer on your own device.");
/** Some who answered may have left since. @param {number} answered @param {number} people */
export const answered = (answered, people) =>
  answered > people
    ? gettext("{answered} have answered, here now: {people}", { answered, people })
    : gettext("{answered} of {people} have answered", { answered, people });
export const NOT_SENT = gettext("Your answer did not arrive. Try again.");
/** @param {string} name @param {string} text */
export const started = (name, text) => `${name}: ${text}`;
export const FOLD = gettext("Fold away");
export const UNFOLD = gettext("Show the question");
export const SECOND_ROUND = gettext("Vote again, now that you have discussed it.");

/** @param {number} n */
export const answers = (n) => ngettext("{n} answer", "{n} answers", n);
/** @param {number} n @param {number} share 0 to 1 */
export const counted = (n, share) => `${n} · ${Math.round(100 * share)}%`;
export const ANSWER = gettext("Answer");
export const RIGHT = gettext("correct");
export const NOBODY = gettext("Nobody has answered.");

/** A probability in whole percent; one below half a percent never reads as 0. @param {number} share */
export const percent = (share) =>
  share > 0 && share < 0.005 ? `${LESS} ${percentage("1")}` : percentage(fixed(100 * share, 0));
/** A change in percentage points, with its sign. @param {number} points */
export const points = (points) =>
  gettext("{points} points", {
    points: `${points > 0 ? PLUS : ""}${minus(fixed(points, 1))}`,
  });

// drawing
const LEVELS = [gettext("nothing"), gettext("a little"), gettext("some"), gettext("a lot")];
export const HOW_TO_DRAW = gettext(
  "Tap a cell to fill it: once for a little, twice for some, three times for a lot. With the keyboard, go with the arrow keys and press 0 to 3.",
);
export const CAUSAL = gettext("The hatched cells are blocked: no word sees what comes after it.");
export const GRID = gettext("Your drawing: rows look at columns");
/** @param {string} query */
export const looksAt = (query) => gettext("{query} looks at", { query: quote(query) });
/** @param {string} query @param {string} key @param {number} level */
export const cellInWords = (query, key, level) =>
  `${quote(query)} → ${quote(key)}: ${LEVELS[level]}`;
/** @param {string} query @param {string} key */
export const blockedInWords = (query, key) =>
  gettext("{query} → {key}: blocked", { query: quote(query), key: quote(key) });
export const SEND_DRAWING = gettext("Send my drawing");
export const SEND_CHANGES = gettext("Send what I have changed");
export const DRAWING_SENT = gettext("Your drawing is in");
export const EMPTY_DRAWING = gettext("Fill at least one cell first.");
export const AVERAGE = gettext("What you drew, on average");
export const TRUTH = gettext("What the head does");
export const DIFFERENCE = gettext("The difference");
/** @param {string} query @param {string} key @param {{share: number, too: "much" | "little"}} mistake */
export const mistakeInWords = (query, key, { share, too }) =>
  too === "much"
    ? gettext("The most common mistake: {share} of you gave {query} → {key} too much.", {
        share: percent(share),
        query: quote(query),
        key: quote(key),
      })
    : gettext("The most common mistake: {share} of you gave {query} → {key} too little.", {
        share: percent(share),
        query: quote(query),
        key: quote(key),
      });
export const TYPICAL = gettext("Typical drawings");
export const A_DRAWING = gettext("A drawing");
/** @param {number} like @param {number} n */
export const drewIt = (like, n) => gettext("{like} of {n}", { like, n });
/** @param {string} query @param {string} key @param {string} value */
export const weightInWords = (query, key, value) => `${quote(query)} → ${quote(key)}: ${value}`;

// hunt
export const CHOOSE_CELL = gettext(
  "Select a head, then tap the cell of its picture that shows it.",
);
/** @param {{layer: number, head: number}} at @param {string} query @param {string} key */
export const evidence = ({ layer, head }, query, key) =>
  gettext("Layer {layer} · head {head}, and the cell {query} → {key}", {
    layer,
    head,
    query: quote(query),
    key: quote(key),
  });
export const SUBMIT_HEAD = gettext("Submit this head");
export const MEASURING = gettext("Muting the head to measure its effect …");
export const NO_EFFECT = gettext(
  "This model predicts nothing, so the effect of a head cannot be measured.",
);
export const CANNOT_MUTE = gettext(
  "The heads of this model cannot be muted, so there is no evidence.",
);
/** @param {{layer: number, head: number, effect: number}} find @param {string} token */
export const submitted = ({ layer, head, effect }, token) =>
  gettext("Layer {layer} · head {head} is in. Muting it changes {token} by {points}.", {
    layer,
    head,
    token: quote(token),
    points: points(effect),
  });
export const FINDS = [
  "",
  gettext("Head"),
  gettext("Cell"),
  gettext("When muted"),
  gettext("After"),
];
/** @param {{layer: number, head: number}} find */
export const headOf = ({ layer, head }) => `L${layer} · H${head}`;
/** @param {[number, number]} cell @param {boolean} shows what the head does */
export const cellOf = ([query, key], shows) => `${query} → ${key}${shows ? " ✓" : ""}`;
/** @param {number} n @param {number} right */
export const evidenceSaid = (n, right) =>
  gettext("Right heads with a cell that shows what they do (✓): {n} of {right}.", { n, right });
/** @param {number} seconds */
export const seconds = (seconds) => `${Math.round(seconds)} s`;
/** @param {{layer: number, head: number, after_s: number}} find */
export const firstFind = ({ layer, head, after_s }) =>
  gettext("The first right head was layer {layer} · head {head}, after {seconds}.", {
    layer,
    head,
    seconds: seconds(after_s),
  });
export const NO_RIGHT_FIND = gettext("Nobody has found it yet.");
export const FOUND_GRID = gettext("How many found each head: rows are layers, columns are heads");
/** @param {number} n */
export const allFinds = (n) => gettext("All {n}, in the order of their arrival", { n });
/** @param {number} layer */
export const layerOf = (layer) => `L${layer}`;
/** @param {{layer: number, head: number}} at @param {number} n @param {boolean} isRight */
export const foundBy = ({ layer, head }, n, isRight) =>
  isRight
    ? gettext("Layer {layer} · head {head}, which is right: {answers}", {
        layer,
        head,
        answers: answers(n),
      })
    : gettext("Layer {layer} · head {head}: {answers}", { layer, head, answers: answers(n) });
export const IS_RIGHT = gettext("correct");
export const IS_WRONG = gettext("not this one");

// bets
/** @param {number} before @param {number} after */
export const fromTo = (before, after) => `${percent(before)} → ${percent(after)}`;
/** @param {number} before */
export const fromNow = (before) => `${percent(before)} → ?`;
export const MOVE_FIRST = gettext("Move the slider first.");
export const BET = gettext("My bet");
export const PLACE_BET = gettext("Place my bet");
/** @param {{truth: number, before: number}} at */
export const outcome = ({ truth, before }) =>
  gettext("The model decides: {before} before, {truth} with the head muted.", {
    before: percent(before),
    truth: percent(truth),
  });
/** @param {number} median @param {number} closest */
export const betsInWords = (median, closest) =>
  gettext("Half of you bet {median} or less. {closest} of you were within 5 points.", {
    median: percent(median),
    closest: percent(closest),
  });
/** @param {number} place of ten */
export const tenth = (place) => `${10 * place}–${10 * place + 10}%`;
export const BETS = gettext("Bets");
export const MODEL = gettext("the model");

// wall
export const SENTENCE = gettext("What did you find?");
export const PUT_ON_WALL = gettext("Put what I see on the wall");
export const WRITE_FIRST = gettext("Write a sentence about it first.");
/** @param {number} most */
export const wallFull = (most) =>
  gettext("You have {most} finds on the wall. Take one back to add another.", { most });
export const TOO_LONG_STATE = gettext(
  "This view is too long for the wall. Use a shorter text or fewer painted cells.",
);
export const TAKE_BACK = gettext("Take back");
export const EMPTY_WALL = gettext("Nothing is on the wall yet.");
export const OPEN_FOR_ALL = gettext("Open for all");
export const HIDE = gettext("Hide");
export const SHOW_AGAIN = gettext("Show to all");
/** @param {string} sentence */
export const openFor = (sentence) => gettext("Open for all: {sentence}", { sentence });
/** @param {string} sentence */
export const takeBackOf = (sentence) => gettext("Take back: {sentence}", { sentence });
/** @param {string} sentence */
export const hideOf = (sentence) => gettext("Hide: {sentence}", { sentence });
/** @param {string} sentence */
export const showOf = (sentence) => gettext("Show to all: {sentence}", { sentence });
export const PICTURE = gettext("Picture of the head");

// board
export const YOUR_QUESTION = gettext("Your question");
export const PUT_ON_BOARD = gettext("Ask it");
export const WRITE_QUESTION = gettext("Write your question first.");
export const EMPTY_BOARD = gettext("Nobody has asked anything yet.");
/** @param {number} most */
export const boardFull = (most) =>
  gettext("You have {most} questions on the board. Take one back to ask another.", { most });
/** @param {number} n */
export const wantedBy = (n) => `▲ ${n}`;
/** @param {string} text @param {number} n */
export const voteFor = (text, n) => gettext("▲ {n} Vote for: {text}", { n, text });

// questions
export const NOT_UNDERSTOOD = gettext("I do not understand this");
export const WHAT = gettext("What do you not understand?");
export const NOTE = gettext("Your question, if you can put it into words");
export const MARK = gettext("Mark it");
export const CANCEL = gettext("Cancel");
export const MARKED = gettext("Your teacher sees the mark, without your name.");
export const NO_MARKS = gettext("Nobody has marked anything.");
export const MARKS = gettext("Not understood");
/** @param {number} n */
export const markedBy = (n) => ngettext("{n} person", "{n} people", n);
/** @param {number} n marks on a page @param {number} whole of these, of the page as a whole */
export const marksHere = (n, whole) => {
  if (n === 0) return gettext("Nobody has marked anything here.");
  const marks = ngettext("{n} mark here", "{n} marks here", n);
  return whole === 0
    ? `${marks}.`
    : gettext("{marks}, {whole} of the page as a whole.", { marks, whole });
};
/** @param {string[]} at a lesson, and a heading in it */
export const inLesson = ([lesson, heading]) =>
  heading
    ? gettext("Lesson {lesson}: {heading}", {
        lesson: quote(lesson),
        heading: heading.replaceAll("-", " "),
      })
    : gettext("Lesson {lesson}", { lesson: quote(lesson) });
/** @param {string} lesson */
export const seeOver = (lesson) =>
  gettext("See it over the lesson {lesson}", { lesson: quote(lesson) });
export const THIS_PAGE = gettext("This page as a whole");
