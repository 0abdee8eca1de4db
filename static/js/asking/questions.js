// What the page asks about what is looked at, whichever view draws it: a row for each question. Views bring theirs
// (static/js/views/questions.js has all of them). Pure.

import { detailOf } from "../numbers/detail.js";
import {
  blockWith,
  isExact,
  pictured,
  withMatrix,
  withRows,
  withTensors,
} from "../numbers/exact.js";
import {
  detailRequest,
  effectsRequest,
  factsRequest,
  gridRequest,
  isLong,
  lensRequest,
  matrixRequest,
  nextRequest,
  rowsRequest,
  scoresRequest,
  vectorsRequest,
} from "./requests.js";

/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {Readonly<State>} Now */
/** @typedef {(state: Now, model: Model, stands: boolean) => object | null} Request null: nobody wants it now. `stands`: whether the picture is of what is selected now */

/**
 * @typedef {object} Question
 * @property {readonly (keyof State)[]} keys what it depends on, beside what a trace does
 * @property {Request} request
 * @property {"picture" | "beside" | "apart"} turn "picture": nothing is ready before it is answered; "beside": it goes with the
 *   picture where it is of the same trace; "apart": after the picture, by itself
 * @property {boolean} [late] it is known only when the picture stands
 * @property {boolean} [events] it takes long, and says how far it is
 * @property {(state: Now, answer: Answer, request: any) => Partial<State>} [put] into the state; else under its name, as `Asked`
 * @property {Name} [of] whose answer it completes: a new one lacks it
 */

/** What every trace depends on. */
export const TRACE = /** @type {const} */ ([
  ...["model", "models", "scratch", "texts", "targets", "pairs", "masks", "muted"],
]);
/** What one head depends on beside its trace. */
export const SELECTED = /** @type {const} */ (["kind", "layer", "head"]);
const MEASURED = /** @type {const} */ ([...SELECTED, "query", "lacks", "against"]);
/** How predictions are listed. */
export const LISTED = /** @type {const} */ ([
  "temperature",
  "top_k",
  "top_p",
  "kind",
  "query",
  "token",
]);

/** @typedef {"grid" | "detail" | "matrix" | "rows" | "pointed" | "vectors"} Own what the picture is made of */
/** @typedef {import("../types.d.ts").Slot} Slot where an `Asked` lies in the state */
/** @typedef {Own | Slot} Name */

/** @typedef {ReadonlyMap<Name, Question>} Questions those that somebody listens to, in the order in which they are asked */

/** @type {Partial<Record<Name, Question>>} */
export const QUESTIONS = {
  grid: {
    keys: ["kind"],
    request: gridRequest,
    turn: "picture",
    put: (_, grid) => ({ grid }),
  },
  detail: {
    keys: [...SELECTED, "matrix", "lacks"],
    request: detailRequest,
    turn: "picture",
    put: (state, answer) => ({ detail: isLong(state) ? pictured(answer) : answer }),
  },
  matrix: {
    keys: [...SELECTED, "matrix"],
    request: matrixRequest,
    turn: "picture",
    put: ({ detail }, answer) => (detail ? { detail: withMatrix(detail, answer) } : {}),
    of: "detail",
  },
  rows: {
    keys: [...SELECTED, "query", "segments", "shown", "detail"],
    request: (state, model) => rowsOf(state, model, detailOf(state)?.row ?? null),
    turn: "picture",
    late: true,
    put: putRows,
    of: "detail",
  },
  next: { keys: ["right", ...LISTED], request: nextRequest, turn: "beside" },
  lens: { keys: ["right", "kind", "query", "lacks"], request: lensRequest, turn: "beside" },
  scores: { keys: ["by", "kind"], request: scoresRequest, turn: "beside" },
  facts: { keys: MEASURED, request: factsRequest, turn: "beside" },
  reference: { keys: MEASURED, request: () => null, turn: "beside" }, // a page's own
  pointed: {
    keys: ["pointed", "detail"],
    request: (state, model, stands) => (stands ? rowsOf(state, model, state.pointed) : null),
    turn: "apart",
    put: putRows,
    of: "detail",
  },
  vectors: {
    keys: ["vectors", "detail"],
    request: (state, model, stands) => {
      const request = stands && isLong(state) ? vectorsRequest(state, model) : null;
      return request && state.vectors === JSON.stringify(request) ? request : null;
    },
    turn: "apart",
    put: ({ detail }, answer) => (detail ? { detail: withTensors(detail, answer) } : {}),
    of: "detail",
  },
  effects: {
    keys: ["right", "kind", "query", "token"],
    request: effectsRequest,
    turn: "apart",
    events: true,
  },
};

/**
 * Of a long text: the numbers of a row, with its neighbours.
 * @param {Now} state
 * @param {Model} model
 * @param {number | null} row
 */
function rowsOf(state, model, row) {
  const { detail } = state;
  if (row === null || !detail || !isLong(state) || isExact(detail, row)) return null;
  const n = detailOf(state)?.queries.length ?? 0;
  return row < n ? rowsRequest(state, model, blockWith(row, n)) : null;
}

/** @param {Now} state @param {Answer} answer @param {any} request what was asked */
function putRows({ detail }, answer, request) {
  return detail ? { detail: withRows(detail, answer, request.select.rows[0]) } : {};
}
