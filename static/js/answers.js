// All that pictures ask of the API: the selected head, and the questions beside it. The inspector has one set of answers, a
// lesson one for each of its figures.

import { otherRequest, wholeRequest } from "./against.js";
import { Asker } from "./asker.js";
import { modelIn } from "./choice.js";
import { Loader } from "./loader.js";
import { Models } from "./models.js";
import { overlayRequest } from "./render/lines/heads.js";
import { repainter } from "./repaint.js";
import { effectsRequest, factsRequest, nextRequest } from "./requests.js";
import { insideRequest } from "./views/inside/request.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").State} State */
/** @typedef {import("./asker.js").Slot} Slot */
/** @typedef {(state: Readonly<State>) => object | null} Request null: nobody wants it now */

const TRACE = /** @type {const} */ ([
  "model",
  "models",
  "scratch",
  "texts",
  "targets",
  "pairs",
  "masks",
  "muted",
]);
const READ = /** @type {const} */ (["right", "kind", "query", "token"]);
const SELECTED = /** @type {const} */ (["kind", "layer", "head"]);
const MEASURED = /** @type {const} */ ([...SELECTED, "query", "lacks", "against"]);
const COMPARED = /** @type {const} */ (["view", "against", "matrix"]);

/** What each question depends on, and how it is asked. @type {Record<Slot, {keys: readonly (keyof State)[], request: Request}>} */
const QUESTIONS = {
  next: {
    keys: [...READ, "temperature", "top_k", "top_p"],
    request: (state) => nextRequest(state, modelIn(state)),
  },
  effects: { keys: READ, request: (state) => effectsRequest(state, modelIn(state)) },
  inside: {
    keys: [...SELECTED, "view", "query", "shown", "segments", "detail"],
    request: (state) => insideRequest(state, modelIn(state)),
  },
  overlays: {
    keys: [...SELECTED, "view", "overlay", "detail", "matrix", "lacks"],
    request: (state) => overlayRequest(state, modelIn(state)),
  },
  other: { keys: [...COMPARED, "shown", "query"], request: otherRequest },
  whole: { keys: [...COMPARED, ...SELECTED], request: wholeRequest },
  // of a lesson's figure; the inspector asks for them while its panel is open
  facts: { keys: MEASURED, request: (state) => factsRequest(state, modelIn(state)) },
  reference: { keys: MEASURED, request: () => null },
};

/**
 * @param {Store} store
 * @param {object} options
 * @param {readonly Slot[]} options.slots the questions that somebody listens to
 * @param {boolean} [options.grid] whether all heads are wanted, too, as thumbnails
 * @param {(words: string) => void} [options.onPainted] told of painted cells whose tokens are gone
 * @param {Partial<Record<Slot, Request>>} [options.requests] asked otherwise
 */
export function answers(store, { slots, grid = true, onPainted = () => {}, requests = {} }) {
  const loader = new Loader(store, new Models(store), repainter(store, onPainted), grid);
  // after the loader: they wait for the picture
  const askers = new Map(
    slots.map((slot) => {
      const { keys, request } = QUESTIONS[slot];
      return [slot, new Asker(store, slot, [...TRACE, ...keys], requests[slot] ?? request)];
    }),
  );
  return {
    loader,
    /** Ask again, for the head or for what is asked beside it. @param {Slot[]} some */
    retry: (...some) => {
      if (some.length === 0) loader.retry();
      for (const slot of some) askers.get(slot)?.retry();
    },
    /** The status of all that is drawn. */
    status: () => {
      const { state } = store;
      if (state.status !== "ready") return state.status;
      return slots.some((slot) => slot !== "effects" && state[slot]?.status === "loading")
        ? "loading"
        : "ready";
    },
  };
}

/**
 * What of a state is no choice, while nothing has been asked yet.
 * @type {Omit<State, keyof import("./types.d.ts").Choice | "models" | "relations">}
 */
export const UNASKED = {
  hover: null,
  scheme: "light",
  status: "loading",
  problem: null,
  grid: null,
  detail: null,
  probe: null,
  next: null,
  effects: null,
  overlays: null,
  inside: null,
  other: null,
  whole: null,
  facts: null,
  reference: null,
  brush: null,
  past: [],
  future: [],
  lacks: {},
};
