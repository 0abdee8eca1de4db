// The questions that the page asks about the selection, whichever view draws it: one row each. Views and panels add their
// own (asking/table.js). An answer is stale once the state gives another request. Pure.

import { detailOf } from "../numbers/detail.js";
import {
  blockWith,
  isExact,
  pictured,
  withMatrix,
  withRows,
  withTensors,
} from "../numbers/exact.js";
import { CHOICE_KEYS } from "../state/address.js";
import {
  detailRequest,
  factsRequest,
  gridRequest,
  isLong,
  matchRequest,
  matrixRequest,
  mutingRequest,
  nextRequest,
  rowsRequest,
  scoresRequest,
  vectorsRequest,
} from "./requests.js";

/** @import { Answer, Model, State } from "../types.d.ts" */
/** @typedef {Readonly<State>} Now */
/** @typedef {(state: Now, model: Model, isCurrent: boolean) => object | null} Request null: not needed now. `isCurrent`: whether the picture shows the current selection */

/**
 * @typedef {object} Question
 * @property {Request} request
 * @property {"picture" | "beside" | "apart"} turn "picture": nothing is ready before its answer; "beside": in the same request
 *   as the picture, if both need the same trace; "apart": after the picture, in a request of its own
 * @property {boolean} [late] its request is known only once the picture is there
 * @property {boolean} [events] it takes long and reports its progress
 * @property {boolean} [rests] asked only once the reader rests; nothing waits for its answer
 * @property {(state: Now, answer: Answer, request: any) => Partial<State>} [put] how the answer changes the state; by default it is stored under the question's name, as an `Asked`
 * @property {Name} [completes] the question whose answer it adds to, so that a new answer to that question needs it again
 */

/** All that requests are made of: the choice, and a few other keys of the state. */
export const REQUEST_KEYS = /** @type {readonly (keyof State)[]} */ ([
  ...CHOICE_KEYS,
  "models",
  "missing",
  "lacks",
  "grid",
  "detail",
  "next",
  "pointed",
  "rested",
  "drawer",
  "most_runs",
  "vectors",
  "searched",
  "decided",
  "explanations",
  "areas",
  "patch",
]);

/** @typedef {"grid" | "detail" | "matrix" | "rows" | "pointed" | "vectors"} Own the parts of the picture */
/** @typedef {import("../types.d.ts").Slot} Slot the key of an `Asked` in the state */
/** @typedef {Own | Slot} Name */

/** @typedef {ReadonlyMap<Name, Question>} Questions in the order in which they are asked */

/** @type {Partial<Record<Name, Question>>} */
export const QUESTIONS = {
  grid: {
    request: gridRequest,
    turn: "picture",
    put: (_, grid) => ({ grid }),
  },
  detail: {
    request: detailRequest,
    turn: "picture",
    put: (state, answer) => ({ detail: isLong(state) ? pictured(answer) : answer }),
  },
  matrix: {
    request: matrixRequest,
    turn: "picture",
    put: ({ detail }, answer) => (detail ? { detail: withMatrix(detail, answer) } : {}),
    completes: "detail",
  },
  rows: {
    request: (state, model) => rowsOf(state, model, detailOf(state)?.row ?? null),
    turn: "picture",
    late: true,
    put: putRows,
    completes: "detail",
  },
  next: { request: nextRequest, turn: "beside" },
  scores: { request: scoresRequest, turn: "beside" },
  match: { request: matchRequest, turn: "apart" },
  facts: { request: factsRequest, turn: "beside" },
  reference: { request: () => null, turn: "beside" }, // the page provides its own request
  pointed: {
    request: (state, model, isCurrent) => (isCurrent ? rowsOf(state, model, state.pointed) : null),
    turn: "apart",
    put: putRows,
    completes: "detail",
  },
  vectors: {
    request: (state, model, isCurrent) => {
      const request = isCurrent && isLong(state) ? vectorsRequest(state, model) : null;
      return request && state.vectors === JSON.stringify(request) ? request : null;
    },
    turn: "apart",
    put: ({ detail }, answer) => (detail ? { detail: withTensors(detail, answer) } : {}),
    completes: "detail",
  },
  muting: { request: mutingRequest, turn: "apart", rests: true },
};

/**
 * For a long text: the numbers of a row and its neighbours.
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

/** @param {Now} state @param {Answer} answer @param {any} request the request that it answers */
function putRows({ detail }, answer, request) {
  return detail ? { detail: withRows(detail, answer, request.select.rows[0]) } : {};
}
