// Everything that pictures ask the API for. The inspector has one set of answers, a lesson one for each of its figures.

import { CHOICE_KEYS } from "../state/address.js";
import { modelIn } from "../state/choice.js";
import { Lane } from "./lane.js";
import { Loader } from "./loader.js";
import { Models } from "./models.js";
import { repainter } from "./repaint.js";
import { vectorsRequest } from "./requests.js";
import { isSlot } from "./wishes.js";

/** @import { Store } from "../state/store.js" */
/** @import { State } from "../types.d.ts" */
/** @import { Questions } from "./questions.js" */

const ON_HEAD = 120; // ms on a head before its vectors are fetched
const RESTING = 1200; // ms without a change before what nothing waits for is fetched
const POINTING_PAUSE = 40; // ms on a row before its numbers are fetched

/** One for the whole page, however many figures it has. */
export const lane = new Lane();

/**
 * @param {Store} store
 * @param {object} options
 * @param {Questions} options.questions the questions whose answers are drawn
 * @param {(words: string) => void} [options.onPainted] called when painted cells were dropped because their tokens are gone
 */
export function answers(store, { questions, onPainted = () => {} }) {
  const loader = new Loader(store, {
    lane,
    questions,
    models: new Models(store),
    repaint: repainter(store, onPainted),
  });
  const stored = [...questions].filter(isSlot);
  const awaited = stored.flatMap(([name, { events, rests }]) => (events || rests ? [] : name));
  let rest = 0;
  store.watch(CHOICE_KEYS, () => {
    clearTimeout(rest);
    rest = setTimeout(() => store.update({ rested: true }), RESTING);
    store.update({ rested: false });
  });
  let pointing = 0;
  let resting = 0;
  return {
    /** Where the answers are stored. */
    slots: stored.map(([name]) => name),
    /** Ask again for everything that was refused. */
    retry: () => loader.retry(),
    /** Fetch the exact numbers of a row of a long text when the pointer rests on it. @param {number | null} row */
    point: (row) => {
      clearTimeout(pointing);
      pointing = setTimeout(() => store.update({ pointed: row }), POINTING_PAUSE);
    },
    /** Fetch q, k and v of a long text, unless the reader moves on. */
    vectors: () => {
      clearTimeout(resting);
      resting = setTimeout(() => {
        const { state } = store;
        store.update({ vectors: JSON.stringify(vectorsRequest(state, modelIn(state))) });
      }, ON_HEAD);
    },
    /** The status of everything that is drawn. */
    status: () => {
      const { state } = store;
      if (state.status !== "ready") return state.status;
      return awaited.some((slot) => state[slot]?.status === "loading") ? "loading" : "ready";
    },
  };
}
