// What is asked of the API for the numbers of what is saved. Pure: from the reader's choice to the body of a request.

import { gridRequest, inputs, kinds } from "../../asking/requests.js";

/** @typedef {import("../../types.d.ts").Against} Against */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").State} State */

/** Every step of a row, as far as the model gives them. */
const STEPS = ["q", "k", "v", "scores", "pattern", "z", "result", "blocked_by"];

/**
 * The whole matrix of the selected head, whatever part of it is on the page.
 * @param {Readonly<State>} state
 * @param {Model} model
 */
export function headRequest(state, model) {
  const { layer, head, matrix } = state;
  const more = matrix === "rollout" || matrix === "pattern" ? [] : [matrix];
  return {
    ...inputs(state, model),
    select: {
      tensors: ["pattern", ...more, "blocked_by"],
      layers: [layer],
      ...kinds(state),
      heads: [head],
    },
    analyse: { rollout: matrix === "rollout" },
    predict: null,
  };
}

/**
 * The head that a comparison holds, or the one that is looked at, whichever model is whose.
 * @param {Readonly<State>} state
 * @param {Against} side
 * @param {Model} model of that side
 */
export const sideRequest = (state, side, model) => headRequest({ ...state, ...side }, model);

/**
 * The patterns of the selected head and of the overlaid ones. The API takes layers and heads apart.
 * @param {Readonly<State>} state
 * @param {Model} model
 */
export function linesRequest(state, model) {
  const heads = headsOf(state);
  const whole = headRequest(state, model);
  const layers = ascending(heads.map(([layer]) => layer));
  return {
    ...whole,
    select: { ...whole.select, layers, heads: ascending(heads.map(([, head]) => head)) },
  };
}

/** The selected head, then the overlaid ones. @param {Readonly<State>} state @returns {[layer: number, head: number][]} */
export function headsOf({ layer, head, overlay }) {
  return [[layer, head], ...overlay.filter(([l, h]) => l !== layer || h !== head)];
}

/** @param {number[]} numbers */
const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);

/**
 * Every step of one query's row.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @param {number} row
 */
export function rowRequest(state, model, row) {
  const tensors = STEPS.filter((name) => model.tensors?.includes(name) ?? true);
  return {
    ...inputs(state, model),
    select: {
      tensors,
      layers: [state.layer],
      ...kinds(state),
      heads: [state.head],
      rows: [row, row + 1],
    },
    predict: null,
  };
}

/** All heads, small, with their scores. @param {Readonly<State>} state @param {Model} model */
export const headsRequest = (state, model) => ({
  ...gridRequest(state, model),
  analyse: { scores: true },
});
