// The steps of the tour: each waits for one action of the reader. Pure.

import * as words from "./words.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {Readonly<State>} Now */

/**
 * What the tour is about: the words that are there when it begins, the word to type, the row to choose, and the head; null: any.
 * @typedef {{texts: string[], word: string | null, query: number | null, head: {layer: number, head: number} | null}} Plan
 */

/**
 * @typedef {object} Step
 * @property {string} at the part of the page where it is done, as a selector
 * @property {(plan: Plan, row: string) => words.Said} says `row`: the token whose row is shown
 * @property {(now: Now, start: Now, plan: Plan) => boolean} done `start`: the state when the step began
 */

/** @param {Now} state */
const textOf = ({ texts, shown }) => texts[shown] ?? "";

/** @type {readonly Step[]} */
export const STEPS = [
  {
    at: "#sentences",
    says: ({ word }) => words.type(word),
    done: (now, start, { word }) =>
      word === null
        ? textOf(now).trim().length > textOf(start).trim().length
        : textOf(now).trim().endsWith(` ${word}`),
  },
  {
    at: "#chips",
    says: ({ word }, row) => words.row(word ?? row),
    done: (now, start, { query }) =>
      query === null ? now.query !== start.query : now.query === query,
  },
  {
    at: "#grid",
    says: ({ head }) => words.head(head && words.named(head)),
    done: (now, start, { head }) =>
      head
        ? now.layer === head.layer && now.head === head.head
        : now.layer !== start.layer || now.head !== start.head,
  },
  {
    at: "#mute",
    says: () => words.MUTE,
    done: (now, start) => now.muted.length > start.muted.length,
  },
  {
    at: "#forecast",
    says: () => words.WATCH,
    done: (now, start) => now.token !== null && now.token !== start.token,
  },
  {
    at: "#mute",
    says: () => words.UNDO,
    done: (now, start) => now.muted.length < start.muted.length,
  },
];

/**
 * The tour of an example: its sentence up to the word whose row it is about, which the reader types.
 * @param {import("../../types.d.ts").Entry} entry
 * @param {import("../../types.d.ts").Token[]} tokens of its text
 * @returns {Plan}
 */
export function planOf({ texts: [text], layer, head, query }, tokens) {
  const { start, end } = tokens[query];
  const characters = [...text];
  return {
    texts: [characters.slice(0, start).join("").trimEnd()],
    word: characters.slice(start, end).join("").trim(),
    query,
    head: { layer, head },
  };
}
