// The steps of the tour: each waits for one action of the reader. Pure.

import { detailOf } from "../../numbers/detail.js";
import { gainerIn, predictedIn } from "../../numbers/predicted.js";
import { calledIn, labelIn } from "../../panels/heads/called.js";
import { isMuted } from "../../state/choice.js";
import * as seen from "./seen.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {Readonly<State>} Now */

/**
 * What the tour is about: the words that are there when it begins, the word to type, the row to choose, and the head; null: any.
 * @typedef {{texts: string[], word: string | null, query: number | null, head: {layer: number, head: number} | null}} Plan
 */

/**
 * @typedef {object} Step
 * @property {string} at the part of the page where it is done, as a selector
 * @property {readonly string[]} beside what the reader looks at meanwhile: the card keeps off it, too, if there is room elsewhere
 * @property {string} [focus] what gets the focus when the step begins, so that the keyboard is where it is done
 * @property {(now: Now, plan: Plan) => words.Said} says
 * @property {(now: Now, start: Now, plan: Plan) => boolean} done `start`: the state when the step began
 * @property {(now: Now, start: Now, plan: Plan) => string} [off] what to say when the reader does something else; "": nothing
 * @property {(now: Now, plan: Plan) => boolean} [holds] whether what it did is still so: if not, the tour goes back to it
 * @property {string} [again] what it then says
 * @property {(now: Now, start: Now) => string} saw what the reader could see by it
 */

/** A text however its words are spaced. @param {string} text */
const spaced = (text) => text.trim().replaceAll(/\s+/g, " ");

/** @param {Now} state */
const textOf = ({ texts, shown }) => spaced(texts[shown] ?? "");

/** The text with the word. @param {Plan} plan */
const wantedText = ({ texts: [text], word }) => spaced(`${text}${word}`);

/** @param {Now} now @param {Plan} plan */
const hasText = (now, plan) => plan.word === null || textOf(now) === wantedText(plan);
/** @param {Now} now @param {Plan} plan */
const hasRow = (now, { query }) => query === null || now.query === query;
/** @param {Now} now @param {Plan} plan */
const hasHead = (now, { head }) =>
  head === null || (now.layer === head.layer && now.head === head.head);
/** @param {Now} now @param {Plan} plan */
const hasMuted = (now, { head }) => {
  const { layer, head: place } = head ?? now;
  return isMuted(now.muted, now.kind, layer, place);
};
/** The token of the row that is shown. @param {Now} now */
function rowOf(now) {
  const detail = detailOf(now);
  return detail?.queryLabels[detail.row] ?? "";
}

/** @type {readonly Step[]} */
export const STEPS = [
  {
    at: "#sentences",
    beside: [],
    focus: "#sentences > * textarea",
    says: (_, { word }) => words.type(word),
    done: (now, start, plan) =>
      plan.word === null ? textOf(now).length > textOf(start).length : hasText(now, plan),
    off: (now, _, plan) => {
      const isOnTheWay = plan.word === null || wantedText(plan).startsWith(textOf(now));
      return isOnTheWay ? "" : words.otherText({ text: wantedText(plan) });
    },
    holds: hasText,
    saw: seen.expected,
  },
  {
    at: "#chips",
    beside: ["#plot"],
    says: (now, { word }) => words.row(word ?? rowOf(now)),
    done: (now, start, plan) =>
      plan.query === null ? now.query !== start.query : hasRow(now, plan),
    off: (now, start, { word }) =>
      now.query === null || now.query === start.query
        ? ""
        : words.otherRow({ token: rowOf(now), wanted: word ?? "" }),
    holds: hasRow,
    saw: seen.lookedAt,
  },
  {
    at: "#grid",
    beside: ["#plot"],
    says: (now, { head }) =>
      head
        ? words.head(
            calledIn(now, head),
            words.arrows({ down: head.layer - now.layer, right: head.head - now.head }),
          )
        : words.ANY_HEAD,
    done: (now, start, plan) =>
      plan.head ? hasHead(now, plan) : now.layer !== start.layer || now.head !== start.head,
    off: (now, start, { head }) =>
      !head || (now.layer === start.layer && now.head === start.head)
        ? ""
        : words.otherHead({ label: labelIn(now, now), wanted: calledIn(now, head) }),
    holds: hasHead,
    saw: seen.lookedAt,
  },
  {
    at: "#mute",
    beside: ["#plot", "#forecast"],
    says: () => words.MUTE,
    done: (now, _, plan) => hasMuted(now, plan),
    holds: hasMuted,
    again: words.UNMUTED,
    saw: seen.afterMute,
  },
  {
    at: "#forecast",
    beside: ["#plot"],
    focus: "#forecast .token",
    says: (now) => (gainerIn(now) ? words.WATCH : words.WATCH_ANY),
    done: (now, start) => {
      const gainer = gainerIn(now);
      return gainer ? now.token === gainer.id : now.token !== null && now.token !== start.token;
    },
    off: (now, start) => {
      const token = predictedIn(now)?.predictions.find(({ id }) => id === now.token);
      return token && now.token !== start.token ? words.otherToken(seen.moveOf(token)) : "";
    },
    saw: seen.chosen,
  },
  {
    at: "#mute",
    beside: ["#plot", "#forecast"],
    says: () => words.UNDO,
    done: (now, _, plan) => !hasMuted(now, plan),
    saw: seen.restored,
  },
];

/**
 * Which step is next: the one after, if this one is done, or an earlier one whose work was taken back.
 * @param {number} at
 * @param {Now} now
 * @param {Now} start
 * @param {Plan} plan
 */
export function following(at, now, start, plan) {
  if (STEPS[at]?.done(now, start, plan)) return at + 1;
  const lost = STEPS.slice(0, at).findIndex(({ holds }) => holds && !holds(now, plan));
  return at < STEPS.length && lost >= 0 ? lost : at;
}

/**
 * The tour of an example: its sentence up to the word whose row it is about, which the reader types.
 * @param {import("../../types.d.ts").Entry} entry
 * @param {import("../../types.d.ts").Token[]} tokens of its text
 * @returns {Plan}
 */
export function planOf({ texts: [text], layer, head, query }, tokens) {
  const { start, end } = tokens[query];
  const characters = [...text];
  const before = characters.slice(0, start).join("");
  const isSpaced = /\s/.test(`${before.at(-1)}${characters[start]}`); // in Chinese it is not
  return {
    texts: [isSpaced ? `${before.trimEnd()} ` : before], // the word is typed at once
    word: characters.slice(start, end).join("").trim(),
    query,
    head: { layer, head },
  };
}
