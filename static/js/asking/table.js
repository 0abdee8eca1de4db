// The table of all questions of a page: those that every view needs, and those of its views and panels. Everything that asks, waits,
// saves or reports the status reads it. Pure.

import { QUESTIONS } from "./questions.js";
import { isSlot } from "./wishes.js";

/** @import { State } from "../types.d.ts" */
/** @import { Name, Question, Questions, Request } from "./questions.js" */
/** @typedef {Partial<Record<Name, Question>>} Own the questions of one view or panel */

const TURNS = ["picture", "beside", "apart"];

/**
 * @param {Own[]} views the questions of the views, which of one turn are asked first
 * @param {Own[]} [panels] those of the panels, which are asked last
 */
export function tableOf(views, panels = []) {
  const rows = new Map(
    /** @type {[Name, Question][]} */ (
      [...views, QUESTIONS, ...panels].flatMap((own) => Object.entries(own))
    ).sort(([, a], [, b]) => TURNS.indexOf(a.turn) - TURNS.indexOf(b.turn)),
  );
  const slots = [...rows].filter(isSlot).map(([name]) => name);
  return {
    /** The questions whose answers the state stores as `Asked`. */
    SLOTS: slots,

    /** Those that are asked at once, and not only when the reader rests. */
    PROMPT: slots.filter((name) => !rows.get(name)?.rests),

    /**
     * In the order in which they are asked.
     * @param {object} [options]
     * @param {readonly Name[]} [options.without] questions whose answers are not drawn
     * @param {Partial<Record<Name, Request>>} [options.requests] request builders that replace those of the table
     * @returns {Questions}
     */
    questions: ({ without = [], requests = {} } = {}) =>
      new Map(
        [...rows]
          .filter(([name]) => !without.includes(name))
          .map(([name, question]) => [
            name,
            { ...question, request: requests[name] ?? question.request },
          ]),
      ),

    /**
     * The parts of a state that are not choices, while nothing has been asked yet.
     * @type {Omit<State, keyof import("../types.d.ts").Choice | "models" | "relations">}
     */
    UNASKED: {
      cell: null,
      hover: null,
      scheme: "light",
      status: "loading",
      problem: null,
      brush: null,
      grid: null,
      detail: null,
      probe: null,
      pointed: null,
      rested: false,
      vectors: null,
      searched: null,
      areas: false,
      flipped: false,
      drawer: false,
      came: null,
      corpus: null,
      trained: null,
      vocabulary: { head: null, token: null },
      .../** @type {Record<import("../types.d.ts").Slot, null>} */ (
        Object.fromEntries(slots.map((slot) => [slot, null]))
      ),
      past: [],
      future: [],
      moment: 0,
      missing: null,
      lacks: {},
      most_runs: null,
    },
  };
}
