// All questions of the page: those that every view needs, and those of each view. Everything that asks, waits, saves or reports
// the status reads this table.

import { QUESTIONS as SHARED } from "../asking/questions.js";
import { isSlot } from "../asking/wishes.js";
import { VIEWS } from "./views.js";

/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../asking/questions.js").Name} Name */
/** @typedef {import("../asking/questions.js").Question} Question */
/** @typedef {import("../asking/questions.js").Questions} Questions */
/** @typedef {import("../asking/questions.js").Request} Request */

const TURNS = ["picture", "beside", "apart"];

/** In the order in which they are asked; of one turn a view's come first. @type {Questions} */
const QUESTIONS = new Map(
  /** @type {[Name, Question][]} */ ([
    ...Object.values(VIEWS).flatMap(({ questions }) => Object.entries(questions)),
    ...Object.entries(SHARED),
  ]).sort(([, a], [, b]) => TURNS.indexOf(a.turn) - TURNS.indexOf(b.turn)),
);

/** The questions whose answers the state stores as `Asked`. */
export const SLOTS = [...QUESTIONS].filter(isSlot).map(([name]) => name);

/** Those that are asked at once, and not only when the reader rests. */
export const PROMPT = SLOTS.filter((name) => !QUESTIONS.get(name)?.rests);

/**
 * @param {object} [options]
 * @param {readonly Name[]} [options.without] questions whose answers are not drawn
 * @param {Partial<Record<Name, Request>>} [options.requests] request builders that replace those of the table
 * @returns {Questions}
 */
export const questions = ({ without = [], requests = {} } = {}) =>
  new Map(
    [...QUESTIONS]
      .filter(([name]) => !without.includes(name))
      .map(([name, question]) => [
        name,
        { ...question, request: requests[name] ?? question.request },
      ]),
  );

/**
 * The parts of a state that are not choices, while nothing has been asked yet.
 * @type {Omit<State, keyof import("../types.d.ts").Choice | "models" | "relations">}
 */
export const UNASKED = {
  ...{ cell: null, hover: null, scheme: "light", status: "loading", problem: null, brush: null },
  ...{ grid: null, detail: null, probe: null, pointed: null, rested: false, vectors: null },
  flipped: false,
  .../** @type {Record<import("../types.d.ts").Slot, null>} */ (
    Object.fromEntries(SLOTS.map((slot) => [slot, null]))
  ),
  ...{ past: [], future: [], moment: 0, missing: null, lacks: {} },
};
