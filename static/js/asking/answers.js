// All that pictures ask of the API. The inspector has one set of answers, a lesson one for each of its figures.

import { modelIn } from "../state/choice.js";
import { Lane } from "./lane.js";
import { Loader } from "./loader.js";
import { Models } from "./models.js";
import { QUESTIONS, SLOTS } from "./questions.js";
import { repainter } from "./repaint.js";
import { vectorsRequest } from "./requests.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("./questions.js").Name} Name */
/** @typedef {import("./questions.js").Request} Request */

const RESTING = 120; // ms on a head before its vectors are fetched
const POINTING_PAUSE = 40; // ms on a row before its numbers are fetched

/** The page's only one, however many figures it has. */
export const lane = new Lane();

/**
 * @param {Store} store
 * @param {object} options
 * @param {readonly Name[]} options.names the questions whose answers somebody draws
 * @param {(words: string) => void} [options.onPainted] told of painted cells whose tokens are gone
 * @param {Partial<Record<Name, Request>>} [options.requests] asked otherwise
 */
export function answers(store, { names, onPainted = () => {}, requests = {} }) {
  const loader = new Loader(store, {
    ...{ lane, names, requests },
    models: new Models(store),
    repaint: repainter(store, onPainted),
  });
  const awaited = SLOTS.filter((slot) => names.includes(slot) && !QUESTIONS[slot].events);
  let pointing = 0;
  let resting = 0;
  return {
    /** Ask again for what was refused. */
    retry: () => loader.retry(),
    /** A row of a long text is pointed at: fetch its exact numbers. @param {number | null} row */
    point: (row) => {
      clearTimeout(pointing);
      pointing = setTimeout(() => store.update({ pointed: row }), POINTING_PAUSE);
    },
    /** q, k and v of a long text are looked at: fetch them, unless the reader walks on. */
    vectors: () => {
      clearTimeout(resting);
      resting = setTimeout(() => {
        const { state } = store;
        store.update({ vectors: JSON.stringify(vectorsRequest(state, modelIn(state))) });
      }, RESTING);
    },
    /** The status of all that is drawn. */
    status: () => {
      const { state } = store;
      if (state.status !== "ready") return state.status;
      return awaited.some((slot) => state[slot]?.status === "loading") ? "loading" : "ready";
    },
  };
}

/**
 * The parts of a state that are not choices, while nothing has been asked yet.
 * @type {Omit<State, keyof import("../types.d.ts").Choice | "models" | "relations">}
 */
export const UNASKED = {
  ...{ hover: null, scheme: "light", status: "loading", problem: null, brush: null },
  ...{ grid: null, detail: null, probe: null, pointed: null, vectors: null },
  .../** @type {Record<import("./questions.js").Slot, null>} */ (
    Object.fromEntries(SLOTS.map((slot) => [slot, null]))
  ),
  ...{ past: [], future: [], lacks: {} },
};
